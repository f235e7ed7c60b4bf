// How the columns of a table become coordinates, and back.
//
// Numbers [robust]: z = (v - median) / s with s = (q90 - q10) / 2.563, which is the standard
// deviation of a normal variable; moments are those of the pooled sample in which X and Y weigh the
// same. Beyond three deviations the coordinate grows like a logarithm, 3 + log(|z| - 2), so that
// heavy tails do not drown the rest. [std]: mean and standard deviation. [rank]: sqrt(12) (F(v) -
// 1/2), F the pooled share of smaller values. [none]: the value itself.
//
// Levels: the states of a column (its levels, "other" for rare ones, missing) are the corners of a
// regular simplex with edges of length e: two different levels are e apart, whichever they are. So
// one coordinate, 0 or e, for two states, and one of value e / sqrt(2) per state for more. e = 1:
// a changed level costs what one deviation of a numeric column costs. Without scaling, e is the
// median deviation of the numeric columns.
//
// Missing numbers are filled in from the pooled distribution of the column, evenly over its
// quantiles, so that no artificial heap arises; where at least one in a hundred is missing on a
// side, a further coordinate, 0 or e, says which ones.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/io/raw_table.hpp"
#include "nw/table/options.hpp"
#include "nw/table/value_grid.hpp"

namespace nw::table {

/// One column and the coordinates made of it.
struct ColumnEncoding {
  std::string name = {};
  Kind kind = Kind::numeric;
  double edge = 1.0;                 ///< distance of two levels, and of missing from not missing
  std::size_t first = 0, count = 1;  ///< its coordinates are first ... first + count - 1
  std::size_t place = 0;             ///< among the columns used, in the order of the file

  // Numbers: centre, deviation and quantiles are counted on the grid
  ValueGrid grid = {};
  double centre = 0.0, deviation = 1.0;
  std::vector<double> quantiles = {};  ///< pooled, evenly spaced from the least to the greatest
  bool indicator = false;              ///< the second coordinate says "missing"

  // Levels
  std::vector<std::string> levels = {};  ///< those with a state of their own, sorted
  bool other = false, missing = false;   ///< further states behind them

  [[nodiscard]] bool has_levels() const noexcept {
    return kind == Kind::boolean || kind == Kind::categorical;
  }
  [[nodiscard]] std::size_t states() const noexcept {
    return levels.size() + (other ? 1 : 0) + (missing ? 1 : 0);
  }
  bool operator==(const ColumnEncoding&) const = default;
};

/// What stands behind one coordinate.
struct Coordinate {
  std::size_t column = 0;  ///< of Encoding::columns
  std::string name = {};   ///< "age", "sex = male", "age missing"
  bool share = false;      ///< in the data's units it is a share of rows rather than an amount
};

struct Encoding {
  Scale scale = Scale::robust;
  std::vector<ColumnEncoding> columns = {};  ///< in the order of their names: that of the files is
                                             ///< no part of the result

  [[nodiscard]] std::size_t dimension() const noexcept;
  [[nodiscard]] std::vector<Coordinate> coordinates() const;
  [[nodiscard]] std::vector<std::string> coordinate_names() const;
  /// In the order of the file.
  [[nodiscard]] std::vector<std::string> column_names() const;

  /// A point in the units of the data: amounts, and shares for levels.
  [[nodiscard]] std::vector<double> to_units(std::span<const double> point) const;
  /// A direction at a point in the units of the data.
  [[nodiscard]] std::vector<double> shift_to_units(std::span<const double> point,
                                                   std::span<const double> shift) const;
  /// How much a coordinate changes in the units of the data when it changes by one at this point.
  [[nodiscard]] double slope(std::size_t coordinate, double value) const;
  /// A value of to_units as people write it: 12.3, 2024-01-31, 45 %.
  [[nodiscard]] std::string shown(std::size_t coordinate, double in_units) const;

  /// New rows of the same columns, found by name, as points. Throws IoError for a column that is
  /// absent or holds something else.
  [[nodiscard]] Matrix encode(const io::RawTable& table) const;
  /// Points as rows of the columns they came from, in the order of the file: whole numbers where
  /// the column has them, dates as text, the likeliest level of a category, nothing where "missing"
  /// is likelier than not.
  [[nodiscard]] io::RawTable decode(MatrixView points) const;

  /// A few words on each place: the columns in which it differs most from the mean of all, places
  /// weighing as `mass` says, as "bill_length_mm 47.5, species = Gentoo 98 %".
  [[nodiscard]] std::vector<std::string> place_names(const std::vector<std::vector<double>>& places,
                                                     std::span<const double> mass) const;

  bool operator==(const Encoding&) const = default;
};

/// As one JSON object, and back. The latter throws IoError that starts with `source`.
[[nodiscard]] std::string to_json(const Encoding& encoding);
[[nodiscard]] Encoding encoding_from_json(const std::string& text, const std::string& source);

}  // namespace nw::table
