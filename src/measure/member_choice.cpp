#include "measure/member_choice.hpp"

#include <algorithm>
#include <cmath>

#include "nw/base/error.hpp"
#include "nw/base/parallel.hpp"

#include "measure/seeding.hpp"

namespace nw::measure {
namespace {

// Share of the mean variance that is added to every covariance: real columns repeat and round
// values, which a likelihood without a floor turns into components of no width.
constexpr double kRidge = 0.01;

std::vector<Sample> split_samples(const RowMatrix& points, std::size_t in_x) {
  std::vector<Sample> samples(2);
  const auto n = static_cast<Eigen::Index>(in_x);
  samples[0].points = to_matrix(points.topRows(n));
  samples[1].points = to_matrix(points.bottomRows(points.rows() - n));
  for (auto& s : samples) s.weights.assign(s.rows(), 1.0 / static_cast<double>(s.rows()));
  return samples;
}

double mean_variance(const RowMatrix& points) {
  const Eigen::RowVectorXd mean = points.colwise().mean();
  return (points.rowwise() - mean).squaredNorm() / static_cast<double>(points.size());
}

MemberFit fit_members(const std::vector<Sample>& samples, std::size_t k, double ridge,
                      const MemberOptions& options, const Rng& rng) {
  const EmOptions em{.shape = Shape::full,
                     .max_iterations = 60,
                     .tolerance = 1e-5,
                     .move_components = true,
                     .ridge = ridge,
                     .stop = options.stop};
  EmResult best;
  for (int r = 0; r < (k == 1 ? 1 : options.starts); ++r) {
    Rng own = rng.split(static_cast<std::uint64_t>(r));
    EmResult found = run_em(samples, cluster_start(samples, k, Shape::full, own), em);
    if (r == 0 || found.log_likelihood > best.log_likelihood) best = std::move(found);
  }
  const double rows = static_cast<double>(samples[0].rows() + samples[1].rows());
  const double d = static_cast<double>(samples[0].points.cols()), count = static_cast<double>(k);
  const double parameters = count * (d + d * (d + 1.0) / 2.0) + 2.0 * (count - 1.0);
  MemberFit fit{.model = std::move(best.model), .log_likelihood = best.log_likelihood * rows};
  fit.bic = parameters * std::log(rows) - 2.0 * fit.log_likelihood;
  return fit;
}

}  // namespace

const MemberFit& MemberChoice::fit(std::size_t components) const {
  require(components >= 1 && components <= fits.size(), "no fit with ", components, " members");
  return fits[components - 1];
}

MemberChoice choose_members(const RowMatrix& points, std::size_t in_x, const MemberOptions& options,
                            const Rng& rng) {
  const std::vector<Sample> samples = split_samples(points, in_x);
  const auto rows = static_cast<std::size_t>(points.rows());
  const std::size_t last =
      std::clamp<std::size_t>(rows / options.rows_per_component, 1, options.max_k);
  MemberChoice choice;
  choice.ridge = std::max(kRidge * mean_variance(points), 1e-12);
  // Blocks of fixed size, so that the number of threads cannot change where the search ends.
  constexpr std::size_t kBlock = 4;
  while (choice.fits.size() < std::min(last, std::max(2 * choice.k, choice.k + 2))) {
    const std::size_t done = choice.fits.size(), more = std::min(kBlock, last - done);
    choice.fits.resize(done + more);
    parallel_for(options.threads, more, 1, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t k = done + begin + 1; k <= done + end; ++k) {
        choice.fits[k - 1] = fit_members(samples, k, choice.ridge, options, rng.split(k));
      }
    });
    for (const auto& fit : choice.fits) {
      if (fit.bic < choice.fit(choice.k).bic) choice.k = fit.k();
    }
  }
  constexpr double kVeryStrong = 10.0;
  choice.k_low = choice.k_high = choice.k;
  for (const auto& fit : choice.fits) {
    if (fit.bic > choice.fit(choice.k).bic + kVeryStrong) continue;
    choice.k_low = std::min(choice.k_low, fit.k());
    choice.k_high = std::max(choice.k_high, fit.k());
  }
  choice.reached_max = choice.k == options.max_k;
  return choice;
}

std::vector<double> explained_ratio(const RowMatrix& points, std::size_t in_x, const MemberFit& fit,
                                    double ridge, double most) {
  const std::size_t k = fit.k();
  const double rows_x = static_cast<double>(in_x),
               rows_y = static_cast<double>(points.rows()) - rows_x;
  // One row more on each side keeps the ratio of members that a sample lacks finite.
  std::vector<double> pi_x(k), ratio(k);
  for (std::size_t j = 0; j < k; ++j) {
    pi_x[j] = fit.model.pi[0][j] + 1.0 / rows_x;
    ratio[j] = std::clamp((fit.model.pi[1][j] + 1.0 / rows_y) / pi_x[j], 1.0 / most, most);
  }
  const RowMatrix log_density =
      ComponentDensity(fit.model.mixture, ridge).log_density(as_view(points));
  std::vector<double> result(static_cast<std::size_t>(points.rows()));
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    const double top = log_density.row(i).maxCoeff();
    double in_y = 0.0, total = 0.0;
    for (std::size_t j = 0; j < k; ++j) {
      const double density = pi_x[j] * std::exp(log_density(i, static_cast<Eigen::Index>(j)) - top);
      in_y += density * ratio[j];
      total += density;
    }
    result[static_cast<std::size_t>(i)] = in_y / total;
  }
  return result;
}

std::vector<std::uint32_t> likeliest_members(const RowMatrix& points, const MemberFit& fit,
                                             double ridge) {
  RowMatrix density = ComponentDensity(fit.model.mixture, ridge).log_density(as_view(points));
  for (std::size_t j = 0; j < fit.k(); ++j) {
    const double share = 0.5 * (fit.model.pi[0][j] + fit.model.pi[1][j]);
    density.col(static_cast<Eigen::Index>(j)).array() += std::log(std::max(share, 1e-300));
  }
  std::vector<std::uint32_t> member;
  for (Eigen::Index i = 0; i < density.rows(); ++i) {
    Eigen::Index best = 0;
    density.row(i).maxCoeff(&best);
    member.push_back(static_cast<std::uint32_t>(best));
  }
  return member;
}

}  // namespace nw::measure
