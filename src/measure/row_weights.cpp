// What every row weighs in the evidence. Where a region beyond the bound decides, the terms of its
// log likelihood ratio against "as many as the bound allows"; otherwise the terms of the rank sum
// of the scores. Divided by the sum of their sizes, so that rows compare and the total is the
// strength of the evidence, from -1 to 1.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "measure/compare_stages.hpp"

namespace nw::measure {
namespace {

// Of all pooled rows, X first.
std::vector<double> rank_terms(const std::vector<double>& score, std::size_t in_x) {
  const std::size_t rows = score.size();
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return score[a] < score[b]; });
  std::vector<double> term(rows);
  for (std::size_t begin = 0, end = 0; begin < rows; begin = end) {
    while (end < rows && score[order[end]] == score[order[begin]]) ++end;
    const double rank = 0.5 * static_cast<double>(begin + end) / static_cast<double>(rows) - 0.5;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t row = order[i];
      term[row] =
          row < in_x ? -rank / static_cast<double>(in_x) : rank / static_cast<double>(rows - in_x);
    }
  }
  return term;
}

}  // namespace

void weigh_rows(CompareResult& result, double alpha) {
  const std::size_t in_x = result.scores_x.size(), in_y = result.scores_y.size();
  std::vector<double> score;
  for (const auto& entry : result.scores_x) score.push_back(entry.score);
  for (const auto& entry : result.scores_y) score.push_back(entry.score);
  std::vector<double> term(score.size(), 0.0);
  const RegionChange* found_in =
      result.verdict == Verdict::components ? deciding_region(result, alpha) : nullptr;
  if (found_in != nullptr) {
    const RegionChange& region = *found_in;
    const bool more_in_y = found_in == &result.more_in_y;
    const double many =
        static_cast<double>(more_in_y ? region.rows_y.size() : region.rows_x.size());
    const double few = static_cast<double>(more_in_y ? region.rows_x.size() : region.rows_y.size());
    const double odds = more_in_y ? static_cast<double>(in_y) / static_cast<double>(in_x)
                                  : static_cast<double>(in_x) / static_cast<double>(in_y);
    const double allowed = odds * region.bound / (1.0 + odds * region.bound);
    const double found = std::clamp(many / (many + few), 1e-6, 1.0 - 1e-6);
    const double of_many = std::log(found / allowed);
    const double of_few = std::log((1.0 - found) / (1.0 - allowed));
    const auto fill = [&](const std::vector<RowScore>& scores, const std::vector<std::size_t>& in,
                          std::size_t offset, double value) {
      std::vector<std::size_t> sorted = in;
      std::ranges::sort(sorted);
      for (std::size_t i = 0; i < scores.size(); ++i) {
        if (std::ranges::binary_search(sorted, scores[i].row)) term[offset + i] = value;
      }
    };
    fill(result.scores_x, region.rows_x, 0, more_in_y ? of_few : of_many);
    fill(result.scores_y, region.rows_y, in_x, more_in_y ? of_many : of_few);
  } else {
    term = rank_terms(score, in_x);
  }
  double total = 0.0;
  for (const double t : term) total += std::abs(t);
  for (std::size_t i = 0; i < term.size(); ++i) {
    RowScore& entry = i < in_x ? result.scores_x[i] : result.scores_y[i - in_x];
    entry.weight = total > 0.0 ? term[i] / total : 0.0;
  }
}

}  // namespace nw::measure
