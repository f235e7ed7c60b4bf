// The paper's appendix "Adversarial clustering of CIFAR+CelebA".
#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/cluster/agreement.hpp"
#include "nw/cluster/kmeans.hpp"
#include "nw/gan/inversion.hpp"
#include "nw/gan/recognition.hpp"

#include "app/learning/session.hpp"
#include "experiments/learning/kept_run.hpp"
#include "experiments/learning/objects_and_faces.hpp"

namespace nw::experiments {
namespace {

enum Stream : std::uint64_t { kBaseline = 23, kInversion = 24, kRecognition = 25 };

// The two rules by which images belong to components, as they stand behind a metric's name.
constexpr const char* kRecognised = ", recognised";
constexpr const char* kNearest = ", nearest image";

using Scores = std::vector<std::pair<std::string, double>>;

Scores scores_of(const Mixed& mixed, const std::vector<std::uint32_t>& clusters,
                 const std::string& rule = "") {
  const auto classes = mixed.classes();
  const auto found = cluster::agreement(classes, clusters);
  return {{"purity" + rule, found.purity}, {"NMI" + rule, found.nmi}, {"ARI" + rule, found.ari}};
}

/// The paper's rule: who makes the nearest image.
std::vector<std::uint32_t> nearest_makers(const ImageMixture& mixture, const Mixed& mixed,
                                          const Rng& rng, bool quick) {
  gan::InversionOptions how;
  how.rows_at_once = 1024;  // wide residual networks hold much of each row
  how.iterations = 60;
  if (quick) {
    how.iterations = 5;
    how.candidates = 50;
  }
  return gan::assign(gan::inversion_energies(mixture.game->sampler(), mixed.rows, how, rng))
      .component_of;
}

gan::Recognition recognised(const ImageMixture& mixture, const Mixed& mixed, const Rng& rng,
                            bool quick) {
  gan::RecognitionOptions how;
  if (quick) {
    how.images = 50;
    how.classifier.steps = 20;
  }
  const std::vector<double> pi = mixture.pi();
  return gan::recognise({mixture.game->sampler(), pi}, mixed.rows, how, rng);
}

/// The components of the learnt mixture as clusters. The model is that of the figure's first row.
CaseOutcome cluster_by_components(const Mixed& mixed, std::uint64_t seed,
                                  const ExperimentSettings& settings,
                                  const std::function<bool(double)>& progress) {
  const std::string name = "learned pi";
  auto task = mixed_task(mixed, /*fixed_pi=*/false, seed, settings);
  task.progress = progress;
  std::optional<run::RunDirectory> model;
  if (const auto folder = kept_folder(settings, name, seed); !folder.empty()) {
    model = open_kept_run(folder, image_mixture_config(task, name, settings.quick));
    if (!model) return {.end = CaseEnd::elsewhere};
    task.directory = &*model;
  }
  const auto mixture = train_image_mixture(task);
  if (mixture.interrupted) return {};
  const Rng rng(seed);
  const auto recognition = recognised(mixture, mixed, rng.split(kRecognition), settings.quick);
  CaseOutcome outcome;
  outcome.scores = scores_of(mixed, recognition.component_of, kRecognised);
  for (const auto& score :
       scores_of(mixed, nearest_makers(mixture, mixed, rng.split(kInversion), settings.quick),
                 kNearest)) {
    outcome.scores.push_back(score);
  }
  outcome.scores.emplace_back("generated images recognised", recognition.accuracy);
  const auto pi = mixture.pi();
  outcome.scores.emplace_back("pi, larger", std::max(pi[0], pi[1]));
  outcome.scores.emplace_back("steps", static_cast<double>(mixture.steps));
  outcome.scores.emplace_back("training seconds", mixture.seconds);
  outcome.record = mixed_record("CIFAR-10 and CelebA: clusters", mixed, seed);
  outcome.record.sentence = concat("Purity ", outcome.scores[0].second, ".");
  outcome.record.pictures = {picture_of(mixture, task)};
  std::optional<run::RunDirectory> none;
  finish_case(outcome, none);
  return outcome;
}

CaseOutcome cluster_by_baseline(const std::string& name, const Mixed& mixed, std::uint64_t seed,
                                const ExperimentSettings& settings) {
  constexpr int kRestarts = 3;
  CaseOutcome outcome;
  if (name.starts_with("GMM")) {
    outcome.scores = scores_of(mixed, two_gaussians(mixed, seed, settings.threads));
  } else {
    const bool pixels = name.find("pixels") != std::string::npos;
    const Matrix points = bridge::to_matrix(pixels ? mixed.rows : mixed.coordinates);
    const auto found = cluster::kmeans(
        {.points = points}, {.components = 2, .restarts = kRestarts, .threads = settings.threads},
        Rng(seed).split(kBaseline));
    outcome.scores = scores_of(mixed, found.assignment);
  }
  outcome.record = mixed_record(concat("CIFAR-10 and CelebA: ", name), mixed, seed);
  std::optional<run::RunDirectory> none;
  finish_case(outcome, none);
  return outcome;
}

}  // namespace

ExperimentResult run_cifar_celeba_clustering(const ExperimentSettings& settings) {
  start_learning(settings.threads);
  const auto mixed = load_mixed(settings);
  ExperimentResult experiment;
  experiment.config = {{"images", std::to_string(mixed.rows.size(0))}};
  experiment.notes = {
      "NW, nearest image: images belong to the component that makes the nearest one (inversion, "
      "the paper's rule). Recognised: to the component that a classifier names, which learnt from "
      "the components' own images (p(j | x) of the mixture).",
      concat(
          "The model is that of cifar-celeba with learned pi and is shared with it under `runs`. "
          "It starts at the mixture of Gaussians on ",
          mixed.coordinates.size(1), " principal components, whose own clusters are listed."),
      "No label is used before the scores; the last model counts."};
  CaseTable table{.names = {"NW", "GMM, components", "k-means, components", "k-means, pixels"},
                  .run = {}};
  table.run = [&](std::size_t which, std::uint64_t seed,
                  const std::function<bool(double)>& progress) {
    return which == 0 ? cluster_by_components(mixed, seed, settings, progress)
                      : cluster_by_baseline(table.names[which], mixed, seed, settings);
  };
  const std::map<std::string, double> paper_nw{{"purity", 0.870}, {"NMI", 0.505}, {"ARI", 0.547}};
  const std::map<std::string, double> paper_kmeans{
      {"purity", 0.667}, {"NMI", 0.038}, {"ARI", 0.049}};
  table.paper = [&](std::size_t which, const std::string& metric) -> std::optional<double> {
    const std::string& name = table.names[which];
    const auto& list = name == "NW" ? paper_nw : paper_kmeans;
    const auto plain = metric.substr(0, metric.find(','));
    if (name.starts_with("GMM") || !list.contains(plain)) return std::nullopt;
    return list.at(plain);
  };
  run_case_table(table, settings, experiment);
  return experiment;
}

}  // namespace nw::experiments
