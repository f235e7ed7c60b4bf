#include <algorithm>
#include <cmath>
#include <optional>

#include "nw/base/matrix_rows.hpp"
#include "nw/base/team.hpp"
#include "nw/ot/exact.hpp"

#include "measure/compare_stages.hpp"
#include "measure/normal_quantile.hpp"
#include "measure/seeding.hpp"

namespace nw::measure {
namespace {

constexpr std::size_t kRelabellings = 5;

double transport_distance(const ot::WeightedPoints& a, const ot::WeightedPoints& b,
                          ot::GroundCost cost, int threads, const StopCheck& stop) {
  const ot::ExactOptions options{.threads = threads, .observer = stopped_by(stop)};
  const double value =
      ot::solve_exact(ot::PointProblem{.source = a, .target = b, .cost = cost}, options).cost;
  return cost == ot::GroundCost::squared_euclidean ? std::sqrt(std::max(value, 0.0)) : value;
}

// W between the samples after their rows were shuffled together.
double relabelled_distance(const std::vector<Sample>& samples, ot::GroundCost cost, Rng rng,
                           const StopCheck& stop) {
  const std::size_t n = samples[0].rows(), total = n + samples[1].rows();
  std::vector<std::size_t> order(total);
  for (std::size_t i = 0; i < total; ++i) order[i] = i;
  rng.shuffle(std::span(order));
  Sample sides[2] = {{Matrix(n, samples[0].points.cols()), std::vector<double>(n)},
                     {Matrix(total - n, samples[0].points.cols()), std::vector<double>(total - n)}};
  for (std::size_t i = 0; i < total; ++i) {
    const std::size_t from = order[i] < n ? 0 : 1, row = from == 0 ? order[i] : order[i] - n;
    Sample& to = sides[i < n ? 0 : 1];
    const std::size_t place = i < n ? i : i - n;
    std::ranges::copy(samples[from].points.row(row), to.points.row(place).begin());
    // Back to a scale that the two samples share.
    to.weights[place] = samples[from].weights[row] * static_cast<double>(samples[from].rows());
  }
  return transport_distance(sides[0].view(), sides[1].view(), cost, 1, stop);
}

void measure_distance(CompareContext& context, CompareResult& result) {
  const auto& samples = context.work.samples;
  result.wasserstein = transport_distance(samples[0].view(), samples[1].view(), context.cost(),
                                          context.threads, context.stop);
  const Rng streams(context.rng.bits());
  std::vector<double> values(kRelabellings);
  spread_over({.team = context.nw.team, .threads = context.threads, .count = kRelabellings}, values,
              [&](std::size_t b) {
                values[b] =
                    relabelled_distance(samples, context.cost(), streams.split(b), context.stop);
              });
  for (const double v : values) {
    result.wasserstein_null += v / static_cast<double>(kRelabellings);
  }
}

// The members that the tests chose, as a start in the space of the measure.
std::optional<SharedModel> start_from_members(const CompareContext& context) {
  const auto& choice = context.tests.choice;
  const auto& samples = context.work.samples;
  const std::size_t k = context.nw.components, in_x = context.pool.in_x;
  const bool same_rows = samples[0].rows() == in_x && samples[1].rows() == context.pool.in_y &&
                         context.work.given[0].weights.empty() &&
                         context.work.given[1].weights.empty();
  if (k > choice.fits.size() || !same_rows) return std::nullopt;

  const auto kind = likeliest_members(context.tests.member_points, choice.fit(k), choice.ridge);
  std::vector<std::vector<std::size_t>> rows(2);
  std::vector<std::vector<std::uint32_t>> member(2);
  RowMatrix centres =
      RowMatrix::Zero(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(context.work.dim()));
  std::vector<double> count(k, 0.0);
  for (std::size_t i = 0; i < kind.size(); ++i) {
    const std::size_t pooled = context.tests.member_rows[i];
    const std::size_t s = pooled < in_x ? 0 : 1, row = s == 0 ? pooled : pooled - in_x;
    rows[s].push_back(row);
    member[s].push_back(kind[i]);
    centres.row(kind[i]) += as_eigen(samples[s].points.row(row)).transpose();
    count[kind[i]] += 1.0;
  }
  for (std::size_t j = 0; j < k; ++j) {
    if (count[j] == 0.0) return std::nullopt;
    centres.row(static_cast<Eigen::Index>(j)) /= count[j];
  }
  return model_of_members({take(samples[0], rows[0]), take(samples[1], rows[1])}, member, centres,
                          context.nw.shape);
}

std::vector<SharedModel> find_starts(CompareContext& context) {
  const NwOptions& nw = context.nw;
  if (nw.given != nullptr) {
    const double share = 1.0 / static_cast<double>(nw.components);
    return {{.mixture = reduce(context.work.reduction, *nw.given),
             .pi = std::vector<std::vector<double>>(2, std::vector<double>(nw.components, share))}};
  }
  Rng by_content(context.pool.fingerprint);
  std::vector<SharedModel> starts =
      cluster_starts(context.work, nw.components, nw, by_content, context.stop);
  if (auto members = start_from_members(context)) starts.push_back(std::move(*members));
  return starts;
}

}  // namespace

WorkingData canonical_data(const std::vector<ot::WeightedPoints>& data, const PooledRows& pool,
                           std::size_t components, const NwOptions& options, Rng& rng) {
  // Weighted rows keep their weights in the measure, which the rows of the tests no longer have.
  if (!data[0].weights.empty() || !data[1].weights.empty()) {
    return prepare(data, components, options, rng);
  }
  const std::span<const std::size_t> rows(pool.row);
  const Matrix x = rows_at(data[0].points, rows.first(pool.in_x));
  const Matrix y = rows_at(data[1].points, rows.subspan(pool.in_x));
  Rng by_content(pool.fingerprint);
  WorkingData work = prepare({{x, {}}, {y, {}}}, components, options, by_content);
  work.given = data;
  return work;
}

SharedModel fit_shared_mixture(CompareContext& context, CompareResult& result) {
  const NwOptions& nw = context.nw;
  const WorkingData& work = context.work;
  measure_distance(context, result);
  const Matrix base = quasi_normal_points(atom_count(nw, work, nw.components), work.dim());
  const FitProblem problem{work, base, nw, context.stop};
  const BestFit found = best_fit(problem, find_starts(context));
  result.k = nw.components;
  result.fit = describe(found, problem);
  const std::vector<double> nulls =
      null_sides(found.fit, problem, {.replicates = nw.floor_replicates}, context.rng.split(7));
  std::vector<double> sums(nulls.size() / 2), side_floor(2, 0.0);
  for (std::size_t i = 0; i < nulls.size(); ++i) {
    sums[i / 2] += nulls[i];
    side_floor[i % 2] += nulls[i] / static_cast<double>(sums.size());
  }
  result.fit.floor = summarise(sums);
  result.normalized_wasserstein = result.fit.value;
  result.floor = result.fit.floor.mean;
  result.pi_x = result.fit.x.pi;
  result.pi_y = result.fit.y.pi;
  for (std::size_t j = 0; j < result.k; ++j) {
    result.proportion_change += 0.5 * std::abs(result.pi_x[j] - result.pi_y[j]);
  }
  const double spread =
      result.fit.floor.deviation *
      std::sqrt(1.0 + 1.0 / static_cast<double>(std::max<std::size_t>(sums.size(), 1)));
  result.p_fit = spread > 0.0 ? 1.0 - normal_cdf((result.fit.value - result.floor) / spread) : 1.0;
  result.misfit_x = side_floor[0] > 0.0 ? result.fit.x.cost / side_floor[0] : 1.0;
  result.misfit_y = side_floor[1] > 0.0 ? result.fit.y.cost / side_floor[1] : 1.0;
  result.family_fits = std::max(result.misfit_x, result.misfit_y) <= context.options.misfit_ratio;
  return found.fit.model();
}

}  // namespace nw::measure
