#include "nw/app/compare/model_scores.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"

#include "app/compare/known_classes.hpp"
#include "io/json_value.hpp"

namespace nw::app {
namespace {

std::optional<std::size_t> find(const std::vector<std::string>& names, const std::string& name) {
  const auto place = std::ranges::find(names, name);
  if (place == names.end()) return std::nullopt;
  return static_cast<std::size_t>(place - names.begin());
}

// The class that a column of scores is named after.
std::optional<std::size_t> class_of_column(const std::string& column,
                                           const std::vector<std::string>& classes) {
  for (const std::string before : {"", "p_", "prob_", "proba_", "score_", "class_"}) {
    if (!column.starts_with(before)) continue;
    if (const auto place = find(classes, column.substr(before.size()))) return place;
  }
  return std::nullopt;
}

/// [class] -> column of the file; by name if every class has one, else by order.
std::vector<std::size_t> columns_of_classes(const io::PointSet& scores,
                                            const std::vector<std::string>& classes,
                                            const std::string& path) {
  std::vector<std::optional<std::size_t>> named(classes.size());
  for (std::size_t c = 0; c < scores.column_names.size(); ++c) {
    if (const auto place = class_of_column(scores.column_names[c], classes)) named[*place] = c;
  }
  std::vector<std::size_t> columns;
  if (std::ranges::all_of(named, [](const auto& place) { return place.has_value(); })) {
    for (const auto& place : named) columns.push_back(*place);
    return columns;
  }
  if (scores.dimension() != classes.size()) {
    throw IoError(concat(path, ": ", scores.dimension(), " columns of scores for ", classes.size(),
                         " classes; name the columns after the classes"));
  }
  for (std::size_t c = 0; c < classes.size(); ++c) columns.push_back(c);
  return columns;
}

Matrix columns_at(const Matrix& values, const std::vector<std::size_t>& columns) {
  Matrix result(values.rows(), columns.size());
  for (std::size_t i = 0; i < values.rows(); ++i) {
    for (std::size_t c = 0; c < columns.size(); ++c) result(i, c) = values(i, columns[c]);
  }
  return result;
}

}  // namespace

ModelScores read_model_scores(const std::string& x, const std::string& y,
                              const io::LoadOptions& load) {
  const io::PointSet scores_x = io::load_points(x, load);
  if (!scores_x.labels) {
    throw IoError(concat(x, ": the true classes are missing; say where with `label_column`"));
  }
  io::LoadOptions of_y = load;
  of_y.labels_file.clear();
  io::PointSet scores_y;
  try {
    scores_y = io::load_points(y, of_y);
  } catch (const IoError&) {
    of_y.label_column.clear();  // Y need not have one
    scores_y = io::load_points(y, of_y);
  }
  const KnownClasses known = known_classes(*scores_x.labels);
  const auto in_x = columns_of_classes(scores_x, known.names, x);
  const auto in_y = columns_of_classes(scores_y, known.names, y);
  return {.x = columns_at(scores_x.values, in_x),
          .y = columns_at(scores_y.values, in_y),
          .class_of_x = known.class_of,
          .names = known.names};
}

measure::LabelShiftResult compare_model_scores(const ModelScores& scores,
                                               const measure::LabelShiftOptions& options,
                                               std::uint64_t seed) {
  measure::LabelShiftOptions named = options;
  named.class_names = scores.names;
  Rng rng(seed);
  return measure::label_shift({scores.x, scores.class_of_x, scores.y}, named, rng);
}

std::string model_score_fields(const ModelScores& scores, const measure::LabelShiftResult& result) {
  const auto estimate = [](const measure::ShareEstimate& found) {
    Json intervals = Json::array();
    for (const auto& [low, high] : found.interval) intervals.push_back(Json::array({low, high}));
    return Json{{"share", found.share}, {"interval", intervals}};
  };
  return Json{{"kind", "label-shift"},
              {"sentence", result.sentence},
              {"n", scores.x.rows()},
              {"m", scores.y.rows()},
              {"classes", scores.names},
              {"share_x", result.share_x},
              {"shares", estimate(result.shares)},
              {"likelihood", estimate(result.likelihood)},
              {"confusion", estimate(result.confusion)},
              {"transport", estimate(result.transport)},
              {"p", result.p},
              {"tenable", result.tenable},
              {"temperature", result.temperature},
              {"bias", result.bias}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace nw::app
