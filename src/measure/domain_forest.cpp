// Trees read ranks instead of values: thresholds between ranks are the same for any units and any
// increasing transform of a column. Each split looks at sqrt(columns) columns that vary in its
// node.
#include "measure/domain_forest.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nw/base/parallel.hpp"

namespace nw::measure {
namespace {

struct Node {
  std::uint32_t column = 0, threshold = 0;  // left: rank <= threshold
  std::uint32_t left = 0;                   // right is the next one; 0: a leaf
  float share = 0.5f;                       // of label 1
};

struct Split {
  std::uint32_t column = 0, threshold = 0;
  double gain = -1.0;
};

class Tree {
 public:
  Tree(const RankedColumns& columns, const std::vector<std::uint8_t>& label,
       const ForestOptions& options)
      : columns_(columns), label_(label), options_(options), cumulative_(options.weight) {
    std::partial_sum(cumulative_.begin(), cumulative_.end(), cumulative_.begin());
  }

  // Grows on a bootstrap sample, and adds the leaf's share to every row left out of it.
  void add_out_of_bag(Rng rng, std::vector<double>& sum, std::vector<int>& count) {
    draw_bag(rng);
    grow(rng);
    for (std::size_t i = 0; i < label_.size(); ++i) {
      if (in_bag_[i]) continue;
      std::uint32_t at = 0;
      while (nodes_[at].left != 0) {
        const Node& node = nodes_[at];
        at = node.left + (columns_.rank[node.column][i] > node.threshold);
      }
      sum[i] += nodes_[at].share;
      ++count[i];
    }
  }

 private:
  struct Work {
    std::uint32_t node, begin, end;
  };

  void draw_bag(Rng& rng) {
    const auto idle = static_cast<std::size_t>(std::ranges::count(options_.weight, 0.0));
    bag_.resize(label_.size() - idle);
    in_bag_.assign(label_.size(), 0);
    for (auto& i : bag_) {
      i = draw_row(rng);
      in_bag_[i] = 1;
    }
  }

  std::uint32_t draw_row(Rng& rng) const {
    if (cumulative_.empty()) return static_cast<std::uint32_t>(rng.below(label_.size()));
    const double at = rng.uniform() * cumulative_.back();
    const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end() - 1, at);
    return static_cast<std::uint32_t>(found - cumulative_.begin());
  }

  void grow(Rng& rng) {
    nodes_.assign(1, {});
    work_.assign(1, {0, 0, static_cast<std::uint32_t>(bag_.size())});
    order_.resize(columns_.rank.size());
    std::iota(order_.begin(), order_.end(), 0u);
    while (!work_.empty()) {
      const Work w = work_.back();
      work_.pop_back();
      const std::uint32_t size = w.end - w.begin;
      std::uint32_t ones = 0;
      for (std::uint32_t i = w.begin; i < w.end; ++i) ones += label_[bag_[i]];
      nodes_[w.node].share = static_cast<float>(ones) / static_cast<float>(size);
      if (ones == 0 || ones == size || size < 2 * static_cast<std::uint32_t>(options_.min_leaf)) {
        continue;
      }
      const Split split = find_split(w, ones, rng);
      if (split.gain < 0.0) continue;
      const auto& rank = columns_.rank[split.column];
      const auto middle = static_cast<std::uint32_t>(
          std::partition(bag_.begin() + w.begin, bag_.begin() + w.end,
                         [&](std::uint32_t i) { return rank[i] <= split.threshold; }) -
          bag_.begin());
      const auto left = static_cast<std::uint32_t>(nodes_.size());
      nodes_[w.node].column = split.column;
      nodes_[w.node].threshold = split.threshold;
      nodes_[w.node].left = left;
      nodes_.resize(nodes_.size() + 2);
      work_.push_back({left, w.begin, middle});
      work_.push_back({left + 1, middle, w.end});
    }
  }

