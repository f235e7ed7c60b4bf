#include "cli/torch/gan_record.hpp"

#include <algorithm>
#include <iostream>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/record/picture.hpp"
#include "nw/record/projection.hpp"
#include "nw/record/start_record.hpp"

#include "cli/text_table.hpp"

namespace nw::cli {
namespace {

constexpr std::size_t kTilesPerLine = 10, kFewestLines = 4, kMostLines = 20;

/// "_x" and "_y" of two data sets, nothing of one.
const char* suffix_of(const GanOutcome& outcome, std::size_t side) {
  return !outcome.two_data_sets() ? "" : (side == 0 ? "_x" : "_y");
}

Json extra_of(const gan::GanOptions& options, const GanOutcome& outcome) {
  Json extra{{"method", to_string(options.method)},
             {"k", options.generator.components},
             {"steps", outcome.loop.steps},
             {"end", to_string(outcome.loop.end)},
             {"recoveries", outcome.loop.recoveries}};
  if (outcome.two_data_sets()) {
    extra["pi_x"] = outcome.pi[0];
    extra["pi_y"] = outcome.pi[1];
    extra["wasserstein_x"] = outcome.distance[0].distance;
    extra["wasserstein_y"] = outcome.distance[1].distance;
    extra["normalized_wasserstein"] = outcome.total_distance();
  } else {
    extra["pi"] = outcome.pi[0];
    extra["wasserstein"] = outcome.total_distance();
  }
  for (std::size_t s = 0; s < outcome.floor.size(); ++s) {
    if (outcome.floor[s]) {
      extra[concat("wasserstein_floor", suffix_of(outcome, s))] = *outcome.floor[s];
    }
  }
  // Not in units of distance under clipping, and no bound: they are what training saw last.
  for (const auto& [name, value] : outcome.last_values) extra["last_values"][name] = value;
  return extra;
}

std::vector<std::string> details_of(const GanOutcome& outcome) {
  std::vector<std::string> details;
  for (std::size_t s = 0; s < outcome.pi.size(); ++s) {
    const std::string of = !outcome.two_data_sets() ? "" : (s == 0 ? " of X" : " of Y");
    if (outcome.pi[s].size() > 1) {
      details.push_back(concat("Components hold ", percentages(outcome.pi[s]), of, "."));
    }
    if (outcome.floor[s]) {
      details.push_back(concat("Two samples of the data themselves", of,
                               " lie at W = ", significant(*outcome.floor[s]), "."));
    }
  }
  return details;
}

std::string sentence_of(const gan::GanOptions& options, const GanOutcome& outcome) {
  const std::string end = outcome.loop.end == train::LoopEnd::finished
                              ? ""
                              : concat(" (", to_string(outcome.loop.end), ")");
  const std::string value = significant(outcome.total_distance());
  if (outcome.two_data_sets()) {
    return concat("After ", outcome.loop.steps, " steps", end, " a shared mixture of ",
                  options.generator.components, " components lies at W_N = ", value,
                  " from held-out rows of X and Y.");
  }
  return concat("After ", outcome.loop.steps, " steps", end, " generated rows lie at W = ", value,
                " from held-out rows.");
}

/// The certificate of both exact distances together, in the fields of `nw distance`.
record::DistanceResult dual_distance(const GanOutcome& outcome) {
  record::DistanceResult result{.distance = outcome.total_distance(), .method = "nw-dual"};
  double primal = 0.0, dual = 0.0;
  for (const auto& distance : outcome.distance) {
    primal += distance.primal;
    dual += distance.dual;
  }
  result.primal = primal;
  result.dual = dual;
  result.gap = primal - dual;
  return result;
}

/// Generated images, a line for each component; a single component gets several lines. Components
/// of a small share may lack some.
std::vector<Matrix> lines_by_component(const GanOutcome& outcome) {
  const Matrix& rows = outcome.generated[0];
  const std::size_t k = outcome.pi[0].size();
  std::vector<Matrix> lines(k == 1 ? kFewestLines : std::min(k, kMostLines),
                            Matrix(kTilesPerLine, rows.cols()));
  std::vector<std::size_t> used(lines.size(), 0);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const std::size_t j = k == 1 ? i / kTilesPerLine : outcome.component_of[0][i];
    if (j >= lines.size() || used[j] == kTilesPerLine) continue;
    std::copy(rows.row(i).begin(), rows.row(i).end(), lines[j].row(used[j]++).begin());
  }
  return lines;
}

/// Evenly spread rows of the data: files are often sorted by class.
std::vector<Matrix> lines_of_data(const io::PointSet& data, std::size_t count) {
  std::vector<Matrix> lines(count, Matrix(kTilesPerLine, data.dimension()));
  const std::size_t total = count * kTilesPerLine;
  for (std::size_t i = 0; i < std::min(total, data.size()); ++i) {
    const auto row = data.values.row(i * data.size() / std::min(total, data.size()));
    std::copy(row.begin(), row.end(), lines[i / kTilesPerLine].row(i % kTilesPerLine).begin());
  }
  return lines;
}

std::vector<record::Picture> pictures_of(const io::PointSet& data, const GanOutcome& outcome) {
  const bool several = outcome.pi[0].size() > 1;
  auto generated = lines_by_component(outcome);
  const std::size_t count = std::max(generated.size(), kFewestLines);
  return {
      record::draw_sheet(
          {.lines = std::move(generated), .shape = *data.image}, "Generated",
          several ? concat("A line for each component; they hold ", percentages(outcome.pi[0]), ".")
                  : std::string()),
      record::draw_sheet({.lines = lines_of_data(data, count), .shape = *data.image}, "Data", "")};
}

}  // namespace

