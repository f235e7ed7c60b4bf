// What adaptation and denoising report, as plain data: no LibTorch, no model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nw/base/interval.hpp"

namespace nw::record {

/// How predicted classes compare with true ones.
struct ClassScores {
  double accuracy = 0.0;                 ///< share of all rows, those of unknown classes included
  double mean_class_accuracy = 0.0;      ///< over the classes that occur
  std::vector<double> class_accuracy{};  ///< [k], NaN where a class does not occur
  std::vector<double> pi_target_true{};  ///< [k], of rows whose class is known
  std::uint64_t unknown_rows = 0;        ///< of classes that the source lacks
  std::vector<std::vector<std::uint64_t>> confusion{};  ///< [true class][predicted class]: rows
  bool operator==(const ClassScores&) const = default;
};

/// How an adapted classifier was judged by one that was not adapted.
struct SafeguardSummary {
  std::string chosen{};                        ///< method whose classifier is used
  double agreement = 0.0;                      ///< of both, share of the target rows
  double same_names = 0.0;                     ///< the same as a mean over classes
  double best_names = 0.0;                     ///< likewise, after the best exchange of names
  std::string reason{};                        ///< of the choice
  std::vector<double> pi_unadapted{};          ///< proportions by the classifier without adaptation
  std::optional<double> unadapted_accuracy{};  ///< mean over classes, where the target has labels
  bool operator==(const SafeguardSummary&) const = default;
};

/// `nw adapt`: a classifier for a target without labels.
struct AdaptationSummary {
  std::string method{}, recipe{};
  std::vector<std::string> classes{};          ///< names, in the order of all lists
  std::vector<double> pi_target{};             ///< estimated proportions of the target
  std::string pi_target_origin{};              ///< how they were estimated
  std::vector<Interval> pi_target_interval{};  ///< 95 %
  std::vector<double> pi_target_likely{};      ///< most likely under the classifier
  std::vector<double> pi_target_confused{};    ///< from confusions of held-out source rows
  std::vector<double> pi_source{};             ///< of the source rows that were trained on
  double source_accuracy = 0.0;                ///< on held-out source rows
  double consistency = 0.0;                    ///< 1 - total variation of pi and predicted shares
  double confidence = 0.0;                     ///< mean probability of the predicted class
  std::uint64_t steps = 0;
  std::string end{};  ///< finished, interrupted, diverged
  std::uint64_t recoveries = 0;
  std::optional<ClassScores> scores{};          ///< where the target has labels
  std::optional<SafeguardSummary> safeguard{};  ///< of method auto
  std::optional<double> pi_error{};             ///< mean over classes of |pi - truth|, likewise
  std::optional<double> test_mean_class_accuracy{}, test_accuracy{};  ///< of rows kept apart
  bool operator==(const AdaptationSummary&) const = default;
};

/// `nw denoise`: what was taken off the noisy rows, and how the embeddings compare.
struct DenoisingSummary {
  std::string method{};
  std::optional<double> err_recons_target{};       ///< where clean target rows are known
  double err_recons_source = 0.0;                  ///< mean squared error of a value
  double residual_variance = 0.0;                  ///< of noisy minus denoised values
  std::vector<double> pi_source{}, pi_target{};    ///< empty unless the method is nw
  double wasserstein = 0.0;                        ///< between embeddings
  std::optional<double> normalized_wasserstein{};  ///< likewise, nw alone
  std::uint64_t k = 0, rows_source = 0, rows_target = 0, steps = 0;
  std::string end{};  ///< finished, interrupted, diverged
  std::uint64_t recoveries = 0;
  bool operator==(const DenoisingSummary&) const = default;
};

}  // namespace nw::record
