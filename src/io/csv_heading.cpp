#include "io/csv_heading.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "io/csv_records.hpp"
#include "io/number.hpp"

namespace nw::io {
namespace {

using Cells = std::vector<std::string>;

constexpr std::array<char, 4> kDelimiters = {',', '\t', ';', '|'};

/// A title, a date and a source take a few lines; more are a table of another shape.
constexpr std::size_t kMostAbove = 5;
/// So many records must fit together before those above them are called odd.
constexpr std::size_t kFitTogether = 3;

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

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
char find_delimiter(std::span<const std::string_view> records) {
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

bool is_number(std::string_view text) {
  const ParsedNumber number = parse_number(text.data(), text.data() + text.size());
  return number.status != NumberStatus::not_a_number && number.end == text.data() + text.size();
}

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

bool is_whole(const std::string& cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789") == std::string::npos;
}

/// "150,4,setosa,versicolor,virginica" above rows of five numbers: how many rows and columns there
/// are, and what the classes are called. `rows` are the first ones below.
bool counts_the_table(const Cells& first, std::span<const Cells> rows) {
  constexpr std::size_t kDigits = 9;
  if (first.size() < 2 || !is_whole(first[0]) || !is_whole(first[1])) return false;
  if (std::max(first[0].size(), first[1].size()) > kDigits) return false;
  const std::size_t counted = std::stoul(first[0]), columns = std::stoul(first[1]);
  const Cells& row = rows.front();
  if (columns != row.size() && columns + 1 != row.size()) return false;
  // Of a long table the first rows are known only.
  const bool all_seen = rows.size() + 1 < kLookedAtRecords;
  if (all_seen ? counted != rows.size() : counted < rows.size()) return false;
  // As long as a row it could be one.
  bool names = first.size() != row.size();
  for (std::size_t i = 2; i < first.size(); ++i) {
    if (is_value(first[i])) return false;
    names = names || is_value(row[i]);
  }
  return names;
}

/// "Country,Code,1960,1961,1962": the values among the names are years that follow each other, and
/// no other row has such texts in the columns of the texts.
bool names_years(const Cells& first, const std::vector<Cells>& rest) {
  constexpr std::size_t kEnough = 3;
  std::vector<long> years;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i].size() == 4 && is_whole(first[i])) {
      years.push_back(std::stol(first[i]));
      continue;
    }
    const auto has_it = [&](const Cells& record) {
      return i < record.size() && record[i] == first[i];
    };
    if (first[i].empty() || is_value(first[i]) || std::ranges::any_of(rest, has_it)) return false;
  }
  if (years.size() < kEnough || years.size() == first.size()) return false;
  for (std::size_t i = 1; i < years.size(); ++i) {
    if (years[i] != years[i - 1] + 1) return false;
  }
  return years.front() >= 1500 && years.back() < 2200 && !rest.empty();
}

/// A header that is too short is a mistake that its writer must mend; what stands above a table is
/// a line of one cell, the count of its rows, or anything above a header.
bool may_stand_above(std::span<const Cells> above, std::span<const Cells> table) {
  const std::vector<Cells> rest(table.begin() + 1, table.end());
  if (looks_like_header(table.front(), rest)) return true;
  if (above.size() == 1 && counts_the_table(above.front(), table)) return true;
  return std::ranges::all_of(above, [](const Cells& cells) { return cells.size() == 1; });
}

}  // namespace

bool is_value(std::string_view cell) {
  for (const std::string_view sign : {"$", "\xe2\x82\xac", "\xc2\xa3", "\xa3", "\xc2\xa5"}) {
    if (cell.starts_with(sign)) cell.remove_prefix(sign.size());
    if (cell.ends_with(sign)) cell.remove_suffix(sign.size());
  }
  if (is_number(cell)) return true;
  const bool marks_only = cell.find_first_not_of("0123456789.,-/:+ TZ'%") == std::string_view::npos;
  return marks_only && std::ranges::any_of(cell, is_digit);
}

bool looks_like_header(const Cells& first, const std::vector<Cells>& rest) {
  if (names_years(first, rest)) return true;
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

TableStart find_table_start(const std::vector<std::string_view>& records, char delimiter) {
  const auto split_all = [&](char by) {
    std::vector<Cells> cells;
    for (const std::string_view record : records) cells.push_back(split_record(record, by));
    return cells;
  };
  const auto fit_together = [](std::span<const Cells> cells) {
    return std::ranges::all_of(
        cells, [&](const Cells& other) { return other.size() == cells.front().size(); });
  };
  TableStart start;
  start.delimiter = delimiter != '\0' ? delimiter : find_delimiter(records);
  std::vector<Cells> cells = split_all(start.delimiter);
  if (records.size() < kFitTogether) return start;
  if (fit_together(cells)) {
    start.above = counts_the_table(cells[0], std::span(cells).subspan(1)) ? 1 : 0;
    return start;
  }
  const auto below = std::span(cells).subspan(1);
  const bool one_short = cells[0].size() + 1 == cells[1].size() && fit_together(below);
  if (one_short && std::ranges::none_of(cells[0], is_value) &&
      std::ranges::any_of(cells[1], is_value)) {
    start.rows_have_names = true;
    return start;
  }
  for (std::size_t above = 1; above <= kMostAbove && above + kFitTogether <= records.size();
       ++above) {
    const char by =
        delimiter != '\0' ? delimiter : find_delimiter(std::span(records).subspan(above));
    if (by == kBlanks) continue;  // titles and prose are words between blanks, too
    cells = split_all(by);
    const auto table = std::span<const Cells>(cells).subspan(above);
    if (table.front().size() < 2 || !fit_together(table)) continue;
    if (!may_stand_above(std::span<const Cells>(cells).first(above), table)) break;
    return {.above = above, .delimiter = by};
  }
  return start;
}

}  // namespace nw::io
