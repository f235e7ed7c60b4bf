// Private: what a JSON text must keep to before it is turned into values.
#pragma once

#include <limits>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "io/failure.hpp"

namespace nw::io {

/// What to refuse. Keys that occur twice matter where one of them would hide the other: parsers
/// keep the last without a word. Objects that keep the order of their keys take quadratic time for
/// many.
struct JsonLimits {
  std::size_t max_depth = 64;
  std::size_t max_keys = std::numeric_limits<std::size_t>::max();  ///< of one object
  bool unique_keys = false;
};

/// Walks over a JSON text, in linear time, and throws IoError when it breaks a limit. Syntax errors
/// are left to the parser. The JSON library's own callbacks would do, but they take quadratic time
/// for long lists.
class JsonCheck final : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonCheck(std::string source, const JsonLimits& limits)
      : source_(std::move(source)), limits_(limits) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return enter(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool key(string_t& name) override {
    Level& level = levels_.back();
    if (++level.count > limits_.max_keys) {
      fail(source_, "an object with more than ", limits_.max_keys, " names");
    }
    if (limits_.unique_keys && !level.keys.insert(name).second) {
      fail(source_, "holds the name ", shown(name), " twice");
    }
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  bool enter() {
    if (levels_.size() == limits_.max_depth)
      fail(source_, "nested deeper than ", limits_.max_depth);
    levels_.emplace_back();
    return true;
  }
  bool leave() {
    levels_.pop_back();
    return true;
  }

  struct Level {
    std::size_t count = 0;
    std::set<std::string> keys;  ///< empty unless they must differ
  };

  std::string source_;
  JsonLimits limits_;
  std::vector<Level> levels_;
};

}  // namespace nw::io
