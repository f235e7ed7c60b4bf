#include "nw/app/adaptation/adaptation.hpp"

#include <set>

#include <ATen/Context.h>
#include <nlohmann/json.hpp>

#include "nw/adapt/adapt_model.hpp"
#include "nw/adapt/weight_file.hpp"
#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/io/squarable.hpp"
#include "nw/record/start_record.hpp"
#include "nw/report/html_report.hpp"
#include "nw/run/training_record.hpp"
#include "nw/train/state_tensors.hpp"

#include "app/adaptation/adapt_record.hpp"
#include "app/adaptation/judge_outcome.hpp"
#include "app/adaptation/settings.hpp"
#include "app/adaptation/training.hpp"
#include "app/learning/class_features.hpp"
#include "app/learning/session.hpp"
#include "app/learning/training_run.hpp"
#include "io/json_value.hpp"

namespace nw::app {
namespace {

namespace fs = std::filesystem;

/// Whether it is one of the networks that recipes know by name.
bool names_network(const std::string& network) {
  return network == to_string(nn::FeatureKind::lenet) ||
         network == to_string(nn::FeatureKind::small);
}

/// Both domains, brought to one form.
struct Domains {
  adapt::InputForm form;
  adapt::Classes classes;
  std::vector<std::int64_t> source_class;
  std::vector<std::int64_t> target_class;  // for scoring; empty without labels
  std::vector<std::string> unknown;        // classes of the target that the source lacks
};

/// Names that are not a class of `classes`, each once.
std::vector<std::string> unknown_names(const io::Labels& labels, const adapt::Classes& classes) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::string name = labels.name_of(i);
    if (classes.index_of(name) < 0) names.insert(name);
  }
  return {names.begin(), names.end()};
}

void require_labels(const io::PointSet& points) {
  if (points.labels && points.labels->size() != points.size()) {
    throw IoError(concat(points.source, " has ", points.size(), " rows and ", points.labels->size(),
                         " labels"));
  }
}

Domains fit_domains(const AdaptationData& data) {
  const auto &source = data.source, &target = data.target;
  if (!source.labels) {
    throw IoError(concat(source.source, " has no labels: a source needs the class of every row"));
  }
  require_labels(source);
  require_labels(target);
  io::require_squarable(source);
  io::require_squarable(target);
  Domains domains;
  domains.form = adapt::fit_form(source, target);
  try {
    domains.classes = adapt::classes_of(*source.labels);
  } catch (const InvalidArgument& error) {
    throw IoError(concat(source.source, ": ", error.what()));
  }
  domains.source_class = domains.classes.indices_of(*source.labels);
  if (target.labels) {
    domains.target_class = domains.classes.indices_of(*target.labels);
    domains.unknown = unknown_names(*target.labels, domains.classes);
  }
  return domains;
}

/// What a network that is fine-tuned starts from; nothing where none is.
std::shared_ptr<const nn::NamedTensors> weights_to_tune(const AdaptationOptions& options,
                                                        const AdaptationData& data,
                                                        const adapt::InputForm& form) {
  if (options.fine_tune.empty()) return nullptr;
  if (!form.is_image()) {
    throw IoError(concat(data.source_name, " holds no images to fine-tune a network on"));
  }
  if (const auto channels = form.image.channels; channels != 1 && channels != 3) {
    throw IoError(concat(data.source_name, " has images of ", channels,
                         " channels: fine-tuning takes grey or colour images"));
  }
  return adapt::read_backbone_weights(options.fine_tune);
}

/// The network of images by name; nothing where the recipe decides.
std::optional<nn::FeatureKind> chosen_network(const AdaptationOptions& options,
                                              const AdaptationData& data,
                                              const adapt::InputForm& form) {
  if (!names_network(options.network)) return {};
  if (!form.is_image()) {
    throw IoError(
        concat(data.source_name, " holds no images, which network ", options.network, " is for"));
  }
  return nn::feature_kind_from_string(options.network);
}

/// The options with a network that is a file under its other name, `weights`.
AdaptationOptions with_network(AdaptationOptions options) {
  if (options.network == "auto" || names_network(options.network)) return options;
  require(fs::exists(options.network),
          "network must be auto, lenet, small or a file of weights, got ", options.network);
  options.weights = options.network;
  return options;
}

/// The options with method and recipe decided.
AdaptationOptions decided(AdaptationOptions options, const adapt::InputForm& form) {
  if (options.recipe == adapt::Recipe::automatic) {
    const bool robust = form.is_image() && options.weights.empty() && options.fine_tune.empty() &&
                        options.team == nullptr && choose_device(options.device).is_cuda();
    options.recipe = robust ? adapt::Recipe::robust : adapt::Recipe::best;
  }
  if (options.method == adapt::AdaptMethod::automatic) options.method = adapt::AdaptMethod::nw;
  return options;
}

