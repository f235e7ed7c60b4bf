#include "io/csv_records.hpp"

#include <algorithm>
#include <array>
#include <optional>

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

char find_delimiter(std::string_view record) {
  constexpr std::array<char, 4> kCandidates = {',', '\t', ';', '|'};
  std::array<std::size_t, kCandidates.size()> counts{};
  bool in_quotes = false;
  for (const char c : record) {
    if (c == '"') in_quotes = !in_quotes;
    for (std::size_t k = 0; k < kCandidates.size() && !in_quotes; ++k)
      counts[k] += c == kCandidates[k];
  }
  const auto most = std::ranges::max_element(counts);
  if (*most > 0) return kCandidates[static_cast<std::size_t>(most - counts.begin())];
  const bool has_blanks = trimmed(record).find(' ') != std::string_view::npos;
  return has_blanks && record.find('"') == std::string_view::npos ? kBlanks : ',';
}

/// nan and inf count as numbers: they must not turn a row into a header.
bool is_number(std::string_view text) {
  const ParsedNumber number = parse_number(text.data(), text.data() + text.size());
  return number.status != NumberStatus::not_a_number && number.end == text.data() + text.size();
}

bool looks_like_header(const std::vector<std::string>& first,
                       const std::optional<std::vector<std::string>>& second) {
  if (std::ranges::any_of(first, is_number)) return false;
  if (!second) return std::ranges::any_of(first, [](const auto& cell) { return !cell.empty(); });
  for (std::size_t i = 0; i < std::min(first.size(), second->size()); ++i) {
    if (!first[i].empty() && is_number((*second)[i])) return true;
  }
  return false;
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

Extent preamble(std::string_view text) {
  Extent extent;
  if (text.starts_with(kByteOrderMark)) extent.bytes = kByteOrderMark.size();
  while (extent.bytes < text.size()) {
    const std::string_view rest = text.substr(extent.bytes);
    const std::string_view line = rest.substr(0, rest.find('\n'));
    const std::string_view content = trimmed(line);
    if (!content.empty() && content.front() != '#') break;
    const bool ended = line.size() < rest.size();
    extent.bytes += line.size() + (ended ? 1 : 0);
    extent.lines += ended ? 1 : 0;
  }
  return extent;
}

Dialect find_dialect(std::string_view start, const LoadOptions& options, const std::string& file) {
  if (start.empty()) fail(file, "has no rows; give a table with one point per line");
  const std::string_view first_text = start.substr(0, first_record(start));
  Dialect dialect;
  dialect.delimiter = options.delimiter != '\0' ? options.delimiter : find_delimiter(first_text);
  const std::vector<std::string> first = split_record(first_text, dialect.delimiter);
  dialect.columns = first.size();

  Extent header{first_text.size(), newlines(first_text)};
  std::optional<std::vector<std::string>> second;
  while (header.bytes < start.size()) {
    const std::string_view rest = start.substr(header.bytes);
    const std::string_view record = rest.substr(0, first_record(rest));
    if (!trimmed(record).empty()) {
      second = split_record(record, dialect.delimiter);
      break;
    }
    header.bytes += record.size();
    header.lines += newlines(record);
  }
  const bool has_header = options.header == Header::present ||
                          (options.header == Header::automatic && looks_like_header(first, second));
  if (!has_header) return dialect;
  if (!second) {
    fail(file, "has a header (", shown(trimmed(first_text)),
         ") but no rows; add one row per point");
  }
  dialect.names = first;
  dialect.header = header;
  return dialect;
}

void require_text(std::string_view start, const std::string& file) {
  if (start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff")) {
    fail(file, "is UTF-16 text; save it as UTF-8");
  }
  constexpr std::size_t kLookedAt = 1 << 16;
  for (std::size_t i = 0; i < std::min(start.size(), kLookedAt); ++i) {
    const auto byte = static_cast<unsigned char>(start[i]);
    const bool control = byte < 0x20 && !is_blank(start[i]) && byte != '\f' && byte != '\v';
    if (!control) continue;
    fail(file, "is not a text table: byte ", hex_byte(byte), " at offset ", i,
         "; nw reads CSV, TSV, NPY, NPZ, idx, PNG and JPEG");
  }
}

}  // namespace nw::io
