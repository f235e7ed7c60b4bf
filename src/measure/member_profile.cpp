// One pass over the rows: posteriors of the shared components under proportions that likelihood
// finds for each sample. Both searches start from the same proportions and go on to the end, so
// that what they leave over is the same for both and no difference between them. Then for every
// coordinate a distribution function per component and sample on at most kCuts values, which are
// quantiles of both samples together. On these, W1 is the integral of |F_Y - F_X|. O(rows (k d +
// k)) and k d kCuts numbers of memory.
//
// Where a column changes, F_Y - F_X = sum_j (b_j - a_j) (F_xj + F_yj) / 2 + sum_j (a_j + b_j) / 2
// (F_yj - F_xj), a and b being the shares: the first sum is the change of the mix, the second that
// of the members (Kitagawa 1955). Both are integrated with the sign of F_Y - F_X, so that their sum
// is W1. A component that is in one sample only has no members to compare: it is all mix.
#include "measure/member_profile.hpp"

#include <algorithm>
#include <cmath>

#include "nw/base/parallel.hpp"

#include "measure/normal_quantile.hpp"

namespace nw::measure {
namespace {

constexpr std::size_t kCuts = 128;
constexpr std::size_t kRowsForCuts = 4000;
constexpr double kFewRows = 5.0;
// A member narrower than this part of the column counts as this wide.
constexpr double kNarrowest = 0.05;

// Posteriors under a prior turned into those of the proportions they imply (EM). Returns these.
Eigen::VectorXd settle(RowMatrix& q, const Eigen::VectorXd& weights, const Eigen::VectorXd& prior) {
  constexpr int kIterations = 300;
  Eigen::VectorXd share = prior;
  for (int step = 0; step < kIterations; ++step) {
    const Eigen::VectorXd ratio = share.cwiseQuotient(prior);
    const Eigen::VectorXd total = (q * ratio).cwiseMax(1e-300);
    const Eigen::VectorXd next =
        ratio.cwiseProduct(q.transpose() * weights.cwiseQuotient(total)) / weights.sum();
    const double change = (next - share).cwiseAbs().sum();
    share = next / next.sum();
    if (change < 1e-7) break;
  }
  q = q * share.cwiseQuotient(prior).asDiagonal();
  const Eigen::VectorXd total = q.rowwise().sum().cwiseMax(1e-300);
  q.array().colwise() *= weights.array() / total.array();
  return share;
}

/// The rows of one sample that are looked at, and their posteriors times weights.
struct SideRows {
  std::vector<std::size_t> row;
  RowMatrix part;         // [rows, k]
  Eigen::VectorXd share;  // [k]
};

SideRows posteriors_of(const WorkingData& work, std::size_t s, const Eigen::VectorXd& prior,
                       const ComponentDensity& density, std::size_t most, int threads, Rng& rng) {
  constexpr std::size_t kBlock = 2048;
  const ot::WeightedPoints& data = work.given[s];
  SideRows side{.row = choose_rows(data.points.rows(), most, rng), .part = {}, .share = {}};
  const std::size_t rows = side.row.size();
  const std::vector<double> pi = to_vector(prior);
  side.part.resize(static_cast<Eigen::Index>(rows), prior.size());
  Eigen::VectorXd weights = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(rows));
  parallel_for(threads, rows, kBlock, [&](std::size_t begin, std::size_t end, int) {
    Matrix block(end - begin, work.dim());
    const std::vector<double> equal(end - begin, 1.0);
    for (std::size_t i = begin; i < end; ++i) {
      std::ranges::copy(reduce(work.reduction, data.points.row(side.row[i])),
                        block.row(i - begin).begin());
      if (!data.weights.empty()) {
        weights(static_cast<Eigen::Index>(i)) = data.weights[side.row[i]];
      }
    }
    side.part.middleRows(static_cast<Eigen::Index>(begin), static_cast<Eigen::Index>(end - begin)) =
        posterior(density.log_density(block), pi, equal).probability;
  });
  side.share = settle(side.part, weights, prior);
  return side;
}

// Quantiles of both samples weighing the same; every value where there are few different ones.
std::vector<double> cuts_of(const WorkingData& work, const SideRows (&side)[2], std::size_t c) {
  std::vector<double> values;
  for (std::size_t s = 0; s < 2; ++s) {
    const std::size_t count = std::min(side[s].row.size(), kRowsForCuts);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t row = side[s].row[i * side[s].row.size() / count];
      values.push_back(work.given[s].points(row, c));
    }
  }
  std::ranges::sort(values);
  std::vector<double> distinct = values;
  distinct.erase(std::ranges::unique(distinct).begin(), distinct.end());
  if (distinct.size() <= kCuts) return distinct;
  std::vector<double> cuts;
  for (std::size_t g = 0; g < kCuts; ++g) {
    cuts.push_back(values[g * (values.size() - 1) / (kCuts - 1)]);
  }
  cuts.erase(std::ranges::unique(cuts).begin(), cuts.end());
  return cuts;
}