adapt::AdaptOptions training_options(const AdaptationOptions& options, const AdaptationData& data,
                                     const Domains& domains) {
  auto training = adapt::recipe_options(
      options.recipe, options.method,
      {static_cast<std::int64_t>(domains.classes.size()), domains.form,
       static_cast<std::int64_t>(data.target.size()), weights_to_tune(options, data, domains.form),
       chosen_network(options, data, domains.form)});
  // Processes of a team share rows as they are: tables do without their views then.
  if (options.team != nullptr && !domains.form.is_image()) training.views = false;
  if (options.steps) training.steps = *options.steps;
  apply_settings(options.settings, training);
  training.team = options.team;
  return training;
}

adapt::ModelDescription describe_model(const AdaptationOptions& options,
                                       const adapt::AdaptOptions& training,
                                       const Domains& domains) {
  const auto split = holdout_of(domains.source_class, domains.classes.size(), options.seed);
  adapt::ModelDescription model{.method = training.method,
                                .features = training.features,
                                .classifier = training.classifier,
                                .form = domains.form,
                                .classes = domains.classes};
  model.prior = adapt::training_prior(
      training, adapt::class_shares(domains.source_class, split.training, domains.classes.size()));
  model.features.weights = nullptr;  // training replaces them
  return model;
}

/// Everything that decides the numbers of a run.
Json config_of(const AdaptationOptions& options, const AdaptationData& data,
               const adapt::AdaptOptions& training, const adapt::ModelDescription& model) {
  Json config{{"command", "adapt"},
              {"source", data.source_name},
              {"rows_source", data.source.size()},
              {"target", data.target_name},
              {"rows_target", data.target.size()},
              {"recipe", to_string(options.recipe)},
              {"seed", options.seed},
              {"device", options.device}};
  config.update(options_json(training));
  if (!options.weights.empty()) {
    config["weights"] = options.weights;
    config["windows"] = adapt::kFeatureWindows;
  }
  if (!options.fine_tune.empty()) config["fine_tune"] = options.fine_tune;
  config["model"] = Json::parse(adapt::to_json(model));
  return config;
}

/// A run that is judged when it ends is another one than the same training without.
Json with_safeguard(Json config, bool safe) {
  if (safe) config["safeguard"] = true;
  return config;
}

/// Images become rows of features of a network that stays as it is.
void take_features(const AdaptationOptions& options, AdaptationData& data) {
  if (options.weights.empty()) return;
  const auto backbone = adapt::load_backbone(options.weights);
  for (auto* points : {&data.source, &data.target}) {
    *points = features_of(
        *points,
        {.backbone = *backbone, .side = nn::kBackboneSide, .windows = adapt::kFeatureWindows});
  }
}

/// What the run directory holds already. Rows of `data` are features where the model takes some.
Adaptation repeat_finished(const AdaptationOptions& options, const AdaptationData& data) {
  Adaptation result{.model = AdaptedClassifier::load(options.run.path),
                    .record = run::read_run(options.run.path),
                    .finished = true,
                    .repeated = true};
  auto& model = *result.model.model();
  const auto device = choose_device(options.device);
  model.to(device);
  const auto target = model.predict(adapt::rows_of(data.target, model.description.form), device);
  result.target = {.predicted = target.predicted,
                   .probability = bridge::to_matrix(target.posterior)};
  return result;
}

/// Rows of both domains as networks see them. Those of `data` are let go: numbers in double
/// precision take eight times the memory.
AdaptTask task_of(const AdaptationOptions& options, const adapt::AdaptOptions& training,
                  const Domains& domains, AdaptationData& data) {
  AdaptTask task{.options = training,
                 .source = adapt::rows_of(data.source, domains.form),
                 .target = adapt::rows_of(data.target, domains.form),
                 .source_class = domains.source_class,
                 .seed = options.seed,
                 .device = choose_device(options.device),
                 .directory = nullptr,
                 .checkpoint_every = options.run.checkpoint_every};
  data.source.values = Matrix(1, data.source.dimension());
  data.target.values = Matrix(1, data.target.dimension());
  return task;
}

/// The run of the classifier without adaptation, inside that of the adapted one.
RunFolder plain_run(const RunFolder& run) {
  RunFolder inside = run;
  if (!run.path.empty()) inside.path = run.path / to_string(adapt::AdaptMethod::source_only);
  return inside;
}

/// Trains the same networks without the target, in the same number of steps. Says on the way how
/// far they agree with `adapted`.
AdaptOutcome train_plain(AdaptTask task, const AdaptationOptions& options, Json config,
                         const adapt::Prediction& adapted, const ProgressObserver& observer) {
  task.options = adapt::without_adaptation(task.options);
  config.update(options_json(task.options));
  config.erase("model");
  auto directory = open_run(plain_run(options.run), config.dump());
  task.directory = directory ? &*directory : nullptr;
  task.observer = loop_observer(to_string(task.options.method), observer);
  task.other = &adapted;
  at::manual_seed(options.seed);
  return train_classifier(std::move(task));
}

