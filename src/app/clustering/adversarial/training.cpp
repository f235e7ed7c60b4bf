#include "app/clustering/adversarial/training.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/matrix_rows.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/cluster/split_merge.hpp"
#include "nw/gan/gan_fields.hpp"
#include "nw/gan/gan_model.hpp"
#include "nw/measure/compare.hpp"
#include "nw/ot/wasserstein.hpp"
#include "nw/train/mixture_game.hpp"
#include "nw/train/state_tensors.hpp"

#include "app/clustering/adversarial/cluster_rule.hpp"
#include "app/learning/loop_spacing.hpp"
#include "app/learning/option_values.hpp"
#include "app/learning/session.hpp"

namespace nw::app {
namespace {

// Rows to measure W on, and rows of a component to measure R on.
constexpr std::size_t kHeldOutRows = 1000, kJudgingRows = 4000, kApartRows = 300;
constexpr double kHeldOutShare = 0.1, kConfidence = 0.95;
// A small cluster has few of the rows: several samples of the mixture make W less noisy.
constexpr std::uint64_t kJudgements = 2;
enum Stream : std::uint64_t {
  kSplit = 301,
  kStarts = 302,
  kJudge = 303,
  kPartition = 305,
  kMoves = 306
};

struct Parts {
  Matrix training, judging;
  std::vector<std::size_t> training_rows;  // where they were among all
};

/// Networks could learn rows by heart and are judged by others. Affine components cannot: all rows
/// teach them, and as many as possible judge, because a small cluster shows in few of them.
Parts split_rows(MatrixView rows, bool affine, Rng rng) {
  std::vector<std::size_t> order(rows.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  rng.shuffle(std::span(order));
  const std::size_t held = std::min(
      kHeldOutRows, static_cast<std::size_t>(kHeldOutShare * static_cast<double>(rows.rows())));
  // Too few to set any aside: the same rows teach and judge.
  const bool shared = affine || held < 20;
  const auto take = [&](std::size_t begin, std::size_t end) {
    return rows_at(rows, std::span(order).subspan(begin, end - begin));
  };
  if (shared) return {take(0, order.size()), take(0, std::min(order.size(), kJudgingRows)), order};
  return {take(held, order.size()),
          take(0, held),
          {order.begin() + static_cast<std::ptrdiff_t>(held), order.end()}};
}

Matrix component_rows(const nn::MixtureGenerator& generator, const gan::Normalisation& space,
                      std::int64_t j, std::size_t count, const Rng& rng) {
  std::vector<double> only(static_cast<std::size_t>(generator.components()), 0.0);
  only[static_cast<std::size_t>(j)] = 1.0;
  return space.to_data(
      nn::draw_mixture(generator, only, static_cast<std::int64_t>(count), rng).rows);
}

/// R = sum_{i>j} pi_i pi_j W(G_i(Z), G_j(Z)).
double diversity_of(const nn::MixtureGenerator& generator, const gan::Normalisation& space,
                    const std::vector<double>& pi, const Rng& rng, int threads) {
  std::vector<Matrix> rows;
  for (std::int64_t j = 0; j < generator.components(); ++j) {
    rows.push_back(
        component_rows(generator, space, j, kApartRows, rng.split(static_cast<std::uint64_t>(j))));
  }
  ot::WassersteinOptions options;
  options.threads = threads;
  double sum = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      sum += pi[i] * pi[j] *
             ot::wasserstein({.points = rows[i]}, {.points = rows[j]}, options).distance;
    }
  }
  return sum;
}

struct Trained {
  std::unique_ptr<train::Game> game;
  train::LoopResult loop;
};

const nn::MixtureGenerator& sampler_of(const train::Game& game) {
  return dynamic_cast<const train::MixtureGame&>(game).sampler();
}

std::optional<run::RunDirectory> open(const std::filesystem::path& folder, const Json& config) {
  std::filesystem::create_directories(folder.parent_path());
  return run::RunDirectory(folder, config.dump(), {.mode = run::StartMode::resume});
}

/// Component j of `to` becomes the single one of `from`.
void copy_component(const nn::MixtureGenerator& from, const nn::MixtureGenerator& to,
                    std::int64_t j) {
  const torch::NoGradGuard no_grad;
  for (std::size_t p = 0; p < from.parameters().size(); ++p) {
    to.parameters()[p].detach().select(0, j).copy_(from.parameters()[p].detach()[0]);
  }
  const auto source = from.buffers(), target = to.buffers();
  for (std::size_t b = 0; b < source.size(); ++b) target[b].select(0, j).copy_(source[b][0]);
}

/// Trains a WGAN on the rows of every part and puts them together as the mixture of `game`.
train::LoopEnd start_from_parts(const train::Game& game, const Parts& parts,
                                const ClusterTask& task, std::size_t start) {
  const auto& mixture = dynamic_cast<const train::MixtureGame&>(game);
  const std::int64_t k = task.options.generator.components;
  auto options = task.options;
  options.generator.components = 1;
  options.game.diversity = 0.0;
  options.steps = task.part_steps;
  std::vector<double> share(static_cast<std::size_t>(k), 0.0);
  for (std::int64_t j = 0; j < k; ++j) {
    std::vector<std::int64_t> members;
    for (std::size_t i = 0; i < parts.training_rows.size(); ++i) {
      if (task.partition[parts.training_rows[i]] == static_cast<std::uint32_t>(j)) {
        members.push_back(static_cast<std::int64_t>(i));
      }
    }
    share[static_cast<std::size_t>(j)] = static_cast<double>(members.size());
    if (members.empty()) continue;
    const auto rows = task.normalisation.to_network(parts.training)
                          .index_select(0, torch::tensor(members, torch::kInt64));
    const Rng rng =
        Rng(task.seed).split(kPartition).split(start).split(static_cast<std::uint64_t>(j));
    const auto alone =
        gan::make_game(options, {train::table_source(rows)}, rng, choose_device(task.device));
    std::optional<run::RunDirectory> directory;
    if (!task.folder.empty() && leads(task.team())) {
      Json config = cluster_config(task);
      config["part"] = j;
      directory = open(start_folder(task.folder, start) / "parts" / std::to_string(j + 1), config);
    }
    const auto played = train::play(
        *alone, spaced_loop(task.part_steps, task.checkpoint_every),
        {.directory = directory ? &*directory : nullptr,
         .observer = [&](const train::LoopProgress& at) { return task.report(start, at); },
         .team = task.team()});
    if (played.end == train::LoopEnd::interrupted) return played.end;
    copy_component(sampler_of(*alone), mixture.generator(), j);
    copy_component(sampler_of(*alone), mixture.sampler(), j);
  }
  mixture.set_logits(0, torch::tensor(share, torch::kFloat32).clamp_min(1.0).log());
  return train::LoopEnd::finished;
}

Trained train_start(const Parts& parts, const ClusterTask& task, std::size_t start) {
  const Rng rng = Rng(task.seed).split(kStarts).split(start);
  Trained trained;
  trained.game = gan::make_game(
      task.options, {train::table_source(task.normalisation.to_network(parts.training))}, rng,
      choose_device(task.device));
  if (start > 0 && start <= task.given_starts.size()) {
    begin_at(*trained.game, task.given_starts[start - 1], task.normalisation);
  }
  std::optional<run::RunDirectory> directory;
  bool begun = false;
  if (!task.folder.empty() && leads(task.team())) {
    Json config = cluster_config(task);
    config["start"] = start;
    const auto folder = start_folder(task.folder, start);
    begun = !run::list_checkpoints(run::checkpoint_folder(folder)).empty();
    directory = open(folder, config);
  }
  if (!task.partition.empty() && !any_of(task.team(), begun)) {
    trained.loop.end = start_from_parts(*trained.game, parts, task, start);
    if (trained.loop.end == train::LoopEnd::interrupted) return trained;
  }
  trained.loop = train::play(
      *trained.game, spaced_loop(task.options.steps, task.checkpoint_every),
      {.directory = directory ? &*directory : nullptr,
       .observer = [&](const train::LoopProgress& at) { return task.report(start, at); },
       .team = task.team()});
  return trained;
}

/// Objective, distance and diversity by the first process, whose word is everyone's.
ClusterStart judge(const Trained& trained, const Parts& parts, const ClusterTask& task) {
  const Rng rng = Rng(task.seed).split(kJudge);
  ClusterStart start{.pi = trained.game->proportions()[0], .steps = trained.loop.steps};
  if (!leads(task.team())) {
    task.team()->share(std::as_writable_bytes(std::span(&start.objective, 1)));
    return start;
  }
  for (std::uint64_t sample = 0; sample < kJudgements; ++sample) {
    start.distance +=
        gan::held_out_distance(
            *trained.game,
            {.rows = parts.judging, .normalisation = task.normalisation, .threads = task.threads},
            rng.split(0).split(sample))
            .distance /
        static_cast<double>(kJudgements);
  }
  start.diversity = diversity_of(sampler_of(*trained.game), task.normalisation, start.pi,
                                 rng.split(1), task.threads);
  start.objective = start.distance - task.options.game.diversity * start.diversity;
  if (task.team() != nullptr) {
    task.team()->share(std::as_writable_bytes(std::span(&start.objective, 1)));
  }
  return start;
}

bool can_move(const ClusterTask& task) {
  const auto& generator = task.options.generator;
  return task.max_moves > 0 && generator.components > 1 && all_of_space(generator);
}

/// What the first process of a team found becomes what all know.
void share_mixture(Team* team, cluster::WeightedMixture& mixture, bool& interrupted) {
  if (team == nullptr) return;
  double flag = interrupted ? 1.0 : 0.0;
  const auto share = [&](std::span<double> values) { team->share(std::as_writable_bytes(values)); };
  share({&flag, 1});
  share(mixture.pi);
  for (auto& component : mixture.mixture.components) {
    share(component.centre);
    share(component.factor.values());
  }
  interrupted = flag > 0.0;
}

/// What moves that merge and divide components make of the starts, as a start of its own.
Trained move_components(MatrixView rows, const std::vector<cluster::WeightedMixture>& starts,
                        const ClusterTask& task) {
  const auto number = static_cast<std::size_t>(task.starts);
  cluster::WeightedMixture model = starts[0];
  bool interrupted = false;
  if (leads(task.team())) {
    const auto go_on = [&] {
      return task.report(number,
                         {.step = 1, .steps = 2, .values = {}, .proportions = {starts[0].pi}});
    };
    auto moved = cluster::split_and_merge(rows, starts,
                                          {.diversity = task.options.game.diversity,
                                           .max_moves = task.max_moves,
                                           .noise = task.noise,
                                           .threads = task.threads,
                                           .observer = go_on},
                                          Rng(task.seed).split(kMoves));
    model = std::move(moved.model);
    interrupted = moved.interrupted;
  }
  share_mixture(task.team(), model, interrupted);
  Trained trained;
  trained.game =
      gan::make_game(task.options, {train::table_source(task.normalisation.to_network(rows))},
                     Rng(task.seed).split(kStarts).split(number), choose_device(task.device));
  begin_at(*trained.game, model, task.normalisation);
  if (interrupted) {
    trained.loop.end = train::LoopEnd::interrupted;
  } else if (!task.folder.empty() && leads(task.team())) {
    Json config = cluster_config(task);
    config["start"] = number;
    auto directory = open(start_folder(task.folder, number), config);
    if (!directory->take_checkpoint()) {
      directory->save(1, train::StateTensors(trained.game->state()).views(), "{}");
    }
  }
  return trained;
}

void describe_components(const nn::MixtureGenerator& generator, const ClusterTask& task,
                         std::size_t rows, ClusterOutcome& outcome) {
  const auto& pi = outcome.starts[outcome.chosen].pi;
  outcome.order.resize(pi.size());
  std::iota(outcome.order.begin(), outcome.order.end(), std::size_t{0});
  std::ranges::stable_sort(outcome.order,
                           [&](std::size_t a, std::size_t b) { return pi[a] > pi[b]; });
  const Rng rng = Rng(task.seed).split(kJudge).split(2);
  for (std::size_t r = 0; r < pi.size(); ++r) {
    const std::size_t j = outcome.order[r];
    outcome.pi.push_back(pi[j]);
    // The uncertainty of a sample of this size, at the proportions learnt.
    const auto interval = measure::wilson_interval(pi[j], static_cast<double>(rows), kConfidence);
    outcome.pi_interval.push_back({interval.low, interval.high});
    const Matrix samples = component_rows(generator, task.normalisation,
                                          static_cast<std::int64_t>(j), kApartRows, rng.split(j));
    if (r == 0) outcome.centres = Matrix(pi.size(), samples.cols());
    for (std::size_t i = 0; i < samples.rows(); ++i) {
      for (std::size_t c = 0; c < samples.cols(); ++c) {
        outcome.centres(r, c) += samples(i, c) / static_cast<double>(samples.rows());
      }
    }
  }
}

}  // namespace

