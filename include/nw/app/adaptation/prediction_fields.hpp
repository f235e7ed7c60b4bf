// Predictions as the command reports them.
#pragma once

#include <span>
#include <string>

#include "nw/app/adaptation/classifier.hpp"

namespace nw::app {

/// Fields of the JSON object that tells of a prediction: rows, step, classes, their shares, and of
/// several classifiers how far they agree; scores where the rows have labels.
[[nodiscard]] std::string prediction_fields(std::span<const AdaptedClassifier> models,
                                            const CommonPrediction& prediction);

}  // namespace nw::app
