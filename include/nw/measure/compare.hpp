// What changed between two data sets: nothing, the proportions, or the components.
// The table of the paper's comparative analysis [NW:compare], with p-values and intervals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "nw/base/interval.hpp"
#include "nw/base/rng.hpp"
#include "nw/base/verdict.hpp"
#include "nw/measure/normalized_wasserstein.hpp"
#include "nw/measure/share_estimate.hpp"

namespace nw::measure {

/// Where a component occurs. A component counts as absent from a sample when its share there is
/// significantly below `absence_ratio` times its share in the other sample.
enum class Presence { both, only_x, only_y };
[[nodiscard]] const char* to_string(Presence presence);

/// What counts as a change. A significant difference that is shown to be smaller is not an alarm.
struct MinEffect {
  /// Total variation between the mixes: the share of rows that would have to change their member.
  /// In [0, 1).
  double share = 0.02;
  /// W1 between the members of a component in X and in Y along any column, in deviations of the
  /// members. At least 0.
  double deviations = 0.1;
};

struct CompareOptions {
  /// Number of components; 0 chooses it by BIC.
  std::size_t components = 0;
  /// Largest number of components tried when it is chosen. At least 1.
  std::size_t max_k = 12;
  /// Resampled data sets behind the p-values of components and the intervals. At least 19.
  int resamplings = 200;
  /// Level of p_same for the verdict. In (0, 1).
  double alpha = 0.05;
  /// Level of p_components. In (0, 1).
  double alpha_components = 0.05;
  /// Coverage of the intervals. In (0, 1).
  double confidence = 0.95;
  /// A share that falls below this fraction of what it was means that a member is new or gone: the
  /// inverse of the bound R on the ratio of the samples. In [0, 1); 0: what samples of this size
  /// resolve, between 1 / 2.7 and 1 / 15.
  double absence_ratio = 0.0;
  /// A sample on its own counts as described by the family when its cost is below this many times
  /// its noise floor. At least 1.
  double misfit_ratio = 1.5;
  /// Larger samples are represented by this many rows in the tests. At least 50.
  std::size_t max_test_points = 2000;
  /// Trees of each of the two kinds behind the score of a row. At least 20.
  int trees = 200;
  /// The class of every row of X, where it is known: 0, 1, ... Members are then the classes, and
  /// the question is whether Y is another mix of them. Empty: not known.
  std::vector<std::uint32_t> class_of_x = {};
  MinEffect min_effect = {};
  /// The column that every coordinate belongs to, 0, 1, ..., where columns have several (levels of
  /// a category). Empty: every coordinate is a column.
  std::vector<std::uint32_t> column_of = {};
  /// How the shared mixture is fitted; `components` above takes precedence.
  NwOptions nw = {.floor_replicates = 5};
  ProgressObserver observer = nullptr;

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;

