// What one run reports, as plain data: the JSON contract of the commands plus what a page draws.
//
// Everything that can show a result (terminal, page, Python) reads a RunRecord; nothing that shows
// results needs the solver or the model that produced them, so old runs can be drawn again.
// docs/run_record.md lists the JSON fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "nw/base/interval.hpp"
#include "nw/base/verdict.hpp"
#include "nw/record/adaptation_results.hpp"
#include "nw/record/component_name.hpp"
#include "nw/record/figure.hpp"
#include "nw/record/learning_results.hpp"
#include "nw/record/transport_results.hpp"

namespace nw::record {

/// The command that made the record. `training` covers every run that learns over steps.
enum class RunKind { distance, compare, choose_k, training };

/// One of the data sets of the run.
struct DataSet {
  std::string name{};  ///< what the page calls it, usually the file name
  std::string path{};  ///< as the user wrote it; may be empty
  std::size_t rows = 0, columns = 0;
  std::vector<std::string> column_names{};  ///< empty when the file has none
  bool weighted = false;
  bool operator==(const DataSet&) const = default;
};

/// What was made of one column of the tables.
struct ColumnSummary {
  std::string name{};
  std::string kind{};  ///< numeric, integer, boolean, categorical, datetime, ...
  bool used = true;
  std::string reason{};                     ///< why it was left out
  std::vector<std::string> notes{};         ///< how it was read, and what is odd about it
  double missing_x = 0.0, missing_y = 0.0;  ///< shares of the rows
  std::optional<double> missing_p{};        ///< of "equally many are missing in X and Y"
  bool missing_changed = false;
  /// Of a comparison: W1 between X and Y in deviations of the column, and its two parts.
  std::optional<double> change{}, change_between{}, change_within{};
  std::optional<double> change_p{};  ///< of "it did not change", corrected for all columns
  bool operator==(const ColumnSummary&) const = default;
};

/// `nw distance`: W with its certificate.
struct DistanceResult {
  double distance = 0.0;
  std::string method{};                    ///< exact, sinkhorn, sliced, one-dimensional
  std::optional<double> primal{}, dual{};  ///< objectives of [NW:eq1] where the method has them
  std::optional<double> gap{};             ///< primal - dual
  bool operator==(const DistanceResult&) const = default;
};

/// A column in which the members of a component differ between X and Y, in the units of the data.
struct ColumnMove {
  std::string column{};
  std::string level{};  ///< of a category, or "missing": from and to are then shares
  double from = 0.0, to = 0.0;
  double deviations = 0.0;     ///< to - from in deviations of the members
  double spread_change = 0.0;  ///< log of their deviation in Y over that in X
  double p = 1.0;              ///< corrected for the columns of all components
  bool operator==(const ColumnMove&) const = default;
};

/// One component G_j with its part in both samples.
struct ComponentResult {
  ComponentName name{};  ///< empty: the page calls it by its number
  /// In the units of the data, one entry per name in DataSet::column_names: amounts, and shares of
  /// levels of a category.
  std::vector<double> centre{};
  double mass_x = 0.0, mass_y = 0.0;
  std::vector<double> shift{};  ///< mean of its members in Y minus that in X; empty when unknown
  std::optional<double> shift_size{};     ///< length of the shift in deviations of the component
  std::optional<double> spread_change{};  ///< log of its deviation in Y over that in X
  std::optional<double> contribution{};   ///< its share of what changed, in [0, 1]
  std::optional<double> p{};              ///< corrected for the number of components
  MemberStatus status = MemberStatus::shared;
  std::optional<double> distance{};                     ///< W between its members in X and in Y
  std::optional<double> null_distance{};                ///< its mean under sampling noise alone
  std::optional<double> p_raw{};                        ///< not corrected
  std::optional<std::size_t> members_x{}, members_y{};  ///< rows compared
  std::vector<ColumnMove> columns_moved{};              ///< none unless the status is `shifted`
  bool operator==(const ComponentResult&) const = default;
};

/// A column in which two components lie apart, in the units of the data.
struct ColumnGap {
  std::string column{};
  std::string level{};  ///< of a category, or "missing": from and to are then shares
  double from = 0.0, to = 0.0;
  double deviations = 0.0;  ///< to - from in deviations of the components
  bool operator==(const ColumnGap&) const = default;
};

/// A component that is gone and a new one that may be one group which moved: a hint, no test.
struct PossibleMove {
  std::size_t gone = 1, appeared = 1;  ///< numbers of components, counted from 1
  double deviations = 0.0;             ///< between their centres
  std::vector<ColumnGap> columns{};    ///< the most telling first
  bool operator==(const PossibleMove&) const = default;
};

/// A region where one sample has more rows than another mix of the same members allows.
struct RegionResult {
  double share_x = 0.0, share_y = 0.0;  ///< of the rows tested
  double p = 1.0;
  std::vector<double> centre{};  ///< in the coordinates of the data
  bool operator==(const RegionResult&) const = default;
};

/// What the verdict of a comparison rests on.
struct CompareEvidence {
  double p_energy = 1.0, p_score = 1.0;                         ///< behind p_same
  double p_ratio = 1.0, p_ratio_narrow = 1.0, p_members = 1.0;  ///< behind p_components
  double share_bound = 1.0;     ///< largest factor by which a shared member's share may change
  double smallest_share = 1.0;  ///< a new or vanished member of this share would be noticed
  std::vector<KReading> k_readings{};
  std::optional<RegionResult> more_in_y{}, more_in_x{};
  double p_fit = 1.0, misfit_x = 1.0, misfit_y = 1.0;  ///< of the family of components
  bool operator==(const CompareEvidence&) const = default;
};

/// How large the change is, between bounds that hold with `confidence` each.
struct EffectResult {
  double mix_change = 0.0;  ///< total variation between pi_x and pi_y
  Interval mix_change_interval{};
  double largest_share_change = 0.0;  ///< of a single component
  Interval largest_share_change_interval{};
  double members_moved = 0.0;  ///< largest W1 of members along a column, in their deviations
  Interval members_moved_interval{};
  double score_change = 0.0;  ///< share of rows by which the scores of X and Y differ
  Interval score_change_interval{};
  double min_share = 0.0, min_deviations = 0.0;  ///< what counts as a change
  double confidence = 0.95;
  bool equivalent = false;        ///< mix and members changed by less than that, if at all
  bool below_min_effect = false;  ///< significant, but shown to be smaller
  std::string sentence{};         ///< how large a change could be
  bool operator==(const EffectResult&) const = default;
};

/// `nw compare`: what changed, the mix or the members?
/// One of several ways to the shares of known classes in Y; those in use are the first's, with
/// wider intervals.
struct ShareRoute {
  std::string name{};                ///< likelihood, confusion, energy or transport
  std::vector<double> share{};       ///< one per class, in the order of pi
  std::vector<Interval> interval{};  ///< likewise
  bool operator==(const ShareRoute&) const = default;
};

struct CompareResult {
  double wasserstein = 0.0;                   ///< W(P_X, P_Y)
  double normalized_wasserstein = 0.0;        ///< W_N(P_X, P_Y) [NW:def]
  std::optional<double> wasserstein_floor{};  ///< W if X and Y were samples of one distribution
  std::optional<double> normalized_floor{};   ///< W_N if only sampling noise remained
  std::size_t k = 0;
  std::vector<double> pi_x{}, pi_y{};
  std::vector<Interval> pi_x_interval{}, pi_y_interval{};  ///< empty, or one per component
  std::optional<double> p_same{}, p_components{};
  Verdict verdict = Verdict::undecided;
  std::vector<ComponentResult> components{};  ///< k of them, in the order of pi
  std::vector<PossibleMove> possible_moves{};
  std::string reason{};                  ///< why the verdict is undecided
  std::optional<Interval> k_interval{};  ///< the k that the data do not rule out
  std::optional<CompareEvidence> evidence{};
  std::optional<EffectResult> effect{};
  /// Components, counted from 1, that a reader may take for one member; empty where each stands for
  /// itself.
  std::vector<std::vector<std::size_t>> members{};
  std::vector<ShareRoute> share_routes{};  ///< where the classes of X are known
  bool operator==(const CompareResult&) const = default;
};

/// One point of the curve NW(k).
struct CurvePoint {
  std::size_t k = 0;
  double nw = 0.0;
  std::optional<double> nw_low{}, nw_high{};
  std::optional<double> floor_low{}, floor_high{};  ///< what sampling noise alone would give
  bool operator==(const CurvePoint&) const = default;
};

/// `nw choose-k`: the curve and k* by Theorem 1 of the paper.
struct ModeChoice {
  std::size_t k = 0;                   ///< k*
  std::vector<CurvePoint> curve{};     ///< in increasing k
  std::vector<std::string> reasons{};  ///< why k*, in words
  bool operator==(const ModeChoice&) const = default;
};

/// A further number worth showing: an effect size, an accuracy, a number of the paper beside ours.
struct Metric {
  std::string name{};   ///< key in JSON, such as "nw_over_w"
  std::string label{};  ///< for people; empty: the name
  double value = 0.0;
  std::optional<Interval> interval{};
  std::optional<double> expected{};  ///< the paper's figure, or the truth where it is known
  bool operator==(const Metric&) const = default;
};

/// Values over steps (or another running quantity), drawn as one line.
struct Series {
  std::string name{};
  std::string x_label{}, y_label{};
  std::vector<double> x{}, y{};  ///< of equal length
  std::string chart{};           ///< series that name the same chart share it; empty: its own
  bool operator==(const Series&) const = default;
};

/// An image to look at, such as a sheet of generated or restored images.
struct Picture {
  std::string title{}, caption{};
  std::size_t width = 0, height = 0;  ///< pixels of the page
  std::string png{};                  ///< the bytes of a PNG file in base64
  bool operator==(const Picture&) const = default;
};

using SettingValue = std::variant<bool, std::int64_t, double, std::string>;

/// Everything one run reports. Members that do not apply stay empty.
struct RunRecord {
  RunKind kind = RunKind::compare;
  std::string command{};   ///< the subcommand: "compare", "gan", …
  std::string title{};     ///< heading of the page; empty: made from the data sets' names
  std::string sentence{};  ///< the answer in one plain sentence
  std::vector<std::string> details{};   ///< what the answer rests on, a sentence each
  std::vector<std::string> warnings{};  ///< what the reader must know before trusting it

