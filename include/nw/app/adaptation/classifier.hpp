// A classifier that was adapted: lives in memory, predicts, goes to and from bytes and runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/io/points.hpp"
#include "nw/record/adaptation_results.hpp"

namespace nw::adapt {
struct TrainedModel;
}

namespace nw::app {

/// Classes of some rows.
struct ClassPrediction {
  std::vector<std::int64_t> predicted = {};  ///< [n], numbers of classes
  Matrix probability = {};                   ///< [n, k]

  /// [k], the share of each predicted class.
  [[nodiscard]] std::vector<double> shares() const;
};

class AdaptedClassifier {
 public:
  AdaptedClassifier() = default;
  explicit AdaptedClassifier(std::shared_ptr<adapt::TrainedModel> model)
      : model_(std::move(model)) {}

  /// The model of a run directory (of its newest checkpoint where the run is not finished), or of a
  /// file that save() wrote. Throws IoError.
  [[nodiscard]] static AdaptedClassifier load(const std::filesystem::path& path);
  /// What to_bytes() gave. `source` starts the message of the IoError that other bytes give.
  [[nodiscard]] static AdaptedClassifier from_bytes(std::span<const std::byte> bytes,
                                                    const std::string& source = "classifier");
  [[nodiscard]] std::vector<std::byte> to_bytes() const;
  void save(const std::filesystem::path& file) const;

  /// Rows of the target domain, as they were before training: a table or images. `device` is auto,
  /// cpu or cuda. Throws IoError when they do not fit.
  [[nodiscard]] ClassPrediction predict(const io::PointSet& rows,
                                        const std::string& device = "auto") const;
  [[nodiscard]] ClassPrediction predict(MatrixView rows, const std::string& device = "auto") const;

  [[nodiscard]] const std::vector<std::string>& classes() const;
  /// Proportions the classifier was trained with: its probabilities are those under them.
  [[nodiscard]] const std::vector<double>& prior() const;
  [[nodiscard]] std::int64_t step() const;
  /// File of the network whose features it classifies; empty: it takes rows as they are.
  [[nodiscard]] const std::string& weights() const;

  [[nodiscard]] explicit operator bool() const noexcept { return model_ != nullptr; }
  [[nodiscard]] const std::shared_ptr<adapt::TrainedModel>& model() const noexcept {
    return model_;
  }

 private:
  std::shared_ptr<adapt::TrainedModel> model_;
};

/// Several classifiers of the same classes, from rows of the same kind. Throws IoError naming the
/// first that differs.
[[nodiscard]] std::vector<AdaptedClassifier> load_classifiers(
    const std::vector<std::string>& paths);

/// What several classifiers say together of the same rows.
struct CommonPrediction {
  ClassPrediction mean;            ///< of their probabilities
  std::vector<double> agreements;  ///< of each with the others: share of rows of the same class
  std::vector<double> pi_likely;   ///< proportions that make the rows likeliest, mean over models
  std::optional<record::ClassScores> scores;  ///< where the rows have labels
  std::string warning;                        ///< empty, or why the prediction may be wrong
};

/// Throws InvalidArgument for no models, IoError for rows that do not fit.
[[nodiscard]] CommonPrediction predict_together(std::span<const AdaptedClassifier> models,
                                                const io::PointSet& rows,
                                                const std::string& device = "auto");

/// Writes row, class and probability of every prediction as CSV.
void write_predictions(const std::filesystem::path& file, const ClassPrediction& prediction,
                       const std::vector<std::string>& classes);

}  // namespace nw::app
