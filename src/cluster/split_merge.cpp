// After the split and merge EM of Ueda, Nakano, Ghahramani and Hinton (2000, section 3), whose
// moves are judged by likelihood; ours by the transport cost that [NW:reg] minimises. The
// components of a move come to rest by EM, which costs a hundredth of a transport problem.
#include "nw/cluster/split_merge.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "nw/base/error.hpp"
#include "nw/base/matrix_rows.hpp"
#include "nw/base/parallel.hpp"
#include "nw/ot/exact.hpp"

#include "measure/atoms.hpp"
#include "measure/seeding.hpp"
#include "measure/shared_em.hpp"

namespace nw::cluster {
namespace {

using measure::as_eigen;
using measure::RowMatrix;
using measure::SharedModel;

constexpr std::size_t kLeastAtoms = 20;
constexpr std::size_t kPairs = 10, kSplits = 4, kBirths = 2, kRowsOfBirth = 10;
constexpr int kScreening = 30, kResting = 200;  // rounds of EM
// Moves that gain less log-likelihood per row than this lead to the same mixture.
constexpr double kLeastGain = 1e-4;

/// A mixture that was judged.
struct Visited {
  SharedModel model;
  double distance = 0.0, standard_error = 0.0, diversity = 0.0, objective = 0.0;
  double log_likelihood = 0.0;
  bool at_rest = false;
};

/// The rows and everything that the value of a mixture needs.
class Judge {
 public:
  Judge(MatrixView rows, const SplitMergeOptions& options, Rng rng)
      : lambda_(options.diversity),
        noise_(options.noise),
        threads_(resolve_threads(options.threads)) {
    const auto chosen = measure::choose_rows(rows.rows(), options.max_points, rng);
    measure::Sample sample{
        .points = rows_at(rows, chosen),
        .weights = std::vector<double>(chosen.size(), 1.0 / static_cast<double>(chosen.size()))};
    const auto points = as_eigen(sample.points.view());
    const Eigen::RowVectorXd mean = points.colwise().mean();
    variance_ = (points.rowwise() - mean).cwiseAbs2().mean();
    samples_.push_back(std::move(sample));
    apart_ = measure::quasi_normal_points(options.apart_points, rows.cols());
  }

  [[nodiscard]] const measure::Sample& sample() const { return samples_[0]; }
  [[nodiscard]] double ridge() const {
    return std::max(noise_ * variance_, measure::density_ridge(variance_));
  }

  [[nodiscard]] measure::EmResult at_rest(SharedModel model, int iterations) const {
    return measure::run_em(samples_, std::move(model),
                           {.max_iterations = iterations, .tolerance = 1e-5, .ridge = ridge()});
  }

  /// The same with every row, for the shares' sake.
  [[nodiscard]] SharedModel at_rest_on(MatrixView rows, SharedModel model) const {
    const measure::Sample all{
        .points = Matrix({rows.values().begin(), rows.values().end()}, rows.rows(), rows.cols()),
        .weights = std::vector<double>(rows.rows(), 1.0 / static_cast<double>(rows.rows()))};
    return measure::run_em({all}, std::move(model),
                           {.max_iterations = kScreening, .tolerance = 1e-5, .ridge = ridge()})
        .model;
  }

  [[nodiscard]] Visited visit(SharedModel model) const {
    const auto& pi = model.pi[0];
    Visited visited;
    const auto [points, weights] = atoms(model);
    const auto transport = solve(samples_[0].view(), {.points = points, .weights = weights});
    visited.distance = transport.cost;
    // The potential is the influence function of W in the rows.
    const auto potential = as_eigen(std::span(transport.source_potential));
    visited.standard_error = std::sqrt((potential.array() - potential.mean()).square().mean() /
                                       static_cast<double>(potential.size()));
    const measure::ComponentDensity density(model.mixture, ridge());
    visited.log_likelihood =
        measure::posterior(density.log_density(samples_[0].points), pi, samples_[0].weights)
            .log_likelihood;
    const auto few = measure::map_atoms(model.mixture, apart_);
    const auto component = [&](std::size_t j) {
      return MatrixView(few.points.view().values().subspan(few.begin[j] * few.points.cols(),
                                                           few.count(j) * few.points.cols()),
                        few.count(j), few.points.cols());
    };
    for (std::size_t i = 0; i < pi.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        visited.diversity +=
            pi[i] * pi[j] * solve({.points = component(i)}, {.points = component(j)}).cost;
      }
    }
    visited.objective = visited.distance - lambda_ * visited.diversity;
    visited.model = std::move(model);
    return visited;
  }

