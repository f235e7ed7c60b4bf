// A class is seldom one Gaussian, and BIC then spends several components on it: these overlap, and
// when the mix changes, their shares change by one factor. The measure of overlap is the part of a
// component that the posterior gives to another (directly estimated misclassification, Hennig 2010,
// as for clusters of several Gaussians). Overlap alone would join classes that overlap, too, and
// hide that one grew at the expense of the other; the second condition keeps the change of the mix
// what it was. On labelled tables the groups are nearer to the classes than the components
// (docs/measurements/measure_measured.md). Complexity: O(n k^2 + k^4).
#include "measure/alike_components.hpp"

#include <algorithm>
#include <cmath>

namespace nw::measure {
namespace {

constexpr double kOverlap = 0.05;     // part of a component that is taken for another
constexpr double kSameFactor = 1.96;  // deviations by which logarithms of factors may differ

/// Memberships of the rows of both samples, [rows, k], each row with sum 1.
RowMatrix memberships(const DescribedComponents& components, double ridge) {
  const ComponentDensity density(components.model.mixture, ridge);
  Eigen::Index rows = 0;
  for (const Sample& sample : components.samples) rows += static_cast<Eigen::Index>(sample.rows());
  RowMatrix all(rows, static_cast<Eigen::Index>(components.model.mixture.size()));
  Eigen::Index at = 0;
  for (std::size_t s = 0; s < components.samples.size(); ++s) {
    const Sample& sample = components.samples[s];
    const std::vector<double> once(sample.rows(), 1.0);
    const RowMatrix p =
        posterior(density.log_density(sample.points), components.model.pi[s], once).probability;
    all.middleRows(at, p.rows()) = p;
    at += p.rows();
  }
  const Eigen::VectorXd total = all.rowwise().sum().cwiseMax(1e-300);
  all.array().colwise() /= total.array();
  return all;
}

/// [k, k] the part of i that lies where j is the likeliest, or of j where i is, if that is more.
RowMatrix overlaps(const RowMatrix& membership) {
  const Eigen::Index k = membership.cols();
  RowMatrix taken = RowMatrix::Zero(k, k);
  for (Eigen::Index i = 0; i < membership.rows(); ++i) {
    Eigen::Index best = 0;
    membership.row(i).maxCoeff(&best);
    taken.col(best) += membership.row(i).transpose();
  }
  const Eigen::VectorXd mass = taken.rowwise().sum().cwiseMax(1e-300);
  taken.array().colwise() /= mass.array();
  return taken.cwiseMax(taken.transpose());
}

struct Group {
  std::vector<std::size_t> components;
  double rows_x = 0.0, rows_y = 0.0;
  bool shared = true;
};

// The logarithm of the odds ratio of two groups and two samples, against its deviation (Woolf 1955,
// with Haldane's half a row for empty cells).
bool by_one_factor(const Group& a, const Group& b) {
  double logarithm = 0.0, variance = 0.0;
  for (const auto& [rows, sign] :
       {std::pair{a.rows_y, 1.0}, {a.rows_x, -1.0}, {b.rows_y, -1.0}, {b.rows_x, 1.0}}) {
    logarithm += sign * std::log(rows + 0.5);
    variance += 1.0 / (rows + 0.5);
  }
  return std::abs(logarithm) < kSameFactor * std::sqrt(variance);
}

}  // namespace

std::vector<std::vector<std::size_t>> join_alike(const DescribedComponents& components,
                                                 double ridge) {
  const std::size_t k = components.pi_x.size();
  std::vector<Group> groups(k);
  for (std::size_t j = 0; j < k; ++j) {
    groups[j] = {.components = {j},
                 .rows_x = components.pi_x[j] * static_cast<double>(components.samples[0].rows()),
                 .rows_y = components.pi_y[j] * static_cast<double>(components.samples[1].rows()),
                 .shared = components.shared[j]};
  }
  RowMatrix membership = memberships(components, ridge);
  for (bool joined = true; joined && groups.size() > 1;) {
    const RowMatrix overlap = overlaps(membership);
    double most = kOverlap;
    std::size_t first = 0, second = 0;
    for (std::size_t b = 1; b < groups.size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) {
        const double part = overlap(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b));
        if (part < most || !groups[a].shared || !groups[b].shared) continue;
        if (!by_one_factor(groups[a], groups[b])) continue;
        most = part;
        first = a;
        second = b;
      }
    }
    joined = second > 0;
    if (!joined) break;
    const auto to = static_cast<Eigen::Index>(first), from = static_cast<Eigen::Index>(second);
    membership.col(to) += membership.col(from);
    const Eigen::Index behind = membership.cols() - from - 1;
    membership.middleCols(from, behind) = membership.rightCols(behind).eval();
    membership.conservativeResize(Eigen::NoChange, membership.cols() - 1);
    Group& group = groups[first];
    const Group& other = groups[second];
    group.components.insert(group.components.end(), other.components.begin(),
                            other.components.end());
    group.rows_x += other.rows_x;
    group.rows_y += other.rows_y;
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(second));
  }
  std::vector<std::vector<std::size_t>> members;
  for (Group& group : groups) {
    std::ranges::sort(group.components);
    members.push_back(std::move(group.components));
  }
  return members;
}

}  // namespace nw::measure
