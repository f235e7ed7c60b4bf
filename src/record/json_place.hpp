// Private: reading JSON with complaints that name the place.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/record/run_record.hpp"

#include "io/json_value.hpp"
#include "record/learning_fields.hpp"
#include "record/names.hpp"
#include "record/transport_fields.hpp"

namespace nw::record {

/// A JSON value together with where it stands, so that every complaint can name its place.
class Place {
 public:
  Place(const Json& value, std::string where) : value_(value), where_(std::move(where)) {}

  [[nodiscard]] Place at(std::size_t index) const {
    return {value_[index], where_ + "[" + std::to_string(index) + "]"};
  }
  [[nodiscard]] Place at(const std::string& name) const {
    return {value_.at(name), where_ + (where_.ends_with(": ") ? "" : ".") + name};
  }

  [[noreturn]] void fail(std::string_view expected) const {
    std::string found = value_.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (found.size() > 60) found = found.substr(0, 57) + "...";
    throw IoError(concat(where_, where_.ends_with(": ") ? "" : ": ", "expected ", expected,
                         ", found ", found));
  }

  void read(bool& out) const {
    if (!value_.is_boolean()) fail("true or false");
    out = value_.get<bool>();
  }
  void read(double& out) const {
    if (value_.is_null()) {
      out = std::numeric_limits<double>::quiet_NaN();
    } else {
      if (!value_.is_number()) fail("a number");
      out = value_.get<double>();
    }
  }
  void read(std::uint64_t& out) const {
    if (!value_.is_number_unsigned()) fail("a whole number >= 0");
    out = value_.get<std::uint64_t>();
  }
  void read(std::string& out) const {
    if (!value_.is_string()) fail("text");
    out = value_.get<std::string>();
  }
  void read(Interval& out) const {
    if (!value_.is_array() || value_.size() != 2) fail("[low, high]");
    at(0).read(out.low);
    at(1).read(out.high);
  }
  /// [name, value]
  void read(std::pair<std::string, double>& out) const {
    if (!value_.is_array() || value_.size() != 2) fail("[name, value]");
    at(0).read(out.first);
    at(1).read(out.second);
  }
  void read(SettingValue& out) const {
    if (value_.is_boolean()) {
      out = value_.get<bool>();
    } else if (value_.is_number_integer() && fits_signed()) {
      out = value_.get<std::int64_t>();
    } else if (value_.is_number_float()) {
      out = value_.get<double>();
    } else if (value_.is_string()) {
      out = value_.get<std::string>();
    } else {
      out = value_.dump();  // a list, an object, a number too large: kept as its text
    }
  }
  void read(FigureCoupling& out) const {
    if (!value_.is_array() || value_.size() != 3) fail("[from, to, mass]");
    at(0).read(out.from);
    at(1).read(out.to);
    at(2).read(out.mass);
  }
  template <typename Enum, std::size_t Count>
  void read(Enum& out, const NameTable<Enum, Count>& names) const {
    std::string known;
    for (const auto& [candidate, name] : names) {
      if (value_ == name) {
        out = candidate;
        return;
      }
      known += (known.empty() ? "one of " : ", ") + std::string(name);
    }
    fail(known);
  }
  void read(ClusteringStart& out) const {
    visit_start(out, [this](const char* name, auto& member) { get(name, member); });
  }
  void read(BoundsAtTime& out) const {
    visit_bounds(out, [this](const char* name, auto& member) { get(name, member); });
  }
  void read(ClusteringCandidate& out) const {
    visit_candidate(out, [this](const char* name, auto& member) { get(name, member); });
  }
  template <typename T>
  void read(std::optional<T>& out) const {
    if (value_.is_null()) return;
    read(out.emplace());
  }
  template <typename T>
  void read(std::vector<T>& out) const {
    each([&](const Place& place) { place.read(out.emplace_back()); });
  }
  template <typename T>
  void read(std::vector<std::pair<std::string, T>>& out) const {
    if (!value_.is_object()) fail("an object");
    for (const auto& [name, unused] : value_.items()) {
      out.emplace_back(name, T{});
      at(name).read(out.back().second);
    }
  }
  template <typename Visit>
  void each(Visit&& visit) const {
    if (!value_.is_array()) fail("a list");
    for (std::size_t i = 0; i < value_.size(); ++i) visit(at(i));
  }
  /// Reads field `name` if it is there.
  template <typename... Out>
  void get(const char* name, Out&&... out) const {
    if (!value_.is_object()) fail("an object");
    if (value_.contains(name)) at(std::string(name)).read(out...);
  }
  /// Reads the entries of list `name` if it is there.
  template <typename T>
  void get_each(const char* name, std::vector<T>& out, T (*read_entry)(const Place&)) const {
    if (!has(name)) return;
    at(std::string(name)).each([&](const Place& entry) { out.push_back(read_entry(entry)); });
  }
  [[nodiscard]] bool has(const char* name) const {
    return value_.is_object() && value_.contains(name) && !value_.at(name).is_null();
  }

 private:
  [[nodiscard]] bool fits_signed() const {
    return !value_.is_number_unsigned() ||
           value_.get<std::uint64_t>() <=
               static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  }

  const Json& value_;
  std::string where_;
};

}  // namespace nw::record
