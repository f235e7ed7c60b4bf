#include "nw/report/text_style.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

namespace nw::report {
namespace {

const char* code_of(Ink ink) {
  switch (ink) {
    case Ink::bold:
      return "\033[1m";
    case Ink::faint:
      return "\033[2m";
    case Ink::green:
      return "\033[1;32m";
    case Ink::orange:
      return "\033[1;33m";
    case Ink::blue:
      return "\033[1;34m";
    case Ink::violet:
      return "\033[1;35m";
    case Ink::plain:
      break;
  }
  return "";
}

/// Words of a text; "p = 0.03" and "26 %" stay together.
std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  std::string word;
  bool glue = false;
  while (stream >> word) {
    const bool sign = word == "=" || word == "<" || word == "≈" || word == "→";
    if (!words.empty() && (glue || sign || word.starts_with("%"))) {
      words.back() += " " + word;
    } else {
      words.push_back(word);
    }
    glue = sign;
  }
  return words;
}

}  // namespace

std::string TextStyle::in(Ink ink, const std::string& text) const {
  if (!colour || ink == Ink::plain || text.empty()) return text;
  return code_of(ink) + text + "\033[0m";
}

std::size_t columns_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  std::string out;
  // Leading blanks belong to the first line.
  const auto first = std::min(text.find_first_not_of(' '), text.size());
  out.append(first, ' ');
  std::size_t used = first;
  bool begins = true;
  for (const std::string& word : words_of(text)) {
    const std::size_t length = columns_of(word);
    if (!begins && used + 1 + length > width) {
      out += '\n' + std::string(indent, ' ');
      used = indent;
      begins = true;
    }
    if (!begins) out += ' ', ++used;
    out += word;
    used += length;
    begins = false;
  }
  return out;
}

std::string to_the_left(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, columns_of(text)), ' ');
}

std::string to_the_right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, columns_of(text)), ' ') + text;
}

}  // namespace nw::report
