#include "app/generation/generation_record.hpp"

#include <algorithm>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/record/picture.hpp"
#include "nw/record/projection.hpp"
#include "nw/record/start_record.hpp"

namespace nw::app {
namespace {

constexpr std::size_t kTilesPerLine = 10, kFewestLines = 4, kMostLines = 20;

/// "_x" and "_y" of two data sets, nothing of one.
const char* suffix_of(const GenerationResult& outcome, std::size_t side) {
  return !outcome.two_data_sets() ? "" : (side == 0 ? "_x" : "_y");
}

record::GenerationSummary summary_of(const gan::GanOptions& options,
                                     const GenerationResult& outcome) {
  record::GenerationSummary summary{.method = to_string(options.method),
                                    .k = static_cast<std::size_t>(options.generator.components),
                                    .steps = static_cast<std::uint64_t>(outcome.steps),
                                    .end = outcome.end,
                                    .recoveries = static_cast<std::uint64_t>(outcome.recoveries),
                                    .pi = outcome.pi,
                                    .floor = outcome.floor,
                                    .last_values = outcome.last_values};
  for (const auto& distance : outcome.distance) summary.wasserstein.push_back(distance.distance);
  return summary;
}

std::vector<std::string> details_of(const GenerationResult& outcome) {
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

std::string sentence_of(const gan::GanOptions& options, const GenerationResult& outcome) {
  const std::string end = outcome.finished() ? "" : concat(" (", outcome.end, ")");
  const std::string value = significant(outcome.total_distance());
  if (outcome.two_data_sets()) {
    return concat("After ", outcome.steps, " steps", end, " a shared mixture of ",
                  options.generator.components, " components lies at W_N = ", value,
                  " from held-out rows of X and Y.");
  }
  return concat("After ", outcome.steps, " steps", end, " generated rows lie at W = ", value,
                " from held-out rows.");
}

/// The certificate of both exact distances together, in the fields of `nw distance`.
record::DistanceResult dual_distance(const GenerationResult& outcome) {
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
std::vector<Matrix> lines_by_component(const GenerationResult& outcome) {
  const Matrix& rows = outcome.generated[0].rows;
  const std::size_t k = outcome.pi[0].size();
  std::vector<Matrix> lines(k == 1 ? kFewestLines : std::min(k, kMostLines),
                            Matrix(kTilesPerLine, rows.cols()));
  std::vector<std::size_t> used(lines.size(), 0);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const std::size_t j = k == 1 ? i / kTilesPerLine : outcome.generated[0].component_of[i];
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

std::vector<record::Picture> pictures_of(const io::PointSet& data,
                                         const GenerationResult& outcome) {
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

double GenerationResult::total_distance() const {
  double total = 0.0;
  for (const auto& part : distance) total += part.distance;
  return total;
}

record::RunRecord generation_record(const TrainingReport& report) {
  const auto& [data, asked, options, result, command] = report;
  auto record = record::start_record(record::RunKind::training, command, asked.seed);
  record.sentence = sentence_of(options, result);
  record.details = details_of(result);
  record.warnings = result.warnings;
  record.data = {record::describe(data.x, data.name_x)};
  if (data.y != nullptr) record.data.push_back(record::describe(*data.y, data.name_y));
  if (command == "distance") record.distance = dual_distance(result);
  for (std::size_t s = 0; s < result.distance.size(); ++s) {
    const char* of = !result.two_data_sets() ? "" : (s == 0 ? " of X" : " of Y");
    record.metrics.push_back({.name = concat("wasserstein", suffix_of(result, s)),
                              .label = concat("W to held-out rows", of),
                              .value = result.distance[s].distance});
  }
  record.series = result.series;
  const MatrixView drawn =
      data.y != nullptr ? data.y->values.view() : result.generated[0].rows.view();
  const record::Projection projection(data.x.values, drawn, data.x.column_names);
  record.figure = start_figure(projection, data.x.values, drawn);
  if (data.x.image) record.pictures = pictures_of(data.x, result);
  record.converged = result.finished();
  record.peak_rss_mb = peak_rss_mb();
  record.settings = {{"method", std::string(to_string(options.method))},
                     {"recipe", std::string(to_string(asked.recipe))},
                     {"k", options.generator.components},
                     {"steps", options.steps},
                     {"batch", options.game.batch},
                     {"critic steps", options.game.critic_steps},
                     {"lipschitz", std::string(to_string(options.game.lipschitz))},
                     {"allocation", std::string(to_string(options.game.allocation))}};
  record.generation = summary_of(options, result);
  return record;
}

}  // namespace nw::app