void profile_column(const WorkingData& work, const SideRows (&side)[2], std::size_t c,
                    MemberProfile& profile) {
  const std::size_t k = profile.components;
  profile.cuts[c] = cuts_of(work, side, c);
  const auto& cuts = profile.cuts[c];
  double pooled_mean = 0.0, pooled_square = 0.0;
  for (std::size_t s = 0; s < 2; ++s) {
    const MatrixView points = work.given[s].points;
    // Moments around the middle cut, so that far columns lose no digits.
    const double origin = cuts[cuts.size() / 2];
    std::vector<double> mass(k, 0.0), first(k, 0.0), second(k, 0.0);
    RowMatrix count =
        RowMatrix::Zero(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(cuts.size() + 1));
    for (std::size_t i = 0; i < side[s].row.size(); ++i) {
      const double value = points(side[s].row[i], c), u = value - origin;
      const auto bin =
          static_cast<Eigen::Index>(std::ranges::lower_bound(cuts, value) - cuts.begin());
      for (std::size_t j = 0; j < k; ++j) {
        const double p = side[s].part(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
        if (p < 1e-9) continue;
        mass[j] += p;
        first[j] += p * u;
        second[j] += p * u * u;
        count(static_cast<Eigen::Index>(j), bin) += p;
      }
    }
    double all = 0.0, all_first = 0.0, all_second = 0.0;
    for (std::size_t j = 0; j < k; ++j) {
      all += mass[j];
      all_first += first[j];
      all_second += second[j];
      MemberColumn& column = profile.column[s][j * profile.columns + c];
      column.below.assign(cuts.size(), 0.0);
      if (!(mass[j] > 0.0)) continue;
      const double mean = first[j] / mass[j];
      column.mean = origin + mean;
      column.deviation = std::sqrt(std::max(second[j] / mass[j] - mean * mean, 0.0));
      double sum = 0.0;
      for (std::size_t g = 0; g < cuts.size(); ++g) {
        sum += count(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(g));
        column.below[g] = sum / mass[j];
      }
    }
    pooled_mean += 0.5 * all_first / all;
    pooled_square += 0.5 * all_second / all;
  }
  profile.deviation[c] = std::sqrt(std::max(pooled_square - pooled_mean * pooled_mean, 0.0));
}

}  // namespace

bool MemberProfile::in_both(std::size_t j) const {
  return effective_rows[0][j] >= kFewRows && effective_rows[1][j] >= kFewRows;
}

double MemberProfile::unit(std::size_t j, std::size_t c) const {
  const double x = at(0, j, c).deviation, y = at(1, j, c).deviation;
  return std::max(std::sqrt(0.5 * (x * x + y * y)), kNarrowest * deviation[c]);
}

