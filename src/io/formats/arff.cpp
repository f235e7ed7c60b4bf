// Weka's attribute-relation files: a header of @attribute lines, then comma-separated rows. Grammar
// of the Weka manual, "ARFF": names and values may stand in single or double quotes with backslash
// escapes, `?` is a missing value, `%` starts a comment. Rows in sparse form are refused.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <unordered_set>
#include <vector>

#include "io/failure.hpp"
#include "io/formats/cell_column.hpp"
#include "io/formats/read_table.hpp"
#include "io/number.hpp"
#include "io/recognise.hpp"

namespace nw::io {
namespace {

constexpr std::size_t kLongestLine = std::size_t{64} << 20;
constexpr std::size_t kMostAttributes = 100'000;

/// The lines of a stream, without their ends.
class Lines {
 public:
  Lines(ByteStream& stream, const LoadOptions& options) : stream_(stream), options_(options) {}

  /// False at the end. `line` is valid until the next call.
  bool next(std::string_view& line) {
    for (;;) {
      const std::size_t end = buffer_.find('\n', searched_);
      if (end != std::string::npos) return take(line, end, end + 1);
      searched_ = buffer_.size();
      if (ended_) return start_ < buffer_.size() && take(line, buffer_.size(), buffer_.size());
      refill();
    }
  }
  [[nodiscard]] std::size_t number() const noexcept { return number_; }

 private:
  bool take(std::string_view& line, std::size_t end, std::size_t next) {
    line = std::string_view(buffer_).substr(start_, end - start_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    start_ = searched_ = next;
    ++number_;
    return true;
  }
  void refill() {
    constexpr std::size_t kBlock = 1 << 16;
    buffer_.erase(0, start_);
    start_ = 0;
    searched_ = buffer_.size();
    if (buffer_.size() > kLongestLine) {
      fail(stream_.name(), "line ", number_ + 1, " is longer than ", kLongestLine, " bytes");
    }
    buffer_.resize(searched_ + kBlock);
    const std::size_t got = stream_.read(buffer_.data() + searched_, kBlock);
    buffer_.resize(searched_ + got);
    ended_ = got < kBlock;
    if (stream_.packed() && stream_.position() > options_.max_unpacked_bytes) {
      fail(stream_.name(), "unpacks to more than ", options_.max_unpacked_bytes, " bytes");
    }
  }

  ByteStream& stream_;
  const LoadOptions& options_;
  std::string buffer_;
  std::size_t start_ = 0, searched_ = 0, number_ = 0;
  bool ended_ = false;
};

struct Attribute {
  enum class Kind { number, nominal, text } kind = Kind::text;
  std::string name;
  std::unordered_set<std::string> values;  ///< of a nominal attribute
  CellColumn cells;
};

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// One line of values or of a declaration, taken apart from the left.
class Scanner {
 public:
  Scanner(std::string_view text, const std::string& file, std::size_t line)
      : left_(text), file_(file), line_(line) {}

  void skip_blanks() {
    while (!left_.empty() && is_blank(left_.front())) left_.remove_prefix(1);
  }
  [[nodiscard]] bool ended() const noexcept { return left_.empty(); }
  [[nodiscard]] char front() const noexcept { return left_.empty() ? '\0' : left_.front(); }
  [[nodiscard]] std::string_view rest() const noexcept { return left_; }
  void skip() { left_.remove_prefix(1); }
  /// Whether the last value stood in quotes.
  [[nodiscard]] bool quoted() const noexcept { return quoted_; }

  /// A value in quotes, or all up to one of `stops`, trimmed.
  std::string_view value(std::string_view stops) {
    skip_blanks();
    quoted_ = front() == '\'' || front() == '"';
    if (quoted_) return quoted_value();
    const std::size_t end = std::min(left_.find_first_of(stops), left_.size());
    const std::string_view found = trimmed(left_.substr(0, end));
    left_.remove_prefix(end);
    return found;
  }

  [[noreturn]] void refuse(std::string_view what) const { fail(file_, "line ", line_, ": ", what); }

 private:
  std::string_view quoted_value() {
    const char quote = front();
    text_.clear();
    std::size_t at = 1;
    for (; at < left_.size() && left_[at] != quote; ++at) {
      if (left_[at] == '\\' && at + 1 < left_.size()) {
        const char escaped = left_[++at];
        text_ += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped == 'r' ? '\r' : escaped;
      } else {
        text_ += left_[at];
      }
    }
    if (at >= left_.size()) refuse("a quote is not closed");
    left_.remove_prefix(at + 1);
    skip_blanks();
    return text_;
  }

