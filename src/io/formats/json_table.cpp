// Tables in JSON: an array of objects, an array of arrays, or objects one after the other (JSON
// lines). Read in one pass by the JSON library's event interface, so that memory holds the columns
// and one block of text.
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <nlohmann/json.hpp>

#include "io/failure.hpp"
#include "io/formats/cell_column.hpp"
#include "io/formats/left_out.hpp"
#include "io/formats/read_table.hpp"

namespace nw::io {
namespace {

constexpr std::size_t kDeepest = 64;
constexpr double kExact = 9007199254740992.0;  // 2^53

/// The characters of a stream, one block at a time.
class Characters {
 public:
  Characters(ByteStream& stream, const LoadOptions& options) : stream_(stream), options_(options) {}

  /// The next character, or -1 at the end.
  [[nodiscard]] int peek() {
    if (at_ == end_) refill();
    return at_ == end_ ? -1 : static_cast<unsigned char>(block_[at_]);
  }
  void skip() {
    if (block_[at_] == '\n') ++line_;
    ++at_;
  }
  void skip_blanks() {
    for (int c = peek(); c == ' ' || c == '\t' || c == '\r' || c == '\n'; c = peek()) skip();
  }
  [[nodiscard]] std::size_t line() const noexcept { return line_; }
  [[nodiscard]] const std::string& name() const noexcept { return stream_.name(); }

 private:
  void refill() {
    end_ = stream_.read(block_.data(), block_.size());
    at_ = 0;
    if (stream_.packed() && stream_.position() > options_.max_unpacked_bytes) {
      fail(stream_.name(), "unpacks to more than ", options_.max_unpacked_bytes, " bytes");
    }
  }

  ByteStream& stream_;
  const LoadOptions& options_;
  std::array<char, 1 << 16> block_{};
  std::size_t at_ = 0, end_ = 0, line_ = 1;
};

/// An input iterator over Characters, as the JSON library wants one; the default is the end.
class CharacterIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  CharacterIterator() = default;
  explicit CharacterIterator(Characters& characters) : characters_(&characters) {}

  char operator*() const { return static_cast<char>(characters_->peek()); }
  CharacterIterator& operator++() {
    characters_->skip();
    return *this;
  }
  CharacterIterator operator++(int) {
    const CharacterIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CharacterIterator& a, const CharacterIterator& b) {
    return a.ended() == b.ended();
  }
  friend bool operator!=(const CharacterIterator& a, const CharacterIterator& b) {
    return !(a == b);
  }

 private:
  [[nodiscard]] bool ended() const { return characters_ == nullptr || characters_->peek() < 0; }

  Characters* characters_ = nullptr;
};

/// Turns the events of JSON values into rows.
class RowCollector final : public nlohmann::json_sax<nlohmann::json> {
 public:
  RowCollector(Characters& text, const LoadOptions& options) : text_(text), options_(options) {}

  bool null() override {
    if (skipping_ == 0) cell().add_missing();
    return true;
  }
  bool boolean(bool value) override {
    if (skipping_ == 0) cell().add_boolean(value);
    return true;
  }
  bool number_integer(number_integer_t value) override {
    const auto number = static_cast<double>(value);
    if (skipping_ == 0) cell().add_integer(number, std::abs(number) < kExact);
    return true;
  }
  bool number_unsigned(number_unsigned_t value) override {
    const auto number = static_cast<double>(value);
    if (skipping_ == 0) cell().add_integer(number, number < kExact);
    return true;
  }
  bool number_float(number_float_t value, const string_t&) override {
    if (skipping_ == 0) cell().add_number(value);
    return true;
  }
  bool string(string_t& value) override {
    if (skipping_ == 0) cell().add_text(value);
    return true;
  }
  bool binary(binary_t&) override { return true; }
  bool key(string_t& name) override {
    if (skipping_ == 0) next_ = column_called(name);
    return true;
  }
  bool start_object(std::size_t) override { return open(/*object=*/true); }
  bool start_array(std::size_t) override { return open(/*object=*/false); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string& token,
                   const nlohmann::detail::exception&) override {
    if (text_.peek() < 0) fail(text_.name(), "line ", text_.line(), " ends too early");
    const bool not_finite = token.ends_with('N') || token.ends_with('I');
    fail(text_.name(), "line ", text_.line(), " is not JSON near ", shown(token),
         not_finite ? "; JSON has no NaN and no Infinity, write null" : "");
  }

