#include "io/label_column.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "io/number.hpp"

namespace nw::io {
namespace {

std::optional<std::int32_t> as_integer(std::string_view text) {
  const ParsedNumber number = parse_number(text.data(), text.data() + text.size());
  if (number.status != NumberStatus::ok || number.end != text.data() + text.size()) return {};
  using Limits = std::numeric_limits<std::int32_t>;
  const bool fits = number.value >= Limits::min() && number.value <= Limits::max() &&
                    number.value == std::floor(number.value);
  if (!fits) return {};
  return static_cast<std::int32_t>(number.value);
}

}  // namespace

std::int32_t LabelColumn::code_of(std::string_view label) {
  // Neighbours often share their class.
  if (!codes_.empty() && texts_[static_cast<std::size_t>(codes_.back())] == label) {
    return codes_.back();
  }
  const auto found = code_by_text_.find(label);
  if (found != code_by_text_.end()) return found->second;
  const auto code = static_cast<std::int32_t>(texts_.size());
  texts_.emplace_back(label);
  code_by_text_.emplace(texts_.back(), code);
  return code;
}

void LabelColumn::append(const LabelColumn& other) {
  std::vector<std::int32_t> translated(other.texts_.size());
  for (std::size_t i = 0; i < translated.size(); ++i) translated[i] = code_of(other.texts_[i]);
  for (const std::int32_t code : other.codes_) {
    codes_.push_back(translated[static_cast<std::size_t>(code)]);
  }
}

void LabelColumn::clear() {
  codes_.clear();
  texts_.clear();
  code_by_text_.clear();
}

Labels LabelColumn::finish() const {
  std::vector<std::int32_t> value_by_code;
  value_by_code.reserve(texts_.size());
  for (const std::string& text : texts_) {
    const auto integer = as_integer(text);
    if (!integer) break;
    value_by_code.push_back(*integer);
  }
  Labels labels;
  if (value_by_code.size() != texts_.size()) {
    std::vector<std::size_t> order(texts_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {},
                      [&](std::size_t code) -> const std::string& { return texts_[code]; });
    value_by_code.resize(texts_.size());
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      value_by_code[order[rank]] = static_cast<std::int32_t>(rank);
      labels.names.push_back(texts_[order[rank]]);
    }
  }
  labels.values.reserve(codes_.size());
  for (const std::int32_t code : codes_) {
    labels.values.push_back(value_by_code[static_cast<std::size_t>(code)]);
  }
  return labels;
}

}  // namespace nw::io