  std::string_view left_;
  const std::string& file_;
  std::size_t line_;
  std::string text_;
  bool quoted_ = false;
};

void read_nominal_values(Scanner& scanner, Attribute& attribute) {
  attribute.kind = Attribute::Kind::nominal;
  scanner.skip();
  for (;;) {
    attribute.values.emplace(scanner.value(",}"));
    scanner.skip_blanks();
    if (scanner.front() == '}') return;
    if (scanner.front() != ',') scanner.refuse("the list of values of an attribute has no end");
    scanner.skip();
  }
}

Attribute read_attribute(Scanner& scanner) {
  Attribute attribute;
  attribute.name = std::string(scanner.value(" \t{"));
  if (attribute.name.empty()) scanner.refuse("an attribute has no name");
  scanner.skip_blanks();
  if (scanner.front() == '{') {
    read_nominal_values(scanner, attribute);
    return attribute;
  }
  const std::string type = plain_name(scanner.value(" \t"));
  if (type == "numeric" || type == "real" || type == "integer") {
    attribute.kind = Attribute::Kind::number;
  } else if (type == "relational") {
    scanner.refuse("attribute " + shown(attribute.name) +
                   " is relational; nw reads flat tables: save it as CSV");
  } else if (type != "string" && type != "date") {
    scanner.refuse("attribute " + shown(attribute.name) + " has the unknown type " + shown(type));
  }
  return attribute;
}

void add_cell(Attribute& attribute, std::string_view value, const Scanner& scanner) {
  if (value == "?" && !scanner.quoted()) return attribute.cells.add_missing();
  if (attribute.kind == Attribute::Kind::text) return attribute.cells.add_text(value);
  if (attribute.kind == Attribute::Kind::nominal) {
    if (!attribute.values.contains(std::string(value))) {
      scanner.refuse(shown(value) + " is not among the values of attribute " +
                     shown(attribute.name));
    }
    return attribute.cells.add_text(value);
  }
  const ParsedNumber number = parse_number(value.data(), value.data() + value.size());
  const bool whole_text = number.end == value.data() + value.size() && !value.empty();
  if (!whole_text || number.status == NumberStatus::not_a_number) {
    scanner.refuse(shown(value) + " in attribute " + shown(attribute.name) + " is not a number");
  }
  if (number.status == NumberStatus::too_large) {
    scanner.refuse(shown(value) + " is beyond the range of a double");
  }
  const bool integer = value.find_first_of(".eEnNiI") == std::string_view::npos;
  if (!integer) return attribute.cells.add_number(number.value);
  attribute.cells.add_integer(number.value, std::abs(number.value) < 9007199254740992.0);
}

void read_row(Scanner& scanner, std::vector<Attribute>& attributes) {
  if (scanner.front() == '{') {
    scanner.refuse("a row in sparse form; save it in dense form (Weka: SparseToNonSparse)");
  }
  for (std::size_t j = 0; j < attributes.size(); ++j) {
    const std::string_view value = scanner.value(",");
    if (value.empty() && !scanner.quoted()) {
      scanner.refuse(concat("value ", j + 1, " of ", attributes.size(), " is missing; write ?"));
    }
    add_cell(attributes[j], value, scanner);
    scanner.skip_blanks();
    const bool last = j + 1 == attributes.size();
    if (last ? !scanner.ended() && scanner.front() != '{' && scanner.front() != ','
             : scanner.front() != ',') {
      scanner.refuse(concat("expected a comma after value ", j + 1, " of ", attributes.size()));
    }
    if (!last) scanner.skip();
  }
  // A weight in braces may follow the values; anything else is a value too many.
  if (scanner.ended()) return;
  if (scanner.front() == ',') scanner.skip();
  scanner.skip_blanks();
  if (scanner.front() != '{') {
    scanner.refuse(concat("more than the ", attributes.size(), " values that were declared"));
  }
}

std::vector<Attribute> read_header(Lines& lines, const std::string& file) {
  std::vector<Attribute> attributes;
  std::string_view line;
  while (lines.next(line)) {
    if (lines.number() == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
    Scanner scanner(trimmed(line), file, lines.number());
    if (scanner.ended() || scanner.front() == '%') continue;
    const std::string word = plain_name(scanner.value(" \t"));
    if (word == "@data") return attributes;
    if (word == "@attribute") {
      attributes.push_back(read_attribute(scanner));
      if (attributes.size() > kMostAttributes) {
        scanner.refuse(concat("more than ", kMostAttributes, " attributes"));
      }
    } else if (word != "@relation") {
      scanner.refuse(shown(word) + " where @relation, @attribute or @data is expected");
    }
  }
  fail(file, "has no @data line; the file is cut off");
}

}  // namespace

RawTable read_raw_arff(ByteStream& stream, const LoadOptions& options) {
  Lines lines(stream, options);
  std::vector<Attribute> attributes = read_header(lines, stream.name());
  if (attributes.empty()) fail(stream.name(), "declares no attributes");
  RawTable table{.source = stream.name(), .rows = 0, .columns = {}, .has_names = true, .notes = {}};
  std::string_view line;
  while (lines.next(line)) {
    Scanner scanner(trimmed(line), stream.name(), lines.number());
    if (scanner.ended() || scanner.front() == '%') continue;
    read_row(scanner, attributes);
    ++table.rows;
  }
  if (table.rows == 0) fail(stream.name(), "holds no rows");
  for (Attribute& attribute : attributes) {
    table.columns.push_back(attribute.cells.finish(std::move(attribute.name)));
  }
  return table;
}

}  // namespace nw::io
