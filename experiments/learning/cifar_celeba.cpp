// The paper's section "A Mixture of CIFAR-10 and CelebA": one part objects, two parts faces, two
// components, proportions learned against fixed.
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/gan/image_classifier.hpp"

#include "app/learning/session.hpp"
#include "experiments/learning/image_sets.hpp"
#include "experiments/learning/kept_run.hpp"
#include "experiments/learning/objects_and_faces.hpp"

namespace nw::experiments {
namespace {

constexpr double kFaceShare = 2.0 / 3.0;
enum Stream : std::uint64_t { kClassifier = 21, kSamples = 22 };

/// What a component makes, by the classifier, with components matched to sources one to one.
struct Shares {
  std::vector<double> faces;  // share of each component's images that look like faces
  std::size_t face_component = 0;
  double least = 0.0, mean = 0.0;  // share of the right source
};

Shares shares_of(const ImageMixture& mixture, const gan::ImageClassifier& classifier,
                 std::int64_t count, const Rng& rng) {
  Shares shares;
  for (std::size_t j = 0; j < 2; ++j) {
    const auto rows = mixture.sample(static_cast<std::int64_t>(j), count, rng.split(j));
    shares.faces.push_back(classifier.classify(rows).to(torch::kFloat64).mean().item<double>());
  }
  shares.face_component = shares.faces[1] >= shares.faces[0] ? 1 : 0;
  const double faces = shares.faces[shares.face_component];
  const double objects = 1.0 - shares.faces[1 - shares.face_component];
  shares.least = std::min(faces, objects);
  shares.mean = 0.5 * (faces + objects);
  return shares;
}

/// Learnt or fixed proportions: the two rows of the figure.
CaseOutcome run_proportions(const std::string& name, bool fixed_pi, const Mixed& mixed,
                            const gan::ImageClassifier& classifier, std::uint64_t seed,
                            const ExperimentSettings& settings,
                            const std::function<bool(double)>& progress) {
  constexpr std::int64_t kScored = 5000, kQuickScored = 50;
  auto task = mixed_task(mixed, fixed_pi, seed, settings);
  task.progress = progress;
  std::optional<run::RunDirectory> directory;
  if (const auto folder = kept_folder(settings, name, seed); !folder.empty()) {
    directory = open_kept_run(folder, image_mixture_config(task, name, settings.quick));
    if (!directory) return {.end = CaseEnd::elsewhere};
    if (directory->finished()) return kept_outcome(*directory);
    task.directory = &*directory;
  }
  const auto mixture = train_image_mixture(task);
  if (mixture.interrupted) return {};
  const auto shares = shares_of(mixture, classifier, settings.quick ? kQuickScored : kScored,
                                Rng(seed).split(kSamples));
  const double pi_faces = mixture.pi()[shares.face_component];
  CaseOutcome outcome;
  outcome.scores = {{"right source, least", shares.least},
                    {"right source, mean", shares.mean},
                    {"faces of component 1", shares.faces[0]},
                    {"faces of component 2", shares.faces[1]},
                    {"pi of faces", pi_faces},
                    {"pi error", std::abs(pi_faces - kFaceShare)},
                    {"steps", static_cast<double>(mixture.steps)},
                    {"seconds", mixture.seconds}};
  outcome.record = mixed_record(concat("CIFAR-10 and CelebA: ", name), mixed, seed);
  outcome.record.sentence = concat(
      "The purer component makes ",
      std::max(shares.faces[shares.face_component], 1.0 - shares.faces[1 - shares.face_component]),
      " of one source, the other ", shares.least, ".");
  outcome.record.warnings = mixture.warnings;
  outcome.record.pictures = {picture_of(mixture, task)};
  outcome.record.seconds = mixture.seconds;
  finish_case(outcome, directory);
  return outcome;
}

}  // namespace

ExperimentResult run_cifar_celeba(const ExperimentSettings& settings) {
  start_learning(settings.threads);
  const auto mixed = load_mixed(settings);
  gan::ImageClassifierOptions how{.image = kSmallColour};
  if (settings.quick) how.steps = 30;
  const gan::ImageClassifier classifier(how, {mixed.rows, mixed.source}, Rng(0).split(kClassifier),
                                        choose_device(settings.device));
  ExperimentResult experiment;
  experiment.config = {{"images", std::to_string(mixed.rows.size(0))},
                       {"classifier accuracy", std::to_string(classifier.held_out_accuracy())}};
  experiment.notes = {
      concat("A classifier that learnt real objects and faces (", classifier.held_out_accuracy(),
             " right on images it had not seen) tells what each component makes. 'right source': "
             "share of a component's images that show the source it is matched to, one source "
             "each; 'least' is the worse component's."),
      "pi of faces: proportion of the component matched to faces; 2/3 of the images are faces. "
      "Held at 1/2 in the second case.",
      "Components start as the two Gaussians of a mixture on principal components, in equal "
      "proportions; no label is used in training, and the last model counts."};
  CaseTable table{.names = {"learned pi", "fixed pi"}, .run = {}};
  table.run = [&](std::size_t which, std::uint64_t seed,
                  const std::function<bool(double)>& progress) {
    return run_proportions(table.names[which], which == 1, mixed, classifier, seed, settings,
                           progress);
  };
  run_case_table(table, settings, experiment);
  return experiment;
}

}  // namespace nw::experiments
