// The number of modes k* from the curve NW(k), by the rule of Theorem 1 [NW:thm1].
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "nw/measure/normalized_wasserstein.hpp"

namespace nw::measure {

struct ChooseKOptions {
  std::size_t min_k = 1;   ///< at least 1
  std::size_t max_k = 20;  ///< at least min_k
  /// Stop after this many k beyond the first one at the noise floor; 0 computes the whole curve.
  std::size_t beyond_floor = 3;
  /// NW(k) counts as being at the floor when it exceeds it by less than this fraction of it, or
  /// by less than three standard errors. In (0, 1].
  double floor_margin = 0.10;
  /// A drop NW(k-1) - NW(k) is large when it exceeds this fraction of the floor. In (0, 1].
  double large_drop = 0.10;
  /// How each NW(k) is computed; `components`, `given` and the observer are set by the search.
  NwOptions nw = {};
  ProgressObserver observer = nullptr;

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;

  /// The one list of what users choose.
  template <typename Visit>
  void for_each_field(Visit&& visit) {
    visit(OptionField{.name = "min_k", .help = "Smallest k tried", .low = 1}, min_k);
    visit(OptionField{.name = "max_k", .help = "Largest k tried", .low = 1}, max_k);
    visit(
        OptionField{.name = "beyond_floor",
                    .help = "How many more k to try after the first at the noise floor; 0: all up "
                            "to the largest"},
        beyond_floor);
    const auto fraction = [](const char* name, const char* help) {
      return OptionField{
          .name = name, .help = help, .low = 0, .high = 1, .open_low = true, .setting = ""};
    };
    visit(fraction("floor_margin", "Excess over the floor that still counts as being at it"),
          floor_margin);
    visit(fraction("large_drop", "Fraction of the floor that makes a drop large"), large_drop);
    nw.for_each_fit_field(visit);
  }
};

/// One point of the curve.
struct CurvePoint {
  std::size_t k = 0;
  double nw = 0.0;
  double nw_low = 0.0, nw_high = 0.0;  ///< 95 % interval from sampling
  double floor = 0.0;                  ///< value expected from sampling noise alone
  double floor_high = 0.0;             ///< largest value still taken for noise
  double drop = 0.0;                   ///< NW(k - 1) - NW(k); 0 for the first point
  bool at_floor = false;
};

struct ChooseKResult {
  std::size_t k = 0;           ///< k*
  bool reached_floor = false;  ///< false: no k up to max_k explains the data; k is a best guess
  bool clear = false;          ///< at the floor, and right after the last large drop
  std::string reason;          ///< in words
  std::vector<CurvePoint> curve;
  std::vector<NwResult> fits;  ///< [curve.size()]
  bool interrupted = false;
  double seconds = 0.0;

  /// The fit with k components; throws InvalidArgument when k is not on the curve.
  [[nodiscard]] const NwResult& fit(std::size_t components) const;
};

/// NW(k) of two data sets for k = min_k, min_k + 1, ...; never increasing (Lemma 1).
[[nodiscard]] ChooseKResult choose_k(const ot::WeightedPoints& x, const ot::WeightedPoints& y,
                                     const ChooseKOptions& options, Rng& rng);

/// The same for one data set.
[[nodiscard]] ChooseKResult choose_k(const ot::WeightedPoints& x, const ChooseKOptions& options,
                                     Rng& rng);

}  // namespace nw::measure
