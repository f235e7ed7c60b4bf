// Private: which columns a user means.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nw::table {

/// A name without blanks around it and in lower case: what counts when names are compared.
[[nodiscard]] std::string folded(std::string_view name);

/// Finds columns of one table by name, number from 1, range or pattern.
class ColumnNames {
 public:
  /// `names` are empty texts where the table has none. `file` is for messages.
  ColumnNames(std::vector<std::string> names, std::string file);

  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }
  /// Its name, or "column 3" where it has none.
  [[nodiscard]] const std::string& name(std::size_t column) const { return names_[column]; }
  /// The column of exactly this name, whatever its case; nothing when there is none.
  [[nodiscard]] std::optional<std::size_t> by_name(std::string_view name) const;
  /// All columns that `text` stands for, at least one. Throws IoError with what was probably meant.
  [[nodiscard]] std::vector<std::size_t> find(const std::string& text) const;
  /// As find, for a text that must stand for one column. `purpose` says what for.
  [[nodiscard]] std::size_t find_one(const std::string& text, const char* purpose) const;

 private:
  [[noreturn]] void unknown(const std::string& text) const;

  std::vector<std::string> names_, folded_;
  std::string file_;
};

}  // namespace nw::table
