// Private: a plain scanner of XML, for the parts of workbooks: tags, attributes and text, no DTDs.
#pragma once

#include <string>
#include <string_view>

namespace nw::io {

class XmlScanner {
 public:
  enum class Event { start, end, text, done };

  /// `text` must outlive the scanner; `file` begins the messages of IoErrors.
  XmlScanner(std::string_view text, std::string file) : left_(text), file_(std::move(file)) {}

  /// The next tag or text. An element without content gives a start and an end.
  Event next();
  /// Of the last tag, without its namespace's prefix.
  [[nodiscard]] std::string_view name() const noexcept { return name_; }
  /// An attribute of the last start tag, without its namespace's prefix; empty where it is absent.
  [[nodiscard]] std::string attribute(std::string_view name) const;
  /// The last text, with entities replaced.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  /// Passes over all that the element just started holds.
  void skip_element();
  /// All text that the element just started holds, nested elements included.
  [[nodiscard]] std::string element_text();

 private:
  [[noreturn]] void refuse(std::string_view what) const;
  void pass(std::string_view mark);

  std::string_view left_;
  std::string file_;
  std::string_view name_, attributes_;
  std::string text_;
  bool empty_element_ = false;
};

}  // namespace nw::io
