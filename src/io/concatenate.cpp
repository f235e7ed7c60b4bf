#include <algorithm>
#include <utility>

#include "nw/io/points.hpp"

namespace nw::io {
namespace {

void require_fit(const PointSet& first, const PointSet& other) {
  require_same_dimension(first, other);
  const auto both = [&](bool a, bool b, const char* what) {
    if (a == b) return;
    throw IoError(concat(a ? first.source : other.source, " has ", what, ", ",
                         a ? other.source : first.source, " has none; they cannot be joined"));
  };
  both(first.labels.has_value(), other.labels.has_value(), "labels");
  both(!first.weights.empty(), !other.weights.empty(), "weights");
}

}  // namespace

PointSet concatenate(std::vector<PointSet> parts) {
  require(!parts.empty(), "concatenate: no sets given");
  if (parts.size() == 1) return std::move(parts.front());
  std::size_t rows = 0;
  for (const PointSet& part : parts) {
    require_fit(parts.front(), part);
    rows += part.size();
  }
  PointSet result = std::move(parts.front());
  const std::size_t dimension = result.dimension();
  std::vector<double> values;
  values.reserve(rows * dimension);
  const auto append = [&](const Matrix& matrix) {
    values.insert(values.end(), matrix.values().begin(), matrix.values().end());
  };
  append(result.values);
  for (std::size_t k = 1; k < parts.size(); ++k) {
    PointSet& part = parts[k];
    append(part.values);
    part.values = Matrix();  // releases memory as early as possible
    if (result.labels) {
      unify(*result.labels, *part.labels);
      auto& into = result.labels->values;
      into.insert(into.end(), part.labels->values.begin(), part.labels->values.end());
    }
    result.weights.insert(result.weights.end(), part.weights.begin(), part.weights.end());
    if (result.image != part.image) result.image.reset();
    if (result.column_names != part.column_names) result.column_names.clear();
  }
  result.source += concat(" and ", parts.size() - 1, " more");
  result.values = Matrix(std::move(values), rows, dimension);
  return result;
}

}  // namespace nw::io
