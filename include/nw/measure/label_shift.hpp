// The mix of classes in a sample without labels, from what a model says about its rows alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/base/rng.hpp"
#include "nw/measure/compare.hpp"
#include "nw/measure/share_estimate.hpp"

namespace nw::measure {

struct LabelShiftOptions {
  /// Resampled data sets behind intervals and the p-value. At least 19.
  int resamplings = 200;
  /// Coverage of the intervals. In (0, 1).
  double confidence = 0.95;
  /// Level of "another mix of the classes explains Y". In (0, 1).
  double alpha = 0.05;
  /// Correct the probabilities on X, whose classes are known, before anything rests on them.
  bool calibrate = true;
  /// Of the sentence; empty: classes go by their number from 1.
  std::vector<std::string> class_names = {};
  /// Threads; 0 means all cores. The answer is the same for every value.
  int threads = 0;

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;

  /// The one list of what users choose.
  template <typename Visit>
  void for_each_field(Visit&& visit) {
    const auto level = [](const char* name, const char* help) {
      return OptionField{
          .name = name, .help = help, .low = 0, .high = 1, .open_low = true, .open_high = true};
    };
    visit(
        OptionField{
            .name = "resamplings", .help = "Behind the p-value and the intervals", .low = 19},
        resamplings);
    visit(level("confidence", "Coverage of the intervals"), confidence);
    visit(level("alpha", "Level of \"another mix of the classes explains Y\""), alpha);
    visit(OptionField{.name = "calibrate", .help = "Correct the probabilities on X first"},
          calibrate);
    visit(kThreadsField, threads);
  }
};

struct LabelShiftResult {
  std::vector<double> share_x;  ///< [k] of the classes in X
  /// The answer: by likelihood, with intervals that hold the shares found in the other ways, too.
  ShareEstimate shares;
  ShareEstimate likelihood;  ///< maximum likelihood by EM
  ShareEstimate confusion;   ///< the mean scores of Y as a mix of those of the classes of X
  ShareEstimate transport;   ///< the mix of the scores of X's classes that is nearest to Y's in W1
  /// Of "the scores of Y are a mix of those of X's classes". Small: a class has changed or is new,
  /// and no shares are right.
  double p = 1.0;
  bool tenable = true;       ///< p >= alpha
  double temperature = 1.0;  ///< logarithms of the scores were multiplied by this ...
  std::vector<double> bias;  ///< [k] ... and these added; 1 and 0 without calibration
  /// [rows of Y, k] probabilities of Y's rows for the shares by likelihood.
  Matrix corrected;
  std::string sentence;
  double seconds = 0.0;

  /// The answer's way first.
  [[nodiscard]] std::vector<ShareRoute> routes() const;
};

/// What a model says about two samples.
struct ScoredSamples {
  MatrixView scores_x;                        ///< [n, k] probabilities of each class
  std::span<const std::uint32_t> class_of_x;  ///< [n] the true ones, on which it was not trained
  MatrixView scores_y;                        ///< [m, k]
};

/// Throws InvalidArgument for scores that are not probabilities and for classes without a row.
[[nodiscard]] LabelShiftResult label_shift(const ScoredSamples& samples,
                                           const LabelShiftOptions& options, Rng& rng);

}  // namespace nw::measure
