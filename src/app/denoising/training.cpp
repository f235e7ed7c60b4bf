#include "app/denoising/training.hpp"

#include "nw/base/error.hpp"
#include "nw/base/matrix_rows.hpp"
#include "nw/base/number_text.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/ot/wasserstein.hpp"
#include "nw/record/picture.hpp"
#include "nw/record/projection.hpp"
#include "nw/run/training_record.hpp"
#include "nw/train/state_tensors.hpp"

#include "app/learning/loop_spacing.hpp"
#include "app/learning/session.hpp"

namespace nw::app {
namespace {

using adapt::DenoiseMethod;

// Embeddings between which distances are measured; more hardly sharpen them.
constexpr std::size_t kMeasuredRows = 2000;
enum Stream : std::uint64_t { kGame = 201, kMixtureRows = 202 };

Matrix some_rows(const Matrix& all) {
  return rows_at(all, record::spread_indices(all.rows(), kMeasuredRows));
}

double distance(const Matrix& x, const Matrix& y, int threads) {
  ot::WassersteinOptions options;
  options.threads = threads;
  return ot::wasserstein({.points = x}, {.points = y}, options).distance;
}

std::string sentence_of(const adapt::DenoiseOptions& options, const DenoiseOutcome& outcome) {
  const std::string end = outcome.loop.end == train::LoopEnd::finished
                              ? ""
                              : concat(" (", to_string(outcome.loop.end), ")");
  const std::string start =
      concat("After ", outcome.loop.steps, " steps", end, " of ", to_string(options.method));
  if (outcome.target_error) {
    return concat(start, " denoised target rows lie ", significant(*outcome.target_error),
                  " from their originals (mean squared error of a value).");
  }
  return concat(start, " noise of variance ", significant(outcome.residual_variance),
                " was taken off the target rows.");
}

/// Some target images: as they came, denoised, and as they were where that is known.
std::optional<record::Picture> sheet_of(const DenoisingData& data, const DenoiseOutcome& outcome) {
  constexpr std::size_t kShownImages = 20;
  if (!data.source.image || data.source.image->channels % 2 == 0) return std::nullopt;
  const auto chosen = record::spread_indices(data.target.size(), kShownImages);
  record::ImageSheet sheet{.shape = *data.source.image};
  const auto add = [&](const Matrix& from) { sheet.lines.push_back(rows_at(from, chosen)); };
  add(data.target.values);
  add(outcome.denoised);
  if (data.clean_target) add(data.clean_target->values);
  return draw_sheet(sheet, "Denoised images",
                    concat("Target images: as they came, denoised",
                           data.clean_target ? ", and their originals." : "."));
}

}  // namespace

void check_data(const DenoisingData& data, DenoiseMethod method) {
  io::require_same_dimension(data.source, data.target);
  if (!data.clean_target) {
    require(method != DenoiseMethod::oracle,
            "the oracle learns from originals of the target: clean_target is missing");
    return;
  }
  io::require_same_dimension(data.source, *data.clean_target);
  if (data.clean_target->size() != data.target.size()) {
    throw IoError(concat(data.clean_target->source, " has ", data.clean_target->size(),
                         " rows for the ", data.target.size(), " of ", data.target.source));
  }
}

DenoiseOutcome train_networks(const DenoisingData& data, const DenoiseTraining& how,
                              run::RunDirectory* directory) {
  const auto& options = how.options;
  check_data(data, options.method);
  const Rng rng(how.seed);
  const auto scale = adapt::fit_scale(data.source);
  adapt::DenoiseData rows{.source = scale.to_network(data.source.values),
                          .target = scale.to_network(data.target.values),
                          .clean_target = {}};
  if (options.method == DenoiseMethod::oracle) {
    rows.clean_target = scale.to_network(data.clean_target->values);
  }
  const torch::Device device = choose_device(how.device);
  adapt::DenoiseGame game(options, rows, rng.split(kGame), device);

  DenoiseOutcome outcome;
  std::vector<run::MetricsRow> lines;
  const auto observer = [&](const train::LoopProgress& at) {
    if (directory == nullptr && at.logged) {
      run::MetricsRow row{.step = at.step};
      for (const auto& [name, value] : at.values) row.values.emplace_back(name, value);
      for (std::size_t s = 0; s < at.proportions.size(); ++s) {
        row.values.emplace_back(s == 0 ? "pi_source" : "pi_target", at.proportions[s]);
      }
      lines.push_back(std::move(row));
    }
    return !how.observer || how.observer(at);
  };
  outcome.loop = train::play(game, spaced_loop(how.options.steps, how.checkpoint_every),
                             {.directory = directory, .observer = observer});
  outcome.series = run::metric_series(lines);

  const auto embed = [&](const torch::Tensor& of) {
    return bridge::to_matrix(adapt::embed_rows(game.model(), of));
  };
  outcome.source_embedding = embed(rows.source);
  outcome.target_embedding = embed(rows.target);
  outcome.denoised = scale.to_data(adapt::denoise_rows(game.model(), rows.target));
  outcome.source_error = adapt::mean_square(
      scale.to_data(adapt::denoise_rows(game.model(), rows.source)), data.source.values);
  outcome.residual_variance = adapt::residual_variance(data.target.values, outcome.denoised);
  if (data.clean_target) {
    outcome.target_error = adapt::mean_square(outcome.denoised, data.clean_target->values);
  }
  const Matrix source = some_rows(outcome.source_embedding);
  const Matrix target = some_rows(outcome.target_embedding);
  outcome.wasserstein = distance(source, target, how.threads);
  if (const auto pi = game.proportions(); !pi.empty()) {
    outcome.pi_source = pi[0];
    outcome.pi_target = pi[1];
    double total = 0.0;
    for (std::size_t s = 0; s < 2; ++s) {
      const Matrix& real = s == 0 ? source : target;
      const auto drawn =
          game.sample(static_cast<std::int64_t>(real.rows()), s, rng.split(kMixtureRows).split(s));
      total += distance(real, bridge::to_matrix(drawn.rows), how.threads);
    }
    outcome.normalized_wasserstein = total;
  }
  outcome.model = adapt::make_denoiser(adapt::denoiser_json(options.network, scale), "denoiser");
  outcome.model.step = outcome.loop.steps;
  train::StateTensors(game.model_state()).restore(outcome.model.state());
  return outcome;
}

void describe_denoising(const adapt::DenoiseOptions& options, const DenoisingData& data,
                        const DenoiseOutcome& outcome, record::RunRecord& record) {
  record.sentence = sentence_of(options, outcome);
  record.warnings = outcome.loop.warnings;
  record.details = {"Points are embeddings f(x): X of the source, Y of the target."};
  if (!outcome.pi_source.empty()) {
    std::string text = "Proportions of the components, source against target:";
    for (std::size_t j = 0; j < outcome.pi_source.size(); ++j) {
      text += concat(j == 0 ? " " : ", ", significant(outcome.pi_source[j], 3), " / ",
                     significant(outcome.pi_target[j], 3));
    }
    record.details.push_back(text + ".");
  }
  if (outcome.target_error) {
    record.metrics.push_back({.name = "err_recons_target",
                              .label = "Squared error of the denoised target",
                              .value = *outcome.target_error});
  }
  record.metrics.push_back({.name = "err_recons_source",
                            .label = "Squared error of the source",
                            .value = outcome.source_error});
  record.metrics.push_back({.name = "residual_variance",
                            .label = "Variance of what was taken off",
                            .value = outcome.residual_variance});
  record.metrics.push_back(
      {.name = "wasserstein", .label = "W between embeddings", .value = outcome.wasserstein});
  if (outcome.normalized_wasserstein) {
    record.metrics.push_back({.name = "normalized_wasserstein",
                              .label = "W_N between embeddings",
                              .value = *outcome.normalized_wasserstein});
  }
  record.series = outcome.series;
  const record::Projection projection(outcome.source_embedding, outcome.target_embedding);
  record.figure = start_figure(projection, outcome.source_embedding, outcome.target_embedding);
  if (auto sheet = sheet_of(data, outcome)) record.pictures.push_back(std::move(*sheet));
  record.converged = outcome.loop.end == train::LoopEnd::finished;
  record.settings = {{"method", std::string(to_string(options.method))},
                     {"k", options.components},
                     {"steps", options.steps},
                     {"initial steps", options.initial_steps},
                     {"batch", options.game.batch},
                     {"lambda", options.weight},
                     {"embedding", options.network.embedding},
                     {"channels", options.network.channels},
                     {"distance", std::string(to_string(options.form))}};
  record.denoising = {.method = to_string(options.method),
                      .err_recons_target = outcome.target_error,
                      .err_recons_source = outcome.source_error,
                      .residual_variance = outcome.residual_variance,
                      .pi_source = outcome.pi_source,
                      .pi_target = outcome.pi_target,
                      .wasserstein = outcome.wasserstein,
                      .normalized_wasserstein = outcome.normalized_wasserstein,
                      .k = static_cast<std::uint64_t>(options.components),
                      .rows_source = data.source.size(),
                      .rows_target = data.target.size(),
                      .steps = static_cast<std::uint64_t>(outcome.loop.steps),
                      .end = to_string(outcome.loop.end),
                      .recoveries = static_cast<std::uint64_t>(outcome.loop.recoveries)};
}

}  // namespace nw::app