 private:
  /// As many points as there are rows, in shares of pi: the distance between a sample and any
  /// points depends on how dense these are, so a component must not gain by being divided.
  [[nodiscard]] measure::Sample atoms(const SharedModel& model) const {
    const auto& components = model.mixture.components;
    const auto rows = static_cast<double>(samples_[0].rows());
    std::vector<double> values, weights;
    for (std::size_t j = 0; j < components.size(); ++j) {
      const double share = model.pi[0][j];
      const auto count = std::max(kLeastAtoms, static_cast<std::size_t>(std::lround(share * rows)));
      const measure::Mixture alone{{components[j]}};
      const auto part =
          measure::map_atoms(alone, measure::quasi_normal_points(count, model.mixture.dim()));
      const auto points = part.points.values();
      values.insert(values.end(), points.begin(), points.end());
      weights.insert(weights.end(), count, share / static_cast<double>(count));
    }
    const std::size_t count = weights.size();
    return {.points = Matrix(std::move(values), count, model.mixture.dim()),
            .weights = std::move(weights)};
  }

  [[nodiscard]] ot::TransportResult solve(const ot::WeightedPoints& from,
                                          const ot::WeightedPoints& to) const {
    return ot::solve_exact({.source = from, .target = to}, {.threads = threads_});
  }

  std::vector<measure::Sample> samples_;
  Matrix apart_;
  double lambda_, noise_, variance_ = 0.0;
  int threads_;
};

struct Pair {
  std::size_t first = 0, second = 0;
};

/// Pairs of components, those first whose union loses least (Ward 1963): the mass and distance that
/// one centre in place of two would cost.
std::vector<Pair> pairs_to_merge(const SharedModel& model) {
  const auto& pi = model.pi[0];
  std::vector<std::pair<double, Pair>> priced;
  for (std::size_t i = 0; i < pi.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const auto& a = model.mixture.components[j].centre;
      const auto& b = model.mixture.components[i].centre;
      const double mass = pi[i] + pi[j] > 0.0 ? pi[i] * pi[j] / (pi[i] + pi[j]) : 0.0;
      priced.push_back({mass * (as_eigen(std::span(a)) - as_eigen(std::span(b))).norm(), {j, i}});
    }
  }
  std::ranges::stable_sort(priced, {}, [](const auto& entry) { return entry.first; });
  std::vector<Pair> pairs;
  for (const auto& [price, pair] : priced) {
    if (pairs.size() < kPairs) pairs.push_back(pair);
  }
  return pairs;
}

/// The pair becomes one component with the mass, mean and covariance of both.
SharedModel merged(const SharedModel& model, Pair pair) {
  SharedModel result = model;
  auto& pi = result.pi[0];
  auto& components = result.mixture.components;
  const double mass = pi[pair.first] + pi[pair.second];
  const double share = mass > 0.0 ? pi[pair.first] / mass : 0.5;
  const Eigen::VectorXd a = as_eigen(std::span(components[pair.first].centre));
  const Eigen::VectorXd b = as_eigen(std::span(components[pair.second].centre));
  const Matrix of_a = measure::covariance(components[pair.first]);
  const Matrix of_b = measure::covariance(components[pair.second]);
  const RowMatrix sigma = share * as_eigen(of_a.view()) + (1.0 - share) * as_eigen(of_b.view()) +
                          share * (1.0 - share) * (a - b) * (a - b).transpose();
  components[pair.first] = measure::gaussian_component(
      measure::to_vector(share * a + (1.0 - share) * b), measure::to_matrix(sigma));
  pi[pair.first] = mass;
  components.erase(components.begin() + static_cast<std::ptrdiff_t>(pair.second));
  pi.erase(pi.begin() + static_cast<std::ptrdiff_t>(pair.second));
  return result;
}

