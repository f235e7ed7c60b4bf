#include "nw/table/split_choices.hpp"

#include <algorithm>

#include "nw/base/error.hpp"
#include "nw/io/load_input.hpp"
#include "nw/table/read_inputs.hpp"

#include "table/pair_columns.hpp"
#include "table/typed_column.hpp"

namespace nw::table {
namespace {

constexpr std::size_t kMostValues = 6;
/// Fewer rows than this on a side are too few to compare.
constexpr std::size_t kFewestRows = 10;

/// The values of a column that at least kFewestRows rows have; none where others are common.
std::vector<std::string> common_values(const io::RawColumn& column, const std::string& name) {
  const TypedColumn typed = infer_column({.name = name, .x = &column, .wanted = Kind::categorical});
  if (typed.levels.size() < 2 || typed.levels.size() > kMostValues) return {};
  std::vector<std::size_t> count(typed.levels.size(), 0);
  for (const std::uint32_t code : typed.x.codes) {
    if (code != io::RawColumn::kMissing) ++count[code];
  }
  std::vector<std::string> values;
  for (std::size_t i = 0; i < count.size(); ++i) {
    if (count[i] >= kFewestRows) values.push_back(typed.levels[i]);
  }
  return values.size() < 2 ? std::vector<std::string>() : values;
}

/// A word of a shell command.
std::string quoted(const std::string& word) {
  const bool plain = word.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "0123456789_-.:/%+") == std::string::npos;
  return plain && !word.empty() ? word : "\"" + word + "\"";
}

}  // namespace

std::vector<SplitChoice> split_choices(const io::RawTable& table, std::size_t most) {
  const ColumnNames names = names_of(table);
  std::vector<SplitChoice> choices;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::vector<std::string> values = common_values(table.columns[i], names.name(i));
    const std::string column = table.has_names ? names.name(i) : std::to_string(i + 1);
    if (!values.empty()) choices.push_back({.column = column, .values = std::move(values)});
  }
  std::ranges::stable_sort(choices, {}, [](const SplitChoice& c) { return c.values.size(); });
  if (choices.size() > most) choices.resize(most);
  return choices;
}

std::vector<SplitChoice> split_choices(const std::string& files, const io::LoadOptions& load) {
  constexpr std::size_t kCells = 200'000;
  const io::OpenedInput input = io::open_input(expand_paths(files).front(), load);
  if (!input.table) return {};
  const auto block = input.table->next(kCells);
  return block ? split_choices(*block) : std::vector<SplitChoice>();
}

std::string advice_on_splits(const std::vector<SplitChoice>& choices) {
  if (choices.empty()) return "split its rows with `by` COLUMN, `from` VALUE and `to` VALUE";
  std::string text = "split its rows with `by` COLUMN, such as ";
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const SplitChoice& choice = choices[i];
    if (i > 0) text += i + 1 == choices.size() ? " or " : ", ";
    text += concat("`by` ", quoted(choice.column));
    if (choice.values.size() == 2) continue;
    text += concat(" `from` ", quoted(choice.values[0]), " `to` ", quoted(choice.values[1]));
  }
  return text;
}

}  // namespace nw::table