AdaptedClassifier trained_model(adapt::ModelDescription description, const AdaptOutcome& outcome) {
  description.prior = outcome.prior;
  auto model = std::make_shared<adapt::TrainedModel>(std::move(description));
  train::StateTensors(outcome.game->model_state()).restore(model->state());
  model->step = outcome.loop.steps;
  return AdaptedClassifier(std::move(model));
}

/// Leaves model, predictions, result and page in the run.
void finish_run(run::RunDirectory& directory, Adaptation& result) {
  result.model.save(run::model_file(directory.path()));
  result.record = directory.finish(std::move(result.record));
  report::write_html(directory.page_file(), {&result.record, 1});
  write_predictions(directory.path() / "predictions.csv", result.target, result.model.classes());
}

}  // namespace

void AdaptationOptions::validate() const {
  require_fields_in_range("AdaptationOptions", *this);
  require(weights.empty() || fine_tune.empty(),
          "AdaptationOptions: weights and fine_tune exclude each other");
  require(network == "auto" || (weights.empty() && fine_tune.empty()),
          "AdaptationOptions: network ", network, " excludes weights and fine_tune");
  require(run.checkpoint_every >= 0,
          "AdaptationOptions.run.checkpoint_every must not be negative, got ",
          run.checkpoint_every);
}

Adaptation adapt_classifier(AdaptationData data, const AdaptationOptions& given,
                            const ProgressObserver& observer) {
  given.validate();
  const auto asked = with_network(given);
  start_learning(asked.threads);
  if (data.source_name.empty()) data.source_name = data.source.source;
  if (data.target_name.empty()) data.target_name = data.target.source;
  const bool lead = leads(asked.team);
  // Processes of a team would have to agree on a choice that rounding may decide.
  const bool safe = asked.method == adapt::AdaptMethod::automatic && asked.team == nullptr;
  const auto images = safe ? thumbnails_of(data.target) : Thumbnails{};
  take_features(asked, data);
  const Domains domains = fit_domains(data);
  const auto options = decided(asked, domains.form);
  const auto training = training_options(options, data, domains);
  auto description = describe_model(options, training, domains);
  const Json config = config_of(options, data, training, description);
  std::optional<run::RunDirectory> directory;
  if (lead) directory = open_run(options.run, with_safeguard(config, safe).dump());
  if (any_of(options.team, directory && directory->finished())) {
    return lead ? repeat_finished(options, data) : Adaptation{.finished = true};
  }
  Adaptation result;
  result.record = record::start_record(record::RunKind::training, "adapt", options.seed);
  result.record.data = {record::describe(data.source, data.source_name),
                        record::describe(data.target, data.target_name)};
  const Stopwatch clock;
  auto task = task_of(options, training, domains, data);
  const AdaptTask again = task;  // rows are shared
  task.directory = directory ? &*directory : nullptr;
  task.observer = loop_observer(to_string(options.method), observer);
  at::manual_seed(options.seed);  // a GPU draws from its own generator
  AdaptOutcome outcome = train_classifier(std::move(task));
  result.finished = outcome.loop.end == train::LoopEnd::finished;
  if (!lead) return result;

  std::optional<Judgement> judged;
  if (safe && result.finished) {
    auto plain = train_plain(again, options, config, outcome.target, observer);
    result.finished = plain.loop.end == train::LoopEnd::finished;
    if (result.finished) {
      judged = judge_outcome(plain, outcome, domains.classes, domains.target_class);
      if (!judged->trusted) {
        description.method = plain.game->options().method;
        description.features = plain.game->options().features;
        description.features.weights = nullptr;
        outcome = std::move(plain);
      }
    }
  }

  AdaptedTarget adapted{.recipe = options.recipe,
                        .classes = domains.classes,
                        .outcome = outcome,
                        .scores = {},
                        .unknown = domains.unknown,
                        .judged = judged};
  if (!domains.target_class.empty()) {
    adapted.scores =
        adapt::score(domains.target_class, outcome.target.predicted, domains.classes.size());
  }
  describe_adaptation(adapted, result.record);
  if (judged && has_pictures(judged->differing, images)) {
    result.record.pictures.push_back(
        draw_disagreements(judged->differing, images, domains.classes.names));
  }
  description.weights = options.weights;
  if (!options.weights.empty()) description.windows = adapt::kFeatureWindows;
  result.model = trained_model(std::move(description), outcome);
  result.target = {.predicted = outcome.target.predicted,
                   .probability = bridge::to_matrix(outcome.target.posterior)};
  result.record.peak_rss_mb = peak_rss_mb();
  result.record.seconds = directory ? directory->seconds() : clock.seconds();
  if (directory) {
    auto& warnings = result.record.warnings;
    warnings.insert(warnings.end(), directory->warnings().begin(), directory->warnings().end());
    if (result.finished) finish_run(*directory, result);
  }
  return result;
}

}  // namespace nw::app