/// The model with one more component, around a row that lies far from the others in their own
/// measure: where a small cluster hides in the outskirts of a large one.
SharedModel with_birth(const SharedModel& model, const Judge& judge, Rng rng) {
  const auto points = as_eigen(judge.sample().points.view());
  const measure::ComponentDensity density(model.mixture, judge.ridge());
  const auto likelihood = density.log_density(judge.sample().points);
  const Eigen::VectorXd best = likelihood.rowwise().maxCoeff();
  const Eigen::VectorXd far = (best.maxCoeff() - best.array()).matrix();
  const auto chosen = static_cast<Eigen::Index>(
      rng.categorical({far.data(), static_cast<std::size_t>(far.size())}));
  const Eigen::VectorXd distance = (points.rowwise() - points.row(chosen)).rowwise().squaredNorm();
  std::vector<Eigen::Index> order(static_cast<std::size_t>(points.rows()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  const std::size_t count =
      std::min(order.size(), kRowsOfBirth * (1 + static_cast<std::size_t>(points.cols())));
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count), {},
                            [&](Eigen::Index i) { return distance(i); });
  RowMatrix members(static_cast<Eigen::Index>(count), points.cols());
  for (std::size_t i = 0; i < count; ++i)
    members.row(static_cast<Eigen::Index>(i)) = points.row(order[i]);
  const Eigen::RowVectorXd mean = members.colwise().mean();
  members.rowwise() -= mean;
  RowMatrix sigma = members.transpose() * members / static_cast<double>(count);
  sigma.diagonal().array() += judge.ridge();
  SharedModel result = model;
  const double share = static_cast<double>(count) / static_cast<double>(points.rows());
  for (double& p : result.pi[0]) p *= 1.0 - share;
  result.pi[0].push_back(share);
  result.mixture.components.push_back(
      measure::gaussian_component(measure::to_vector(mean.transpose()), measure::to_matrix(sigma)));
  return result;
}

/// Moves from a mixture, at rest: every pair made one and each of the largest others divided, or a
/// component born instead. The likeliest ones first.
std::vector<SharedModel> moves_from(const SharedModel& model, const Judge& judge, std::size_t limit,
                                    const Rng& rng) {
  std::vector<measure::EmResult> moves;
  std::uint64_t stream = 0;
  const auto add = [&](SharedModel move) {
    moves.push_back(judge.at_rest(std::move(move), kScreening));
  };
  for (const Pair pair : pairs_to_merge(model)) {
    const SharedModel fewer = merged(model, pair);
    std::vector<std::size_t> others;
    for (std::size_t j = 0; j < fewer.mixture.size(); ++j) {
      if (j != pair.first) others.push_back(j);
    }
    std::ranges::stable_sort(others, std::greater<>(),
                             [&](std::size_t j) { return fewer.pi[0][j]; });
    others.resize(std::min(others.size(), kSplits));
    for (const std::size_t j : others) add(measure::split_component(fewer, j));
    for (std::size_t b = 0; b < kBirths; ++b) {
      add(with_birth(fewer, judge, rng.split(stream++)));
    }
  }
  std::ranges::stable_sort(moves, std::greater<>(), &measure::EmResult::log_likelihood);
  std::vector<SharedModel> best;
  double last = 0.0;
  for (auto& move : moves) {
    if (best.size() == limit) break;
    // Moves that come to rest at the same likelihood found the same mixture.
    if (!best.empty() && last - move.log_likelihood < kLeastGain) continue;
    last = move.log_likelihood;
    best.push_back(judge.at_rest(std::move(move.model), kResting).model);
  }
  return best;
}

