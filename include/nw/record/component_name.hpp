// What people call a component: the columns in which it stands out.
#pragma once

#include <string>
#include <vector>

namespace nw::record {

/// What a component is in one column: "species = Gentoo", "smoker mostly Yes", "age ≈ 71". A class
/// that was given has a value alone.
struct NamePart {
  std::string column{};
  std::string relation{};  ///< "=", "mostly" or "≈"
  std::string value{};

  [[nodiscard]] std::string text() const {
    return column.empty() ? value : column + " " + relation + " " + value;
  }
  bool operator==(const NamePart&) const = default;
};

/// The most telling column first.
struct ComponentName {
  std::vector<NamePart> parts{};

  [[nodiscard]] bool empty() const { return parts.empty(); }
  /// "species = Gentoo, sex = FEMALE"
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const NamePart& part : parts) text += (text.empty() ? "" : ", ") + part.text();
    return text;
  }
  bool operator==(const ComponentName&) const = default;
};

}  // namespace nw::record
