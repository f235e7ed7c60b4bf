// Private: collects labels as text and turns them into Labels at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nw/io/labels.hpp"

namespace nw::io {

/// Stores every distinct text once, so a million labels of ten classes take four megabytes.
class LabelColumn {
 public:
  void add(std::string_view label) { codes_.push_back(code_of(label)); }
  void append(const LabelColumn& other);
  void clear();
  [[nodiscard]] std::size_t size() const noexcept { return codes_.size(); }

  /// Integers when every label is one (3, 3.0 and 3e0 are the same), otherwise sorted names.
  [[nodiscard]] Labels finish() const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::int32_t code_of(std::string_view label);

  std::vector<std::int32_t> codes_;
  std::vector<std::string> texts_;  ///< by code, in order of appearance
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> code_by_text_;
};

}  // namespace nw::io
