#include "io/formats/xml.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "io/failure.hpp"

namespace nw::io {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view without_prefix(std::string_view name) {
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

void append_utf8(std::uint32_t code, std::string& text) {
  const auto tail = [&](unsigned shift) {
    text += static_cast<char>(0x80 | (code >> shift & 0x3f));
  };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0 | code >> 12);
    tail(6), tail(0);
  } else {
    text += static_cast<char>(0xf0 | code >> 18);
    tail(12), tail(6), tail(0);
  }
}

/// The character that the entity between & and ; stands for; false where it is unknown.
bool append_entity(std::string_view entity, std::string& text) {
  struct Named {
    std::string_view name;
    char character;
  };
  for (const Named& named :
       {Named{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}}) {
    if (entity == named.name) {
      text += named.character;
      return true;
    }
  }
  if (!entity.starts_with('#')) return false;
  entity.remove_prefix(1);
  const bool hex = entity.starts_with('x');
  if (hex) entity.remove_prefix(1);
  std::uint32_t code = 0;
  const char* const end = entity.data() + entity.size();
  const auto [stop, error] = std::from_chars(entity.data(), end, code, hex ? 16 : 10);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (error != std::errc{} || stop != end || code == 0 || code > 0x10ffff || surrogate)
    return false;
  append_utf8(code, text);
  return true;
}

/// `raw` with its entities replaced; those that are unknown stay as they stand.
std::string decoded(std::string_view raw) {
  std::string text;
  while (!raw.empty()) {
    const std::size_t mark = std::min(raw.find('&'), raw.size());
    text.append(raw.substr(0, mark));
    raw.remove_prefix(mark);
    if (raw.empty()) break;
    constexpr std::size_t kLongest = 12;
    const std::size_t end = raw.substr(0, kLongest).find(';');
    if (end != std::string_view::npos && append_entity(raw.substr(1, end - 1), text)) {
      raw.remove_prefix(end + 1);
    } else {
      text += '&';
      raw.remove_prefix(1);
    }
  }
  return text;
}

}  // namespace

void XmlScanner::refuse(std::string_view what) const {
  fail(file_, "damaged workbook: ", what, "; save it again, or as CSV");
}

void XmlScanner::pass(std::string_view mark) {
  const std::size_t end = left_.find(mark);
  if (end == std::string_view::npos) refuse("its XML ends too early");
  left_.remove_prefix(end + mark.size());
}

XmlScanner::Event XmlScanner::next() {
  if (empty_element_) {
    empty_element_ = false;
    return Event::end;
  }
  for (;;) {
    if (left_.empty()) return Event::done;
    if (left_.front() != '<') {
      const std::size_t end = std::min(left_.find('<'), left_.size());
      text_ = decoded(left_.substr(0, end));
      left_.remove_prefix(end);
      return Event::text;
    }
    if (left_.starts_with("<![CDATA[")) {
      left_.remove_prefix(9);
      const std::string_view start = left_;
      pass("]]>");
      text_ = std::string(start.substr(0, start.size() - left_.size() - 3));
      return Event::text;
    }
    if (left_.starts_with("<!--")) {
      pass("-->");
    } else if (left_.starts_with("<?")) {
      pass("?>");
    } else if (left_.starts_with("<!")) {
      refuse("its XML declares a document type");
    } else {
      break;
    }
  }
  std::string_view tag = left_.substr(1);
  pass(">");
  tag = tag.substr(0, tag.size() - left_.size() - 1);
  const bool closing = tag.starts_with('/');
  if (closing) tag.remove_prefix(1);
  empty_element_ = !closing && tag.ends_with('/');
  if (empty_element_) tag.remove_suffix(1);
  const std::size_t end = std::min(tag.find_first_of(kBlanks), tag.size());
  name_ = without_prefix(tag.substr(0, end));
  attributes_ = tag.substr(end);
  return closing ? Event::end : Event::start;
}

std::string XmlScanner::attribute(std::string_view name) const {
  std::string_view left = attributes_;
  for (;;) {
    left.remove_prefix(std::min(left.find_first_not_of(kBlanks), left.size()));
    const std::size_t equals = left.find('=');
    if (equals == std::string_view::npos) return {};
    std::string_view key = left.substr(0, equals);
    key = key.substr(0, std::min(key.find_last_not_of(kBlanks) + 1, key.size()));
    left.remove_prefix(equals + 1);
    left.remove_prefix(std::min(left.find_first_not_of(kBlanks), left.size()));
    if (left.empty() || (left.front() != '"' && left.front() != '\'')) return {};
    const std::size_t end = left.find(left.front(), 1);
    if (end == std::string_view::npos) return {};
    if (without_prefix(key) == name) return decoded(left.substr(1, end - 1));
    left.remove_prefix(end + 1);
  }
}

void XmlScanner::skip_element() {
  for (int depth = 1; depth > 0;) {
    const Event event = next();
    if (event == Event::done) refuse("its XML ends too early");
    if (event == Event::start) ++depth;
    if (event == Event::end) --depth;
  }
}

std::string XmlScanner::element_text() {
  std::string all;
  for (int depth = 1; depth > 0;) {
    const Event event = next();
    if (event == Event::done) refuse("its XML ends too early");
    if (event == Event::start) ++depth;
    if (event == Event::end) --depth;
    if (event == Event::text) all += text_;
  }
  return all;
}

}  // namespace nw::io