  [[nodiscard]] bool saw_array() const noexcept { return outer_array_; }
  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  [[nodiscard]] RawTable finish();

 private:
  struct Column {
    std::string name;
    CellColumn cells;
    bool nested = false;
  };

  bool open(bool object) {
    if (++depth_ > kDeepest) {
      fail(text_.name(), "line ", text_.line(), ": nested deeper than ", kDeepest);
    }
    if (skipping_ > 0) {
      ++skipping_;
    } else if (in_row_) {
      Column& column = columns_[take_next()];
      column.nested = true;
      add_once(column).add_missing();
      skipping_ = 1;
    } else if (!object && depth_ == 1) {
      outer_array_ = true;
    } else {
      begin_row(object);
    }
    return true;
  }
  bool close() {
    --depth_;
    if (skipping_ > 0) {
      --skipping_;
    } else if (in_row_) {
      end_row();
    }
    return true;
  }

  void begin_row(bool object) {
    if (rows_ == 0) {
      named_ = object;
    } else if (named_ != object) {
      fail(text_.name(), "line ", text_.line(), ": row ", rows_ + 1, " is an ",
           object ? "object" : "array", " where the rows before it are ",
           object ? "arrays" : "objects");
    }
    in_row_ = true;
    next_ = 0;
  }
  void end_row() {
    in_row_ = false;
    ++rows_;
    require_table_fits(rows_, columns_.size(), options_, text_.name());
  }

  /// Keys mostly come in the order of the row before.
  std::size_t column_called(const std::string& name) {
    if (next_ < columns_.size() && columns_[next_].name == name) return next_;
    const auto [place, is_new] = by_name_.try_emplace(name, columns_.size());
    if (is_new) {
      columns_.push_back({.name = name, .cells = {}});
      require_table_fits(rows_ + 1, columns_.size(), options_, text_.name());
    }
    return place->second;
  }

  /// The column of the next value of the row.
  std::size_t take_next() {
    if (!named_ && next_ == columns_.size()) {
      columns_.emplace_back();
      require_table_fits(rows_ + 1, columns_.size(), options_, text_.name());
    }
    return next_++;
  }

  CellColumn& add_once(Column& column) {
    if (column.cells.size() > rows_) {
      fail(text_.name(), "line ", text_.line(), ": row ", rows_ + 1, " has the name ",
           shown(column.name), " twice");
    }
    column.cells.pad_to(rows_);
    return column.cells;
  }

  CellColumn& cell() {
    if (!in_row_) {
      fail(text_.name(), "line ", text_.line(), ": a single value where a row is expected; ",
           "nw reads an array of objects, or an object on every line");
    }
    return add_once(columns_[take_next()]);
  }

  Characters& text_;
  const LoadOptions& options_;
  std::vector<Column> columns_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::size_t rows_ = 0, depth_ = 0, skipping_ = 0, next_ = 0;
  bool in_row_ = false, named_ = false, outer_array_ = false;
};

RawTable RowCollector::finish() {
  RawTable table{
      .source = text_.name(), .rows = rows_, .columns = {}, .has_names = named_, .notes = {}};
  LeftOut left_out;
  for (Column& column : columns_) {
    column.cells.pad_to(rows_);
    if (column.nested) {
      left_out.nested.push_back(column.name);
    } else {
      table.columns.push_back(column.cells.finish(std::move(column.name)));
    }
  }
  if (rows_ == 0) fail(text_.name(), "holds no rows");
  if (table.columns.empty()) {
    fail(text_.name(), "holds no column of single values",
         rows_ == 1 ? "; save it as an array of objects, one for each row (pandas: "
                      "to_json(orient=\"records\"))"
                    : "; flatten its objects first");
  }
  left_out.note_in(table);
  return table;
}

}  // namespace

RawTable read_raw_json(ByteStream& stream, const LoadOptions& options) {
  const auto text = std::make_unique<Characters>(stream, options);
  RowCollector rows(*text, options);
  for (text->skip_blanks(); text->peek() >= 0; text->skip_blanks()) {
    if (rows.saw_array()) fail(text->name(), "line ", text->line(), ": text after the array");
    // A missing bracket at the end of the file is an error of the parser: it throws.
    nlohmann::json::sax_parse(CharacterIterator(*text), CharacterIterator(), &rows,
                              nlohmann::json::input_format_t::json, /*strict=*/false);
  }
  return rows.finish();
}

}  // namespace nw::io