double GanOutcome::total_distance() const {
  double total = 0.0;
  for (const auto& part : distance) total += part.distance;
  return total;
}

record::RunRecord gan_record(const GanArguments& arguments, const gan::GanOptions& options,
                             const Inputs& inputs, const GanOutcome& outcome) {
  auto record =
      record::start_record(record::RunKind::training, arguments.command, arguments.common.seed);
  record.sentence = sentence_of(options, outcome);
  record.details = details_of(outcome);
  record.warnings = outcome.loop.warnings;
  record.data = {record::describe(inputs.x, arguments.inputs.x)};
  if (outcome.two_data_sets())
    record.data.push_back(record::describe(inputs.y, arguments.inputs.y));
  if (arguments.command == "distance") record.distance = dual_distance(outcome);
  for (std::size_t s = 0; s < outcome.distance.size(); ++s) {
    const char* of = !outcome.two_data_sets() ? "" : (s == 0 ? " of X" : " of Y");
    record.metrics.push_back({.name = concat("wasserstein", suffix_of(outcome, s)),
                              .label = concat("W to held-out rows", of),
                              .value = outcome.distance[s].distance});
  }
  record.series = outcome.series;
  const MatrixView drawn =
      outcome.two_data_sets() ? inputs.y.values.view() : outcome.generated[0].view();
  const record::Projection projection(inputs.x.values, drawn, inputs.x.column_names);
  record.figure = start_figure(projection, inputs.x.values, drawn);
  if (inputs.x.image) record.pictures = pictures_of(inputs.x, outcome);
  record.converged = outcome.loop.end == train::LoopEnd::finished;
  record.peak_rss_mb = peak_rss_mb();
  record.settings = {{"method", std::string(to_string(options.method))},
                     {"recipe", std::string(to_string(arguments.recipe))},
                     {"k", options.generator.components},
                     {"steps", options.steps},
                     {"batch", options.game.batch},
                     {"critic steps", options.game.critic_steps},
                     {"lipschitz", std::string(to_string(options.game.lipschitz))},
                     {"allocation", std::string(to_string(options.game.allocation))}};
  record.extra = extra_of(options, outcome).dump();
  return record;
}

void print_gan(const CommonOptions& common, const record::RunRecord& record,
               const GanOutcome& outcome) {
  if (!common.human_output()) return;
  if (common.quiet) {
    std::cout << significant(outcome.total_distance()) << '\n';
    return;
  }
  std::cout << record.sentence << '\n';
  for (const std::string& detail : record.details) std::cout << "  " << detail << '\n';
  for (const std::string& warning : record.warnings) std::cout << "- " << warning << '\n';
  std::cout << significant(record.seconds, 3) << " s, " << significant(record.peak_rss_mb, 3)
            << " MB\n";
}

}  // namespace nw::cli
