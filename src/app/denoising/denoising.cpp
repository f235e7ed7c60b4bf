#include "nw/app/denoising/denoising.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "nw/adapt/denoise_fields.hpp"
#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/record/start_record.hpp"
#include "nw/report/html_report.hpp"
#include "nw/run/training_record.hpp"

#include "app/denoising/training.hpp"
#include "app/learning/file_bytes.hpp"
#include "app/learning/option_values.hpp"
#include "app/learning/session.hpp"
#include "app/learning/training_run.hpp"
#include "io/json_value.hpp"

namespace nw::app {
namespace {

namespace fs = std::filesystem;

adapt::DenoiseOptions training_options(const DenoisingOptions& options,
                                       const io::PointSet& source) {
  auto training = adapt::denoise_recipe(options.recipe, options.method, adapt::network_for(source));
  training.components = options.components;
  if (options.steps) training.set_steps(*options.steps);
  if (options.initial_steps) {
    training.initial_steps = *options.initial_steps;
    training.components_from = std::min(training.components_from, training.initial_steps);
  }
  if (options.batch) training.game.batch = *options.batch;
  if (options.embedding) training.network.embedding = *options.embedding;
  if (options.width) training.network.channels = *options.width;
  if (options.weight) training.weight = *options.weight;
  training.validate();
  return training;
}

/// Everything that decides the numbers of a run.
Json config_of(const DenoisingOptions& options, const adapt::DenoiseOptions& training,
               const DenoisingData& data, const record::RunRecord& record) {
  Json config{{"command", "denoise"},
              {"source", record.data[0].path},
              {"rows_source", data.source.size()},
              {"target", record.data[1].path},
              {"rows_target", data.target.size()},
              {"recipe", to_string(options.recipe)},
              {"seed", options.seed}};
  config.update(fields_json(training));
  config["device"] = options.device;
  config["model"] =
      Json::parse(adapt::denoiser_json(training.network, adapt::fit_scale(data.source)));
  return config;
}

/// What the run directory holds already.
Denoising repeat_finished(const DenoisingOptions& options, const DenoisingData& data) {
  Denoising result{.model = Denoiser::load(options.run.path),
                   .record = run::read_run(options.run.path),
                   .finished = true,
                   .repeated = true};
  result.denoised = result.model.denoise(data.target.values);
  return result;
}

}  // namespace

void DenoisingOptions::validate() const {
  require_fields_in_range("DenoisingOptions", *this);
  require(run.checkpoint_every >= 0,
          "DenoisingOptions.run.checkpoint_every must not be negative, got ", run.checkpoint_every);
}

Denoiser Denoiser::load(const fs::path& path) {
  if (!fs::is_directory(path)) return from_bytes(read_bytes(path), path.string());
  if (const auto file = run::model_file(path); fs::exists(file)) {
    return from_bytes(read_bytes(file), file.string());
  }
  const auto config = Json::parse(run::read_config(path));
  if (!config.contains("model")) {
    throw IoError(concat(path.string(), ": config.json describes no denoiser"));
  }
  return Denoiser(std::make_shared<adapt::TrainedDenoiser>(
      adapt::load_denoiser(path, config.at("model").dump())));
}

Denoiser Denoiser::from_bytes(std::span<const std::byte> bytes, const std::string& source) {
  return Denoiser(std::make_shared<adapt::TrainedDenoiser>(adapt::parse_denoiser(bytes, source)));
}

std::vector<std::byte> Denoiser::to_bytes() const {
  require(model_ != nullptr, "Denoiser: there is no model");
  return adapt::to_bytes(*model_);
}

void Denoiser::save(const fs::path& file) const {
  write_bytes(file, to_bytes());
}

Matrix Denoiser::denoise(MatrixView noisy) const {
  require(model_ != nullptr, "Denoiser: there is no model");
  return model_->denoise(noisy);
}

std::size_t Denoiser::dimension() const {
  return model_->scale.shift.size();
}

std::int64_t Denoiser::step() const {
  return model_->step;
}

DenoisedRows denoise_points(const Denoiser& model, const io::PointSet& noisy) {
  if (noisy.dimension() != model.dimension()) {
    throw IoError(concat(noisy.source, " has rows of ", noisy.dimension(),
                         " values, the model has learnt rows of ", model.dimension()));
  }
  DenoisedRows found{.rows = model.denoise(noisy.values)};
  found.removed_variance = removed_variance(noisy.values, found.rows);
  return found;
}

double removed_variance(MatrixView noisy, MatrixView denoised) {
  return adapt::residual_variance(noisy, denoised);
}

Denoising train_denoiser(const DenoisingData& data, const DenoisingOptions& options,
                         const ProgressObserver& observer) {
  options.validate();
  check_data(data, options.method);
  start_learning(options.threads);
  const auto training = training_options(options, data.source);
  Denoising result;
  auto& record = result.record;
  record = record::start_record(record::RunKind::training, "denoise", options.seed);
  const auto name_of = [](const std::string& name, const io::PointSet& points) {
    return name.empty() ? points.source : name;
  };
  record.data = {record::describe(data.source, name_of(data.source_name, data.source)),
                 record::describe(data.target, name_of(data.target_name, data.target))};
  auto directory = open_run(options.run, config_of(options, training, data, record).dump());
  if (directory && directory->finished()) return repeat_finished(options, data);
  const Stopwatch clock;
  auto outcome = train_networks(data,
                                {.options = training,
                                 .seed = options.seed,
                                 .device = options.device,
                                 .threads = options.threads,
                                 .checkpoint_every = options.run.checkpoint_every,
                                 .observer = loop_observer("denoise", observer, /*side=*/1)},
                                directory ? &*directory : nullptr);
  describe_denoising(training, data, outcome, record);
  record.settings.insert(record.settings.begin() + 1,
                         {"recipe", std::string(to_string(options.recipe))});
  record.seconds = directory ? directory->seconds() : clock.seconds();
  record.peak_rss_mb = peak_rss_mb();
  result.finished = outcome.loop.end == train::LoopEnd::finished;
  result.denoised = std::move(outcome.denoised);
  result.model = Denoiser(std::make_shared<adapt::TrainedDenoiser>(std::move(outcome.model)));
  if (!directory) return result;
  record.warnings.insert(record.warnings.end(), directory->warnings().begin(),
                         directory->warnings().end());
  if (result.finished) {
    result.model.save(run::model_file(directory->path()));
    record = directory->finish(std::move(record));
    report::write_html(directory->page_file(), {&record, 1});
  } else {
    record.series = run::metric_series(run::read_metrics(run::metrics_file(directory->path())));
  }
  return result;
}

}  // namespace nw::app
