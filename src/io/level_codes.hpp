// Private: distinct texts and their codes, in the order of first appearance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace nw::io {

class LevelCodes {
 public:
  [[nodiscard]] std::uint32_t code_of(std::string_view text) {
    // Neighbours often share their value.
    if (last_ < levels_.size() && levels_[last_] == text) return last_;
    const auto found = code_by_text_.find(text);
    if (found != code_by_text_.end()) return last_ = found->second;
    const auto code = static_cast<std::uint32_t>(levels_.size());
    levels_.emplace_back(text);
    code_by_text_.emplace(levels_.back(), code);
    return last_ = code;
  }

  [[nodiscard]] const std::vector<std::string>& levels() const noexcept { return levels_; }
  [[nodiscard]] std::vector<std::string> take_levels() { return std::move(levels_); }

  void clear() {
    levels_.clear();
    code_by_text_.clear();
    last_ = 0;
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::vector<std::string> levels_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> code_by_text_;
  std::uint32_t last_ = 0;
};

}  // namespace nw::io
