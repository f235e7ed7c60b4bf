#include "io/csv_records.hpp"

#include <algorithm>
#include <array>
#include <utility>

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

constexpr std::array<char, 4> kDelimiters = {',', '\t', ';', '|'};

/// How many records decide what a table looks like.
constexpr std::size_t kLookedAt = 50;

std::size_t count_outside_quotes(std::string_view record, char wanted) {
  std::size_t count = 0;
  bool in_quotes = false;
  for (const char c : record) {
    if (c == '"') in_quotes = !in_quotes;
    count += c == wanted && !in_quotes;
  }
  return count;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Every comma of the record stands between two digits, as decimal commas do.
bool commas_are_between_digits(std::string_view record) {
  for (std::size_t i = record.find(','); i != std::string_view::npos; i = record.find(',', i + 1)) {
    if (i == 0 || i + 1 == record.size() || !is_digit(record[i - 1]) || !is_digit(record[i + 1]))
      return false;
  }
  return true;
}

/// The most frequent candidate of the first record. A comma gives way to a candidate that occurs
/// equally often in every record when all commas can be decimal ones.
char find_delimiter(const std::vector<std::string_view>& records) {
  std::array<std::size_t, kDelimiters.size()> counts{};
  for (std::size_t k = 0; k < kDelimiters.size(); ++k)
    counts[k] = count_outside_quotes(records.front(), kDelimiters[k]);
  const auto most = std::ranges::max_element(counts);
  if (*most == 0) {
    const std::string_view first = trimmed(records.front());
    const bool has_blanks = first.find(' ') != std::string_view::npos;
    return has_blanks && first.find('"') == std::string_view::npos ? kBlanks : ',';
  }
  const auto chosen = static_cast<std::size_t>(most - counts.begin());
  if (kDelimiters[chosen] != ',' || !std::ranges::all_of(records, commas_are_between_digits))
    return kDelimiters[chosen];
  for (std::size_t k = 1; k < kDelimiters.size(); ++k) {
    const auto as_often = [&](std::string_view record) {
      return count_outside_quotes(record, kDelimiters[k]) == counts[k];
    };
    if (counts[k] > 0 && std::ranges::all_of(records, as_often)) return kDelimiters[k];
  }
  return ',';
}

/// nan and inf count as numbers: they must not turn a row into a header.
bool is_number(std::string_view text) {
  const ParsedNumber number = parse_number(text.data(), text.data() + text.size());
  return number.status != NumberStatus::not_a_number && number.end == text.data() + text.size();
}

/// A number, date, time, percentage or amount: made of digits and the marks of these.
bool is_value(std::string_view cell) {
  for (const std::string_view sign : {"$", "\xe2\x82\xac", "\xc2\xa3", "\xa3", "\xc2\xa5"}) {
    if (cell.starts_with(sign)) cell.remove_prefix(sign.size());
    if (cell.ends_with(sign)) cell.remove_suffix(sign.size());
  }
  if (is_number(cell)) return true;
  const bool marks_only = cell.find_first_not_of("0123456789.,-/:+ TZ'%") == std::string_view::npos;
  return marks_only && std::ranges::any_of(cell, is_digit);
}

using Cells = std::vector<std::string>;

/// Among columns of text alone, names stand out because they never occur again while values do.
bool never_repeated(const Cells& first, const std::vector<Cells>& rest) {
  constexpr std::size_t kEnough = 5;
  if (rest.size() < kEnough) return false;
  bool repeats = false;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i].empty() || std::ranges::count(first, first[i]) > 1) return false;
    std::vector<std::string_view> seen;
    for (const Cells& record : rest) {
      if (i >= record.size()) continue;
      if (record[i] == first[i]) return false;
      seen.push_back(record[i]);
    }
    std::ranges::sort(seen);
    repeats = repeats || std::ranges::adjacent_find(seen) != seen.end();
  }
  return repeats;
}

bool looks_like_header(const Cells& first, const std::vector<Cells>& rest) {
  if (std::ranges::any_of(first, is_value)) return false;
  if (rest.empty())
    return std::ranges::any_of(first, [](const auto& cell) { return !cell.empty(); });
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto value_below = [&](const Cells& record) {
      return i < record.size() && is_value(record[i]);
    };
    if (!first[i].empty() && std::ranges::any_of(rest, value_below)) return true;
  }
  return never_repeated(first, rest);
}

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
  std::vector<std::string_view> texts = first_records(start, kLookedAt);
  if (texts.empty()) fail(file, "has no rows; give a table with one point per line");
  Dialect dialect;
  dialect.delimiter = options.delimiter != '\0' ? options.delimiter : find_delimiter(texts);
  std::vector<Cells> records;
  for (const std::string_view text : texts)
    records.push_back(split_record(text, dialect.delimiter));
  const Cells first = std::move(records.front());
  records.erase(records.begin());
  dialect.columns = first.size();
  const bool has_header =
      options.header == Header::present ||
      (options.header == Header::automatic && looks_like_header(first, records));
  if (has_header && records.empty()) {
    fail(file, "has a header (", shown(trimmed(texts.front())),
         ") but no rows; add one row per point");
  }
  if (has_header) {
    dialect.names = first;
    dialect.header.bytes = static_cast<std::size_t>(texts[1].data() - start.data());
    dialect.header.lines = newlines(start.substr(0, dialect.header.bytes));
  } else {
    records.insert(records.begin(), first);
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