MemberProfile profile_members(const WorkingData& work, const SharedModel& model, double ridge,
                              std::size_t most_rows, int threads, Rng rng) {
  const ComponentDensity density(model.mixture, ridge);
  MemberProfile profile;
  profile.components = model.mixture.size();
  profile.columns = work.given[0].points.cols();
  profile.cuts.resize(profile.columns);
  profile.deviation.assign(profile.columns, 0.0);
  // No share starts at zero, where EM would keep it.
  Eigen::VectorXd prior = 0.5 * (as_eigen(std::span<const double>(model.pi[0])) +
                                 as_eigen(std::span<const double>(model.pi[1])));
  prior = prior.cwiseMax(1e-3);
  prior /= prior.sum();
  SideRows side[2];
  for (std::size_t s = 0; s < 2; ++s) {
    side[s] = posteriors_of(work, s, prior, density, most_rows, threads, rng);
    const Eigen::VectorXd sum = side[s].part.colwise().sum();
    const Eigen::VectorXd squares = side[s].part.colwise().squaredNorm();
    for (Eigen::Index j = 0; j < sum.size(); ++j) {
      profile.mass[s].push_back(side[s].share(j));
      profile.effective_rows[s].push_back(squares(j) > 0.0 ? sum(j) * sum(j) / squares(j) : 0.0);
    }
    profile.column[s].resize(profile.components * profile.columns);
  }
  parallel_for(threads, profile.columns, 1, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t c = begin; c < end; ++c) profile_column(work, side, c, profile);
  });
  return profile;
}

MemberMove member_move(const MemberProfile& profile, std::size_t j, std::size_t c,
                       double confidence) {
  const auto& cuts = profile.cuts[c];
  const double unit = profile.unit(j, c);
  if (!(unit > 0.0) || !profile.in_both(j)) return {};
  const auto& x = profile.at(0, j, c).below;
  const auto& y = profile.at(1, j, c).below;
  const double rows_x = profile.effective_rows[0][j], rows_y = profile.effective_rows[1][j];
  MemberMove move;
  for (std::size_t g = 0; g + 1 < cuts.size(); ++g) {
    const double width = (cuts[g + 1] - cuts[g]) / unit;
    const double middle = 0.5 * (x[g] + y[g]), variance = middle * (1.0 - middle);
    move.distance += width * std::abs(y[g] - x[g]);
    move.noise += width * std::sqrt(std::max(variance, 0.0) * (1.0 / rows_x + 1.0 / rows_y));
  }
  // As if the errors of all cuts came together: more than they can make of W1.
  move.noise *= normal_quantile(0.5 + 0.5 * confidence);
  return move;
}

ColumnParts column_parts(const MemberProfile& profile, std::size_t c) {
  const auto& cuts = profile.cuts[c];
  ColumnParts parts;
  if (!(profile.deviation[c] > 0.0)) return parts;
  for (std::size_t g = 0; g + 1 < cuts.size(); ++g) {
    double between = 0.0, within = 0.0;
    for (std::size_t j = 0; j < profile.components; ++j) {
      const double a = profile.mass[0][j], b = profile.mass[1][j];
      double x = profile.at(0, j, c).below[g], y = profile.at(1, j, c).below[g];
      if (!profile.in_both(j)) {
        (profile.effective_rows[0][j] < profile.effective_rows[1][j] ? x : y) =
            profile.effective_rows[0][j] < profile.effective_rows[1][j] ? y : x;
      }
      between += (b - a) * 0.5 * (x + y);
      within += 0.5 * (a + b) * (y - x);
    }
    const double width = (cuts[g + 1] - cuts[g]) / profile.deviation[c];
    const double sign = between + within < 0.0 ? -1.0 : 1.0;
    parts.between += sign * width * between;
    parts.within += sign * width * within;
  }
  parts.change = parts.between + parts.within;
  return parts;
}

}  // namespace nw::measure
