// Samples of rows as bytes, for processes of the same program.
#include <cstring>
#include <type_traits>
#include <utility>

#include "nw/base/error.hpp"

#include "table/row_sample.hpp"

namespace nw::table {
namespace {

/// Puts values behind each other.
class Writer {
 public:
  template <typename Number>
  void number(Number value) {
    static_assert(std::is_arithmetic_v<Number>);
    array(std::span(&value, 1));
  }
  void text(const std::string& value) { list(std::span(value.data(), value.size())); }
  template <typename Number>
  void list(std::span<Number> values) {
    number(static_cast<std::uint64_t>(values.size()));
    array(values);
  }
  void texts(const std::vector<std::string>& values) {
    number(static_cast<std::uint64_t>(values.size()));
    for (const std::string& value : values) text(value);
  }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  template <typename Number>
  void array(std::span<Number> values) {
    const auto bytes = std::as_bytes(values);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  std::vector<std::byte> bytes_;
};

/// Takes them out in the same order.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <typename Number>
  Number number() {
    Number value{};
    array(&value, 1);
    return value;
  }
  template <typename List>
  List list() {
    List values;
    values.resize(size());
    array(values.data(), values.size());
    return values;
  }
  std::vector<std::string> texts() {
    std::vector<std::string> values(size());
    for (std::string& value : values) value = list<std::string>();
    return values;
  }
  std::size_t size() { return static_cast<std::size_t>(number<std::uint64_t>()); }

 private:
  template <typename Number>
  void array(Number* values, std::size_t count) {
    require(count <= bytes_.size() / sizeof(Number), "RowSample::from_bytes: cut short");
    if (count > 0) std::memcpy(values, bytes_.data(), count * sizeof(Number));
    bytes_ = bytes_.subspan(count * sizeof(Number));
  }
  std::span<const std::byte> bytes_;
};

}  // namespace

std::vector<std::byte> RowSample::to_bytes() const {
  Writer out;
  out.number(static_cast<std::uint64_t>(file_));
  out.number(static_cast<std::uint64_t>(rows_read_));
  out.list(std::span(draw_));
  const std::vector<std::uint8_t> counters(counters_.begin(), counters_.end());
  out.list(std::span(counters));
  out.text(table_.source);
  out.number(static_cast<std::uint64_t>(table_.rows));
  out.number(static_cast<std::uint8_t>(table_.has_names));
  out.texts(table_.notes);
  out.number(static_cast<std::uint64_t>(table_.columns.size()));
  for (const io::RawColumn& column : table_.columns) {
    out.text(column.name);
    out.number(static_cast<std::uint8_t>(column.kind));
    out.list(std::span(column.numbers));
    out.number(static_cast<std::uint8_t>(column.inexact));
    out.texts(column.levels);
    out.list(std::span(column.codes));
    out.number(static_cast<std::uint64_t>(column.missing));
  }
  return out.take();
}

RowSample RowSample::from_bytes(std::span<const std::byte> bytes, std::size_t most_cells) {
  Reader in(bytes);
  RowSample sample(most_cells, in.size());
  sample.rows_read_ = in.size();
  sample.draw_ = in.list<std::vector<std::uint64_t>>();
  const auto counters = in.list<std::vector<std::uint8_t>>();
  sample.counters_.assign(counters.begin(), counters.end());
  io::RawTable& table = sample.table_;
  table.source = in.list<std::string>();
  table.rows = in.size();
  table.has_names = in.number<std::uint8_t>() != 0;
  table.notes = in.texts();
  table.columns.resize(in.size());
  for (io::RawColumn& column : table.columns) {
    column.name = in.list<std::string>();
    column.kind = static_cast<io::CellKind>(in.number<std::uint8_t>());
    column.numbers = in.list<std::vector<double>>();
    column.inexact = in.number<std::uint8_t>() != 0;
    column.levels = in.texts();
    column.codes = in.list<std::vector<std::uint32_t>>();
    column.missing = in.size();
  }
  return sample;
}

}  // namespace nw::table
