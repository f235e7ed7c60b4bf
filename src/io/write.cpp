#include "nw/io/write.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "nw/io/atomic_file.hpp"

#include "io/npy_write.hpp"

namespace nw::io {
namespace {

std::string csv_cell(std::string_view text, char delimiter) {
  const bool plain = !text.empty() && text.find_first_of("\"\r\n") == std::string_view::npos &&
                     text.find(delimiter) == std::string_view::npos && text.front() != ' ' &&
                     text.back() != ' ' && text.front() != '#';
  if (plain) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

/// Writes cells with the delimiter between them.
class CsvLine {
 public:
  CsvLine(FileSink& sink, char delimiter) : sink_(sink), delimiter_(delimiter) {}

  void number(double value) {
    std::array<char, 32> text;
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
    raw({text.data(), static_cast<std::size_t>(end - text.data())});
  }
  void text(std::string_view value) { raw(csv_cell(value, delimiter_)); }
  void missing() { raw({}); }
  void end() {
    sink_.write("\n");
    first_ = true;
  }

 private:
  void raw(std::string_view cell) {
    if (!first_) sink_.write({&delimiter_, 1});
    sink_.write(cell);
    first_ = false;
  }

  FileSink& sink_;
  char delimiter_;
  bool first_ = true;
};

}  // namespace

void CsvOptions::validate() const {
  require(delimiter == ',' || delimiter == ';' || delimiter == '\t' || delimiter == '|',
          "CsvOptions.delimiter must be a comma, semicolon, tab or bar");
}

void write_csv(const std::filesystem::path& path, const MatrixView& values,
               const CsvOptions& options) {
  options.validate();
  require(options.column_names.empty() || options.column_names.size() == values.cols(),
          "CsvOptions.column_names has ", options.column_names.size(), " names for ", values.cols(),
          " columns");
  write_file_atomically(path, [&](FileSink& sink) {
    CsvLine line(sink, options.delimiter);
    for (const std::string& name : options.column_names) line.text(name);
    if (!options.column_names.empty()) line.end();
    for (std::size_t i = 0; i < values.rows(); ++i) {
      for (const double value : values.row(i)) line.number(value);
      line.end();
    }
  });
}

void write_csv(const std::filesystem::path& path, const PointSet& points) {
  const bool named = points.column_names.size() == points.dimension();
  write_file_atomically(path, [&](FileSink& sink) {
    CsvLine line(sink, CsvOptions{}.delimiter);
    for (std::size_t j = 0; j < points.dimension(); ++j) {
      line.text(named ? points.column_names[j] : concat("x", j + 1));
    }
    if (points.labels) line.text("label");
    if (!points.weights.empty()) line.text("weight");
    line.end();
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (const double value : points.values.row(i)) line.number(value);
      if (points.labels) line.text(points.labels->name_of(i));
      if (!points.weights.empty()) line.number(points.weights[i]);
      line.end();
    }
  });
}

void write_csv(const std::filesystem::path& path, const RawTable& table) {
  write_file_atomically(path, [&](FileSink& sink) {
    CsvLine line(sink, CsvOptions{}.delimiter);
    for (const RawColumn& column : table.columns) line.text(column.name);
    line.end();
    for (std::size_t i = 0; i < table.rows; ++i) {
      for (const RawColumn& column : table.columns) {
        const bool text = column.kind == CellKind::text;
        if (text ? column.codes[i] == RawColumn::kMissing : std::isnan(column.numbers[i])) {
          line.missing();
        } else if (text) {
          line.text(column.levels[column.codes[i]]);
        } else {
          line.number(column.numbers[i]);
        }
      }
      line.end();
    }
  });
}

void write_npy(const std::filesystem::path& path, const ArrayView& values) {
  write_file_atomically(path, [&](FileSink& sink) {
    sink.write(npy_header(values));
    sink.write(raw_bytes(values));
  });
}

std::string npy_bytes(const ArrayView& values) {
  return npy_header(values).append(raw_bytes(values));
}

}  // namespace nw::io