  Split find_split(const Work& w, std::uint32_t ones, Rng& rng) {
    const std::size_t columns = order_.size();
    const auto wanted =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::sqrt(static_cast<double>(columns))));
    Split best;
    std::size_t looked_at = 0;
    for (std::size_t c = 0; c < columns && looked_at < wanted; ++c) {
      std::swap(order_[c], order_[c + static_cast<std::size_t>(rng.below(columns - c))]);
      const std::uint32_t column = order_[c];
      const auto& rank = columns_.rank[column];
      std::uint32_t low = rank[bag_[w.begin]], high = low;
      for (std::uint32_t i = w.begin + 1; i < w.end; ++i) {
        low = std::min(low, rank[bag_[i]]);
        high = std::max(high, rank[bag_[i]]);
      }
      if (low == high) continue;
      ++looked_at;
      const Split split = options_.random_thresholds ? random_split(w, ones, column, low, high, rng)
                                                     : best_split(w, ones, column);
      if (split.gain > best.gain) best = split;
    }
    return best;
  }

  // Larger for purer sides: the sum over sides of (ones^2 + zeros^2) / size, which Gini impurity
  // falls with.
  static double purity(double left, double left_ones, double size, double ones) {
    const double right = size - left, right_ones = ones - left_ones;
    return (left_ones * left_ones + (left - left_ones) * (left - left_ones)) / left +
           (right_ones * right_ones + (right - right_ones) * (right - right_ones)) / right;
  }

  Split random_split(const Work& w, std::uint32_t ones, std::uint32_t column, std::uint32_t low,
                     std::uint32_t high, Rng& rng) {
    const auto threshold = low + static_cast<std::uint32_t>(rng.below(high - low));
    const auto& rank = columns_.rank[column];
    std::uint32_t left = 0, left_ones = 0;
    for (std::uint32_t i = w.begin; i < w.end; ++i) {
      const bool goes_left = rank[bag_[i]] <= threshold;
      left += goes_left;
      left_ones += goes_left && label_[bag_[i]];
    }
    const std::uint32_t size = w.end - w.begin;
    const auto least = static_cast<std::uint32_t>(options_.min_leaf);
    if (left < least || size - left < least) return {};
    return {column, threshold, purity(left, left_ones, size, ones)};
  }

  Split best_split(const Work& w, std::uint32_t ones, std::uint32_t column) {
    const auto& rank = columns_.rank[column];
    const std::uint32_t size = w.end - w.begin;
    sorted_.resize(size);
    for (std::uint32_t i = 0; i < size; ++i) {
      const std::uint32_t row = bag_[w.begin + i];
      sorted_[i] = rank[row] * 2 + label_[row];
    }
    std::sort(sorted_.begin(), sorted_.end());
    const auto least = static_cast<std::uint32_t>(options_.min_leaf);
    Split best;
    std::uint32_t left_ones = 0;
    for (std::uint32_t i = 0; i + 1 < size; ++i) {
      left_ones += sorted_[i] & 1u;
      const std::uint32_t here = sorted_[i] >> 1, next = sorted_[i + 1] >> 1;
      if (here == next || i + 1 < least || size - i - 1 < least) continue;
      const double gain = purity(i + 1, left_ones, size, ones);
      if (gain > best.gain) best = {column, here + (next - here) / 2, gain};
    }
    return best;
  }

  const RankedColumns& columns_;
  const std::vector<std::uint8_t>& label_;
  const ForestOptions& options_;
  std::vector<double> cumulative_;
  std::vector<std::uint32_t> bag_, order_, sorted_;
  std::vector<std::uint8_t> in_bag_;
  std::vector<Node> nodes_;
  std::vector<Work> work_;
};

}  // namespace

void RankedColumns::append(MatrixView values) {
  for (std::size_t c = 0; c < values.cols(); ++c) {
    std::vector<double> sorted(values.rows());
    for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = values(i, c);
    std::ranges::sort(sorted);
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    auto& out = rank.emplace_back(values.rows());
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = static_cast<std::uint32_t>(
          std::lower_bound(sorted.begin(), sorted.end(), values(i, c)) - sorted.begin());
    }
  }
}

std::vector<double> out_of_bag_scores(const RankedColumns& columns,
                                      const std::vector<std::uint8_t>& label,
                                      const ForestOptions& options, const Rng& rng) {
  // Sums go block by block, in order, so that they are the same for every number of threads.
  constexpr std::size_t kBlocks = 20;
  const std::size_t rows = label.size(), trees = static_cast<std::size_t>(options.trees);
  std::vector<std::vector<double>> sum(kBlocks, std::vector<double>(rows, 0.0));
  std::vector<std::vector<int>> count(kBlocks, std::vector<int>(rows, 0));
  parallel_for(options.threads, kBlocks, 1, [&](std::size_t first, std::size_t last, int) {
    for (std::size_t b = first; b < last; ++b) {
      Tree tree(columns, label, options);
      for (std::size_t t = b * trees / kBlocks; t < (b + 1) * trees / kBlocks; ++t) {
        tree.add_out_of_bag(rng.split(t), sum[b], count[b]);
      }
    }
  });
  std::vector<double> score(rows, 0.5);
  for (std::size_t i = 0; i < rows; ++i) {
    double total = 0.0;
    int times = 0;
    for (std::size_t b = 0; b < kBlocks; ++b) {
      total += sum[b][i];
      times += count[b][i];
    }
    if (times > 0) score[i] = total / times;
  }
  return score;
}

}  // namespace nw::measure