bool ClusterTask::report(std::size_t start, const train::LoopProgress& at) const {
  if (!observer) return true;
  const bool moves = start >= static_cast<std::size_t>(starts);
  return observer({.stage = moves ? "moves" : concat("start ", start + 1),
                   .share = static_cast<double>(at.step) / static_cast<double>(at.steps),
                   .step = at.step,
                   .steps = at.steps,
                   .values = at.values,
                   .pi = at.proportions[0],
                   .round = static_cast<int>(start)});
}

std::filesystem::path start_folder(const std::filesystem::path& run, std::size_t start) {
  return run / "starts" / std::to_string(start + 1);
}

Json cluster_config(const ClusterTask& task) {
  return {{"seed", task.seed},
          {"starts", task.starts},
          {"gan", fields_json(task.options)},
          {"price", task.inversion.price},
          {"rule", choice_name(task.rule)},
          {"noise", task.noise},
          {"max_moves", task.max_moves},
          {"part_steps", task.partition.empty() ? 0 : task.part_steps},
          {"model", Json::parse(gan::model_json(task.options, task.normalisation))}};
}

void reorder(gan::Assignment& assignment, const std::vector<std::size_t>& order) {
  std::vector<std::uint32_t> place(order.size());
  for (std::size_t r = 0; r < order.size(); ++r) place[order[r]] = static_cast<std::uint32_t>(r);
  for (auto& component : assignment.component_of) component = place[component];
  const std::vector<std::int64_t> columns(order.begin(), order.end());
  assignment.membership =
      assignment.membership.index_select(1, torch::tensor(columns, torch::kInt64));
}

