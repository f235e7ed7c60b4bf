#include "io/csv_records.hpp"

#include <algorithm>
#include <utility>

#include "io/csv_heading.hpp"
#include "io/failure.hpp"
#include "io/number.hpp"

namespace nw::io {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Text of a cell: blanks around it and the quotes of a quoted one removed.
std::string cell_text(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.size() < 2 || cell.front() != '"' || cell.back() != '"') return std::string(cell);
  cell = cell.substr(1, cell.size() - 2);
  std::string text;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    text += cell[i];
    if (cell[i] == '"' && i + 1 < cell.size() && cell[i + 1] == '"') ++i;
  }
  return text;
}

bool is_number(std::string_view text) {
  const ParsedNumber number = parse_number(text.data(), text.data() + text.size());
  return number.status != NumberStatus::not_a_number && number.end == text.data() + text.size();
}

using Cells = std::vector<std::string>;

/// Digits, one comma, digits.
bool has_decimal_comma(std::string_view cell) {
  if (!cell.empty() && (cell.front() == '-' || cell.front() == '+')) cell.remove_prefix(1);
  const std::size_t comma = cell.find(',');
  return comma != std::string_view::npos && comma > 0 && comma + 1 < cell.size() &&
         cell.find_first_not_of("0123456789,") == std::string_view::npos &&
         cell.find(',', comma + 1) == std::string_view::npos;
}

char find_decimal(const std::vector<Cells>& records) {
  bool commas = false;
  for (const Cells& record : records) {
    for (const std::string& cell : record) {
      if (cell.find('.') != std::string::npos && is_number(cell)) return '.';
      if (!has_decimal_comma(cell)) continue;
      // 1,000 may be a thousand; 1,5 and 0,125 cannot.
      const std::size_t behind = cell.size() - cell.find(',') - 1;
      commas = commas || behind != 3 || cell.front() == '0' || cell.starts_with("-0");
    }
  }
  return commas ? ',' : '.';
}

/// Some programs write 'age' where others write "age".
Cells without_single_quotes(Cells names) {
  const auto quoted = [](const std::string& name) {
    return name.size() > 2 && name.front() == '\'' && name.back() == '\'';
  };
  if (!std::ranges::all_of(names, quoted)) return names;
  for (std::string& name : names) name = name.substr(1, name.size() - 2);
  return names;
}

std::size_t newlines(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

}  // namespace

std::size_t whole_records(std::string_view text) {
  if (text.find('"') == std::string_view::npos) return text.rfind('\n') + 1;  // npos + 1 == 0
  std::size_t result = 0, at = 0;
  for (;;) {
    const std::size_t open = text.find('"', at);
    const std::size_t newline = text.substr(at, open - at).rfind('\n');
    if (newline != std::string_view::npos) result = at + newline + 1;
    if (open == std::string_view::npos) return result;
    const std::size_t close = text.find('"', open + 1);
    if (close == std::string_view::npos) return result;
    at = close + 1;
  }
}

std::size_t first_record(std::string_view text) {
  std::size_t at = 0;
  for (;;) {
    const std::size_t newline = text.find('\n', at);
    if (newline == std::string_view::npos) return text.size();
    std::size_t open = text.substr(at, newline - at).find('"');
    if (open == std::string_view::npos) return newline + 1;
    open += at;
    const std::size_t close = text.find('"', open + 1);
    if (close == std::string_view::npos) return text.size();
    at = close + 1;
  }
}

std::vector<std::string> split_record(std::string_view record, char delimiter) {
  std::vector<std::string> cells;
  record =
      delimiter == '\t' ? record.substr(0, record.find_last_not_of("\r\n") + 1) : trimmed(record);
  bool in_quotes = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < record.size(); ++i) {
    if (record[i] == '"') in_quotes = !in_quotes;
    const bool ends =
        !in_quotes && (delimiter == kBlanks ? is_blank(record[i]) : record[i] == delimiter);
    if (!ends) continue;
    cells.push_back(cell_text(record.substr(begin, i - begin)));
    while (delimiter == kBlanks && is_blank(record[i + 1])) ++i;  // trimmed: a cell follows
    begin = i + 1;
  }
  cells.push_back(cell_text(record.substr(begin)));
  // A delimiter at the end of a line closes the last cell rather than opening an empty one.
  if (cells.size() > 1 && cells.back().empty()) cells.pop_back();
  return cells;
}