/// The likeliest mixture within a standard error of the least objective.
std::size_t answer(const std::vector<Visited>& visited) {
  const auto least = std::ranges::min_element(visited, {}, &Visited::objective);
  const double limit = least->objective + least->standard_error;
  std::size_t best = static_cast<std::size_t>(least - visited.begin());
  for (std::size_t i = 0; i < visited.size(); ++i) {
    if (visited[i].objective <= limit &&
        visited[i].log_likelihood > visited[best].log_likelihood + kLeastGain) {
      best = i;
    }
  }
  return best;
}

}  // namespace

void SplitMergeOptions::validate() const {
  require(diversity >= 0.0, "SplitMergeOptions.diversity must not be negative, got ", diversity);
  require(max_moves >= 0, "SplitMergeOptions.max_moves must not be negative, got ", max_moves);
  require(candidates > 0, "SplitMergeOptions.candidates must be positive, got ", candidates);
  require(max_points > 0, "SplitMergeOptions.max_points must be positive, got ", max_points);
  require(apart_points > 0, "SplitMergeOptions.apart_points must be positive, got ", apart_points);
  require(noise > 0.0 && std::isfinite(noise), "SplitMergeOptions.noise must be positive, got ",
          noise);
}

SplitMergeResult split_and_merge(MatrixView rows, const std::vector<WeightedMixture>& starts,
                                 const SplitMergeOptions& options, const Rng& rng) {
  options.validate();
  require(!starts.empty(), "split_and_merge: no start");
  for (const auto& [mixture, pi] : starts) {
    mixture.validate();
    measure::validate_proportions(pi, mixture.size());
    require(mixture.size() == starts[0].mixture.size(), "split_and_merge: starts of ",
            starts[0].mixture.size(), " and of ", mixture.size(), " components");
    require(rows.rows() > 0 && rows.cols() == mixture.dim(), "split_and_merge: rows of ",
            rows.cols(), " values, components of ", mixture.dim());
    for (const auto& component : mixture.components) {
      require(component.is_affine(), "split_and_merge: components must be affine");
    }
  }
  const Judge judge(rows, options, rng.split(0));
  SplitMergeResult result;
  std::vector<Visited> visited;
  const auto visit = [&](bool at_rest, const auto& make) {
    // The first start has to be judged in any case.
    if (result.interrupted) return;
    if (options.observer && !options.observer() && !visited.empty()) {
      result.interrupted = true;
      return;
    }
    visited.push_back(judge.visit(make()));
    visited.back().at_rest = at_rest;
  };
  for (const auto& [mixture, pi] : starts) {
    const SharedModel start{.mixture = mixture, .pi = {pi}};
    visit(false, [&] { return SharedModel(start); });
    if (options.max_moves > 0) visit(true, [&] { return judge.at_rest(start, kResting).model; });
  }
  std::size_t best = answer(visited);
  while (result.taken < options.max_moves && starts[0].mixture.size() > 1 && !result.interrupted) {
    const Rng stream = rng.split(1 + static_cast<std::uint64_t>(result.taken));
    for (auto& move : moves_from(visited[best].model, judge, options.candidates, stream)) {
      visit(true, [&] { return std::move(move); });
    }
    const std::size_t next = answer(visited);
    if (next == best) break;
    best = next;
    ++result.taken;
  }
  result.least_objective = std::ranges::min_element(visited, {}, &Visited::objective)->objective;
  auto& found = visited[best];
  if (found.at_rest && rows.rows() > options.max_points) {
    found.model = judge.at_rest_on(rows, std::move(found.model));
  }
  result.model = {std::move(found.model.mixture), std::move(found.model.pi[0])};
  result.distance = found.distance;
  result.standard_error = found.standard_error;
  result.diversity = found.diversity;
  result.objective = found.objective;
  // The densities leave out a constant that comparisons do not need.
  result.log_likelihood = found.log_likelihood -
                          0.5 * static_cast<double>(rows.cols()) * std::log(2.0 * std::numbers::pi);
  result.visited = static_cast<int>(visited.size());
  return result;
}

}  // namespace nw::cluster