ClusterOutcome train_clusters(MatrixView rows, const ClusterTask& task) {
  const bool affine = task.options.generator.kind == nn::GeneratorKind::affine;
  const Parts parts = split_rows(rows, affine, Rng(task.seed).split(kSplit));
  ClusterOutcome outcome;
  Trained best;
  std::vector<cluster::WeightedMixture> mixtures;  // where moves begin
  if (can_move(task)) mixtures = task.given_starts;
  for (std::size_t s = 0; s < static_cast<std::size_t>(task.starts); ++s) {
    Trained trained = train_start(parts, task, s);
    outcome.steps += trained.loop.steps;
    outcome.warnings.insert(outcome.warnings.end(), trained.loop.warnings.begin(),
                            trained.loop.warnings.end());
    outcome.starts.push_back(judge(trained, parts, task));
    const bool diverged = trained.loop.end == train::LoopEnd::diverged;
    if (!diverged && can_move(task)) {
      mixtures.push_back(
          affine_mixture(sampler_of(*trained.game), outcome.starts[s].pi, task.normalisation));
    }
    if (s == 0 ||
        (!diverged && outcome.starts[s].objective < outcome.starts[outcome.chosen].objective)) {
      outcome.chosen = outcome.trained = s;
      outcome.end = trained.loop.end;
      best = std::move(trained);
    } else if (trained.loop.end == train::LoopEnd::interrupted) {
      outcome.end = trained.loop.end;
    }
    if (outcome.end == train::LoopEnd::interrupted) break;
  }
  if (outcome.end == train::LoopEnd::finished && !mixtures.empty()) {
    Trained moved = move_components(rows, mixtures, task);
    if (moved.loop.end == train::LoopEnd::interrupted) {
      outcome.end = moved.loop.end;
    } else {
      outcome.starts.push_back(judge(moved, parts, task));
      outcome.chosen = outcome.starts.size() - 1;
      best = std::move(moved);
    }
  }
  const auto& generator = sampler_of(*best.game);
  describe_components(generator, task, rows.rows(), outcome);
  auto inversion = task.inversion;
  inversion.team = task.team();
  outcome.assignment = assign_rows({.generator = generator,
                                    .pi = outcome.starts[outcome.chosen].pi,
                                    .rows = task.normalisation.to_network(rows),
                                    .rule = task.rule,
                                    .inversion = inversion,
                                    .seed = task.seed});
  reorder(outcome.assignment, outcome.order);
  outcome.game = std::move(best.game);
  return outcome;
}

}  // namespace nw::app
