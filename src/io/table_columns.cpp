#include "io/table_columns.hpp"

#include <cmath>
#include <limits>

#include "io/column_choice.hpp"
#include "io/failure.hpp"
#include "io/readers.hpp"

namespace nw::io {
namespace {

std::vector<double> column_of(const Matrix& table, std::size_t column) {
  std::vector<double> values(table.rows());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = table(i, column);
  return values;
}

}  // namespace

void take_columns(PointSet& points, const LoadOptions& options, const std::string& file) {
  if (options.columns.empty() && options.label_column.empty() && options.weight_column.empty()) {
    return;
  }
  const Matrix& table = points.values;
  const ColumnChoice choice = choose_columns(options, table.cols(), points.column_names, file);
  if (choice.label) points.labels = labels_from_numbers(column_of(table, *choice.label), file);
  if (choice.weight) {
    points.weights = column_of(table, *choice.weight);
    require_usable_weights(points.weights, file);
  }
  Matrix kept(table.rows(), choice.coordinates.size());
  for (std::size_t i = 0; i < kept.rows(); ++i) {
    for (std::size_t j = 0; j < kept.cols(); ++j) kept(i, j) = table(i, choice.coordinates[j]);
  }
  points.values = std::move(kept);
  points.image.reset();
}

std::optional<ImageShape> image_shape_of(const std::vector<std::uint64_t>& shape) {
  const bool grey = shape.size() == 3;
  const bool colour = shape.size() == 4 && (shape[3] == 1 || shape[3] == 3 || shape[3] == 4);
  if (!grey && !colour) return {};
  return ImageShape{static_cast<std::size_t>(shape[1]), static_cast<std::size_t>(shape[2]),
                    grey ? 1 : static_cast<std::size_t>(shape[3])};
}

Labels labels_from_numbers(std::span<const double> numbers, const std::string& file) {
  using Limits = std::numeric_limits<std::int32_t>;
  Labels labels;
  labels.values.reserve(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double value = numbers[i];
    if (value != std::floor(value) || value < Limits::min() || value > Limits::max()) {
      fail(file, "the label of row ", i + 1, " is ", value, ", which is not a 32-bit integer");
    }
    labels.values.push_back(static_cast<std::int32_t>(value));
  }
  return labels;
}

}  // namespace nw::io
