// What changed between two data sets: nothing, the proportions, or the components.
// The table of the paper's comparative analysis [NW:compare], with p-values and intervals.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "nw/base/rng.hpp"
#include "nw/measure/choose_k.hpp"
#include "nw/measure/normalized_wasserstein.hpp"

namespace nw::measure {

/// `undecided` is the answer when the data differ beyond proportions but the chosen family does
/// not describe either data set, so that no statement about components can be trusted.
enum class Verdict { same, proportions, components, undecided };
[[nodiscard]] const char* to_string(Verdict verdict);

/// Where a component lives. A component counts as absent from a sample when its share there is
/// significantly below `absence_ratio` times its share in the other sample.
enum class Presence { both, only_x, only_y };
[[nodiscard]] const char* to_string(Presence presence);

struct CompareOptions {
  /// Number of components; 0 chooses it with choose_k.
  std::size_t components = 0;
  /// Resampled data sets behind every p-value and interval. At least 19.
  int resamplings = 200;
  /// Level of p_same for the verdict. In (0, 1).
  double alpha = 0.05;
  /// Level of p_components: saying that a member changed is the stronger claim. In (0, 1).
  double alpha_components = 0.01;
  /// Coverage of the intervals. In (0, 1).
  double confidence = 0.95;
  /// See Presence. In (0, 1).
  double absence_ratio = 0.1;
  /// A sample on its own counts as described by the family when its cost is below this many times
  /// its noise floor. At least 1.
  double misfit_ratio = 1.5;
  /// Larger samples are represented by this many rows in the permutation test of W. At least 50.
  std::size_t max_test_points = 1000;
  /// How the shared mixture is fitted; `components` above takes precedence.
  NwOptions nw = {.floor_replicates = 9};
  /// How k is chosen when it is not given; its `nw` is replaced by the one above.
  ChooseKOptions choose_k = {};
  ProgressObserver observer = nullptr;

  void validate() const;
};

struct Interval {
  double low = 0.0, high = 0.0;
};

/// Wilson's score interval for a proportion p seen in `trials` trials.
[[nodiscard]] Interval wilson_interval(double p, double trials, double confidence);

/// One shared component, seen from both samples.
struct ComponentChange {
  std::vector<double> centre;         ///< [original d] of the shared component
  double mass_x = 0.0, mass_y = 0.0;  ///< its proportions
  Interval mass_x_interval, mass_y_interval;
  Presence presence = Presence::both;
  std::vector<double> shift;   ///< [original d] mean of its members in Y minus that in X
  double shift_size = 0.0;     ///< length of the shift in units of the component's deviation
  double spread_change = 0.0;  ///< log of the ratio (Y over X) of the members' overall deviation
  double distance = 0.0;       ///< W between its members in X and in Y
  double null_distance = 0.0;  ///< what sampling alone makes of that, on average
  double contribution = 0.0;   ///< share of the total excess of distance over null_distance
  double p_raw = 1.0;          ///< permutation p-value
  double p = 1.0;              ///< corrected for the number of components
  std::size_t members_x = 0, members_y = 0;
};

struct CompareResult {
  Verdict verdict = Verdict::same;
  std::string sentence;            ///< the answer in plain words
  std::vector<std::string> notes;  ///< reservations and details, one sentence each
  double wasserstein = 0.0;        ///< W(P_X, P_Y) (order as in `nw`; W2, not squared)
  double wasserstein_null = 0.0;   ///< its mean under random relabelling
  double normalized_wasserstein = 0.0;
  double floor = 0.0;  ///< of the normalized value
  std::size_t k = 0;
  std::vector<double> pi_x, pi_y;
  std::vector<Interval> pi_x_interval, pi_y_interval;
  double p_same = 1.0;
  double p_components = 1.0;
  /// Parametric bootstrap of NW itself: how often data drawn from the shared mixture score as high.
  /// Small as well when the components are shared but not of the chosen family.
  double p_fit = 1.0;
  double misfit_x = 1.0, misfit_y = 1.0;  ///< cost of each sample's own fit over its noise floor
  bool family_fits = true;
  /// Total variation distance between pi_x and pi_y, in [0, 1].
  double proportion_change = 0.0;
  /// Mean distance between members of X and Y within components, beyond sampling noise, in units of
  /// the typical deviation of a component.
  double component_change = 0.0;
  std::vector<ComponentChange> components;
  NwResult fit;            ///< the shared mixture
  ChooseKResult choose_k;  ///< empty curve when k was given
  int resamplings = 0;
  bool interrupted = false;
  double seconds = 0.0;
};

[[nodiscard]] CompareResult compare(const ot::WeightedPoints& x, const ot::WeightedPoints& y,
                                    const CompareOptions& options, Rng& rng);

}  // namespace nw::measure