std::vector<std::string_view> first_records(std::string_view text, std::size_t count) {
  std::vector<std::string_view> records;
  while (!text.empty() && records.size() < count) {
    const std::string_view record = text.substr(0, first_record(text));
    text.remove_prefix(record.size());
    if (!trimmed(record).empty()) records.push_back(record);
  }
  return records;
}

Preamble preamble(std::string_view text) {
  Preamble found;
  if (text.starts_with(kByteOrderMark)) found.bytes = kByteOrderMark.size();
  while (found.bytes < text.size()) {
    const std::string_view rest = text.substr(found.bytes);
    const std::string_view line = rest.substr(0, rest.find('\n'));
    const std::string_view content = trimmed(line);
    const bool separator =
        (content.size() == 5 && content.starts_with("sep=")) || content == "sep=";  // sep=<tab>
    if (separator && found.delimiter == '\0') {
      found.delimiter = content.size() == 5 ? content.back() : '\t';
    } else if (!content.empty() && content.front() != '#') {
      break;
    }
    const bool ended = line.size() < rest.size();
    found.bytes += line.size() + (ended ? 1 : 0);
    found.lines += ended ? 1 : 0;
  }
  return found;
}

Dialect find_dialect(std::string_view start, const LoadOptions& options, const std::string& file) {
  std::vector<std::string_view> texts = first_records(start, kLookedAtRecords);
  if (texts.empty()) fail(file, "has no rows; give a table with one point per line");
  const TableStart table = find_table_start(texts, options.delimiter);
  Dialect dialect;
  dialect.delimiter = table.delimiter;
  for (std::size_t i = 0; i < table.above; ++i) dialect.above.emplace_back(trimmed(texts[i]));
  texts.erase(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(table.above));
  std::vector<Cells> records;
  for (const std::string_view text : texts)
    records.push_back(split_record(text, dialect.delimiter));
  Cells first = std::move(records.front());
  records.erase(records.begin());
  const bool rows_have_names = table.rows_have_names && options.header != Header::absent;
  if (rows_have_names) first.insert(first.begin(), std::string());
  dialect.nameless_first = rows_have_names;
  dialect.columns = first.size();
  const bool has_header =
      rows_have_names || options.header == Header::present ||
      (options.header == Header::automatic && looks_like_header(first, records));
  if (has_header && records.empty()) {
    fail(file, "has a header (", shown(trimmed(texts.front())),
         ") but no rows; add one row per point");
  }
  if (has_header) {
    dialect.names = without_single_quotes(std::move(first));
  } else {
    records.insert(records.begin(), std::move(first));
  }
  const char* const rows = texts[has_header ? 1 : 0].data();
  if (has_header || table.above > 0) {
    dialect.header.bytes = static_cast<std::size_t>(rows - start.data());
    dialect.header.lines = newlines(start.substr(0, dialect.header.bytes));
  }
  if (dialect.delimiter != ',') dialect.decimal = find_decimal(records);
  return dialect;
}

void require_text(std::string_view start, const std::string& file) {
  constexpr std::size_t kFirstBytes = 1 << 16;
  for (std::size_t i = 0; i < std::min(start.size(), kFirstBytes); ++i) {
    const auto byte = static_cast<unsigned char>(start[i]);
    const bool control = byte < 0x20 && !is_blank(start[i]) && byte != '\f' && byte != '\v';
    if (!control) continue;
    fail(file, "is not a text table: byte ", hex_byte(byte), " at offset ", i,
         "; nw reads CSV, TSV, NPY, NPZ, idx, PNG and JPEG");
  }
}

}  // namespace nw::io
