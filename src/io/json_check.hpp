// Private: what a JSON text must keep to before it is turned into values.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "io/failure.hpp"

namespace nw::io {

/// Walks over a JSON text, in linear time, and throws IoError when it is nested too deep or names a
/// key of one object twice (parsers keep the last and forget the others without a word). Syntax
/// errors are left to the parser. The library's own callbacks would do, but they take quadratic
/// time for long lists.
class JsonCheck final : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonCheck(std::string source, std::size_t max_depth, bool unique_keys)
      : source_(std::move(source)), max_depth_(max_depth), unique_keys_(unique_keys) {}

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
    if (unique_keys_ && !keys_.back().insert(name).second) {
      fail(source_, "holds the name ", shown(name), " twice");
    }
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  bool enter() {
    if (keys_.size() == max_depth_) fail(source_, "nested deeper than ", max_depth_);
    keys_.emplace_back();
    return true;
  }
  bool leave() {
    keys_.pop_back();
    return true;
  }

  std::string source_;
  std::size_t max_depth_;
  bool unique_keys_;
  std::vector<std::set<std::string>> keys_;
};

}  // namespace nw::io
