// Probabilities that a model gives the classes of rows, as files hold them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nw/io/points.hpp"
#include "nw/measure/label_shift.hpp"

namespace nw::app {

struct ModelScores {
  Matrix x, y;                            ///< a column per class
  std::vector<std::uint32_t> class_of_x;  ///< true class of every row of X
  std::vector<std::string> names;         ///< of the classes, in the order of the columns
};

/// Reads scores of X, whose `load.label_column` holds the true class, and of Y, where that column
/// may be there too and is not looked at. Columns go by name: "p_cat", "prob_cat" and "cat" are the
/// probability of class "cat"; where the names say nothing, by their order and that of the classes.
/// Throws IoError naming the file and what is wrong with it.
[[nodiscard]] ModelScores read_model_scores(const std::string& x, const std::string& y,
                                            const io::LoadOptions& load);

/// Whether classes alone came in other proportions, and in which. Classes go by `scores.names`.
[[nodiscard]] measure::LabelShiftResult compare_model_scores(
    const ModelScores& scores, const measure::LabelShiftOptions& options, std::uint64_t seed);

/// Fields of the JSON object that tells of the comparison, without what it took.
[[nodiscard]] std::string model_score_fields(const ModelScores& scores,
                                             const measure::LabelShiftResult& result);

}  // namespace nw::app