  /// The one list of what users choose.
  template <typename Visit>
  void for_each_field(Visit&& visit) {
    visit(OptionField{.name = "k", .help = "Number of components; 0 chooses it", .setting = ""},
          components);
    visit(OptionField{.name = "max_k", .help = "auto: largest k tried", .low = 1}, max_k);
    visit(OptionField{.name = "resamplings",
                      .help = "Resampled data sets behind every p-value and interval",
                      .low = 19},
          resamplings);
    const auto level = [](const char* name, const char* help) {
      return OptionField{
          .name = name, .help = help, .low = 0, .high = 1, .open_low = true, .open_high = true};
    };
    visit(level("alpha", "Significance level of p_same"), alpha);
    visit(level("alpha_components", "Significance level of p_components"), alpha_components);
    visit(level("confidence", "Coverage of the intervals"), confidence);
    visit(OptionField{.name = "min_effect",
                      .help = "Change of the mix that counts, as a share: 0.03 is three points",
                      .low = 0,
                      .high = 1,
                      .open_high = true},
          min_effect.share);
    visit(OptionField{.name = "min_move",
                      .help = "Shift of a member that counts, in its deviations",
                      .low = 0},
          min_effect.deviations);
    visit(OptionField{.name = "absence_ratio",
                      .help = "A share that falls below this fraction means a member is new or "
                              "gone; 0: what samples of this size resolve",
                      .low = 0,
                      .high = 1,
                      .setting = "",
                      .open_high = true},
          absence_ratio);
    visit(OptionField{.name = "misfit_ratio",
                      .help = "Cost of a sample's own fit, in noise floors, that counts as a fit",
                      .low = 1,
                      .setting = ""},
          misfit_ratio);
    visit(OptionField{.name = "max_test_points",
                      .help = "Rows of each data set in the tests",
                      .low = 50,
                      .setting = ""},
          max_test_points);
    visit(OptionField{.name = "trees",
                      .help = "Trees of each kind behind the score of a row",
                      .low = 20,
                      .setting = ""},
          trees);
    nw.for_each_fit_field(visit);
  }
};

/// Wilson's score interval for a proportion p seen in `trials` trials.
[[nodiscard]] Interval wilson_interval(double p, double trials, double confidence);

/// A column in which the members of a component differ between X and Y.
struct ColumnMove {
  std::size_t column = 0, coordinate = 0;  ///< the coordinate that differs most
  double from = 0.0, to = 0.0;             ///< means of the members in X and in Y
  double deviations = 0.0;                 ///< to - from in deviations of the members
  double spread_change = 0.0;              ///< log of the ratio (Y over X) of their deviations
  double p = 1.0;                          ///< corrected for the columns of all components
};

/// How one column changed as a whole, in its deviations.
struct ColumnChange {
  double change = 0.0;          ///< W1 between X and Y
  double change_between = 0.0;  ///< the part of other shares of the components
  double change_within = 0.0;   ///< the part of members that differ; both add up to `change`
  double p = 1.0;               ///< of "the column did not change", corrected for all columns
};

/// How large the change is, between bounds that hold with `confidence` each.
struct Effect {
  double mix_change = 0.0;  ///< total variation between pi_x and pi_y
  Interval mix_change_interval;
  double largest_share_change = 0.0;  ///< of a single component
  Interval largest_share_change_interval;
  double members_moved = 0.0;  ///< largest W1 of members along a column, in their deviations
  Interval members_moved_interval;
  std::size_t members_compared = 0;  ///< components with members in both samples
  bool any_member_moved = false;     ///< some column of some component differs significantly
  double score_change = 0.0;  ///< share of rows by which the scores of X and Y differ; no members
  Interval score_change_interval;
  MinEffect min_effect;
  double confidence = 0.95;
  bool equivalent = false;        ///< mix and members changed by less than min_effect, if at all
  bool below_min_effect = false;  ///< significant, but shown to be smaller: the verdict is `same`
  std::string sentence;           ///< how large a change could be
};

/// One shared component, seen from both samples.
struct ComponentChange {
  std::vector<double> centre;         ///< [original d] of the shared component
  double mass_x = 0.0, mass_y = 0.0;  ///< its proportions
  Interval mass_x_interval, mass_y_interval;
  Presence presence = Presence::both;
  MemberStatus status = MemberStatus::shared;
  std::vector<double> shift;   ///< [original d] mean of its members in Y minus that in X
  double shift_size = 0.0;     ///< length of the shift in units of the component's deviation
  double spread_change = 0.0;  ///< log of the ratio (Y over X) of the members' overall deviation
  double distance = 0.0;       ///< W between its members in X and in Y
  double null_distance = 0.0;  ///< its mean under sampling noise alone
  double contribution = 0.0;   ///< share of the total excess of distance over null_distance
  double p_raw = 1.0;          ///< permutation p-value
  double p = 1.0;              ///< corrected for the number of components
  std::size_t members_x = 0, members_y = 0;
  std::vector<ColumnMove> columns_moved;  ///< by growing p; none unless the status is `moved`
};

/// A column in which two components lie apart.
struct ColumnGap {
  std::size_t column = 0, coordinate = 0;  ///< the coordinate that differs most
  double from = 0.0, to = 0.0;             ///< their centres there
  double deviations = 0.0;                 ///< to - from in deviations of the components
};

/// A component that is gone and a new one, near it and of similar share: perhaps one group that
/// moved further than its members can be followed. A hint; no test stands behind it.
struct PossibleMove {
  std::size_t gone = 0, appeared = 0;  ///< components, counted from 0
  double deviations = 0.0;             ///< between their centres, along the line that joins them
  std::vector<ColumnGap> columns;      ///< the most telling first, at most three
};

/// Rows of one sample in a region where the other sample has too few.
struct RegionChange {
  double share_x = 0.0, share_y = 0.0;      ///< of the rows tested
  double p = 1.0;                           ///< of "the ratio stays within share_bound"
  double p_narrow = 1.0;                    ///< the same for a bound of 0.75 times that
  double bound = 1.0;                       ///< the one of both that these rows lie beyond
  std::vector<double> centre;               ///< [original d] mean of the rows in excess
  std::vector<std::size_t> rows_x, rows_y;  ///< row numbers in the data given, from 0
};

/// One class of X, and its share in Y if Y is a mix of the classes.
struct ClassShare {
  double share_x = 0.0, share_y = 0.0;
  Interval share_y_interval;
};

/// A row that was tested.
struct RowScore {
  std::size_t row = 0;
  double score = 0.5;      ///< how much it looks like Y: 0 to 1, by trees that never saw it
  std::size_t member = 0;  ///< the component it most likely belongs to
  /// Its part in the evidence for the verdict: below 0 where it speaks against. The sizes of all
  /// weights add up to 1.
  double weight = 0.0;
};

struct CompareResult {
  Verdict verdict = Verdict::undecided;
  std::string reason;              ///< why the verdict is `undecided`; empty otherwise
  std::string sentence;            ///< the answer in plain words
  std::vector<std::string> notes;  ///< reservations and details, one sentence each
  double wasserstein = 0.0;        ///< W(P_X, P_Y) (order as in `nw`; W2, not squared)
  double wasserstein_null = 0.0;   ///< its mean under random relabelling
  double normalized_wasserstein = 0.0;
  double floor = 0.0;  ///< of the normalized value
  std::size_t k = 0;
  std::vector<double> pi_x, pi_y;
  std::vector<Interval> pi_x_interval, pi_y_interval;
  /// Of "X and Y are the same": Bonferroni over p_energy, p_score and any p_classes.
  double p_same = 1.0;
  double p_energy = 1.0;  ///< permutation test of the energy distance
  double p_score = 1.0;   ///< rank sum of the scores by which trees tell the samples apart
  /// Of "only the mix changed": min(p_ratio, max(p_ratio_narrow, p_members)). Never below
  /// alpha_components with the verdict `proportions`.
  double p_components = 1.0;
  double p_ratio = 1.0;         ///< of "no region's share changes by more than share_bound"
  double p_ratio_narrow = 1.0;  ///< the same for a bound of 0.75 times that
  /// Of "some k explains the difference": the largest over k_readings from the best k by BIC on.
  double p_members = 1.0;
  double share_bound = 1.0;  ///< R
  std::vector<KReading> k_readings;
  /// A new or vanished member with at least this share would have been noticed.
  double smallest_share = 1.0;
  RegionChange more_in_y, more_in_x;  ///< empty without rows beyond the bound
  std::vector<RowScore> scores_x, scores_y;
  /// Empty unless the classes of X are known; components and pi are then the classes and these.
  std::vector<ClassShare> classes;
  std::vector<ShareRoute> share_routes;  ///< several ways to share_y; the first is the answer
  double p_classes = 1.0;                ///< of "Y is a mix of the classes of X"; see with_classes
  std::size_t rows_tested_x = 0, rows_tested_y = 0;
  std::size_t k_low = 0, k_high = 0;  ///< the k that the data do not rule out
  bool max_k_reached = false;         ///< more components than were tried might fit better
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
  Effect effect;
  std::vector<ComponentChange> components;
  /// Every component, from 0, in one group: those of a group overlap, are shared, and their shares
  /// changed by the same factor, so that a reader may take them for one member.
  std::vector<std::vector<std::size_t>> members;
  std::vector<PossibleMove> possible_moves;  ///< none unless the verdict is `components`
  std::vector<ColumnChange> columns;
  NwResult fit;  ///< the shared mixture
  int resamplings = 0;
  bool interrupted = false;
  double seconds = 0.0;
};

[[nodiscard]] CompareResult compare(const ot::WeightedPoints& x, const ot::WeightedPoints& y,
                                    const CompareOptions& options, Rng& rng);

}  // namespace nw::measure