  std::vector<DataSet> data{};           ///< X first, then Y where there is one
  std::vector<ColumnSummary> columns{};  ///< of tables, in the order of the file
  std::optional<DistanceResult> distance{};
  std::optional<TransportSummary> transport{};
  std::optional<PairSummary> pairs{};
  std::optional<CertificateSummary> certificate{};
  std::optional<CompareResult> compare{};
  std::optional<ModeChoice> mode_choice{};
  std::optional<ClusteringSummary> clustering{};
  std::optional<GenerationSummary> generation{};
  std::optional<AdaptationSummary> adaptation{};
  std::optional<DenoisingSummary> denoising{};
  std::vector<std::pair<std::string, double>> scores{};  ///< what a cell of a table shows of it
  std::vector<Metric> metrics{};
  std::vector<Series> series{};
  std::optional<Figure> figure{};
  std::vector<Picture> pictures{};

  bool converged = true;
  double seconds = 0.0;
  double peak_rss_mb = 0.0;
  std::vector<std::uint64_t> seeds{};
  std::string created{};  ///< ISO 8601, written by the application; empty when unknown
  std::vector<std::pair<std::string, SettingValue>> settings{};  ///< in the order to show
  std::vector<std::pair<std::string, std::string>> versions{};   ///< nw first

  /// What a file held that this version does not know, as the text of one JSON object (or empty).
  /// It survives reading and writing; nothing but the reader sets it.
  std::string extra{};

  bool operator==(const RunRecord&) const = default;

  /// Throws InvalidArgument naming the first member whose length or value contradicts another.
  void validate() const;
};

[[nodiscard]] const char* to_string(RunKind kind);

/// The JSON object of a record: what `--json` writes and a run directory keeps as result.json.
/// Not-a-number and infinities become null. `indent` < 0 writes a single line.
[[nodiscard]] std::string to_json(const RunRecord& record, int indent = 2);

/// A field that no other place of a page shows: one value, or a list of them.
struct FurtherField {
  std::string name{};
  std::vector<SettingValue> values{};
};

/// Those of the application that made the record, then those of `extra`. Objects, lists of lists
/// and what has no value are left out.
[[nodiscard]] std::vector<FurtherField> further_fields(const RunRecord& record);

/// Reads what to_json wrote. Absent fields keep their defaults. Throws IoError that starts with
/// `source` and names the field (or the place of the syntax error) and what was found there.
[[nodiscard]] RunRecord from_json(const std::string& text, const std::string& source = "record");

/// Reads a record file, or result.json inside a run directory.
[[nodiscard]] RunRecord read_record(const std::string& path);

/// Writes a record file. Throws IoError.
void write_record(const std::string& path, const RunRecord& record);

}  // namespace nw::record
