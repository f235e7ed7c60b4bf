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
      : columns_(columns), label_(label), options_(options) {
    for (std::uint32_t i = 0; i < label.size(); ++i) {
      if (options.weight.empty() || options.weight[i] > 0.0) drawn_from_.push_back(i);
    }
  }

  // Grows on a bootstrap sample, and adds the leaf's share to every row left out of it.
  void add_out_of_bag(Rng rng, std::vector<double>& sum, std::vector<int>& count) {
    draw_bag(rng);
    grow(rng);
    for (std::size_t i = 0; i < label_.size(); ++i) {
      if (mass_[i] > 0.0f) continue;
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
    [[nodiscard]] std::uint32_t size() const { return end - begin; }
  };
  struct Masses {
    double zeros = 0.0, ones = 0.0;
    void add(bool one, double mass) { (one ? ones : zeros) += mass; }
    // Falls with Gini impurity.
    [[nodiscard]] double purity() const { return (zeros * zeros + ones * ones) / (zeros + ones); }
    [[nodiscard]] Masses without(const Masses& part) const {
      return {zeros - part.zeros, ones - part.ones};
    }
  };
  struct Bin {
    Masses mass;
    std::uint32_t rows = 0, low = 0, high = 0;
  };

  // A row drawn several times stands in the bag once, with the mass of all its draws.
  void draw_bag(Rng& rng) {
    mass_.assign(label_.size(), 0.0f);
    for (std::size_t i = 0; i < drawn_from_.size(); ++i) {
      const std::uint32_t row = drawn_from_[rng.below(drawn_from_.size())];
      mass_[row] += options_.weight.empty() ? 1.0f : static_cast<float>(options_.weight[row]);
    }
    bag_.clear();
    for (const std::uint32_t i : drawn_from_) {
      if (mass_[i] > 0.0f) bag_.push_back(i);
    }
  }

  void grow(Rng& rng) {
    nodes_.assign(1, {});
    work_.assign(1, {0, 0, static_cast<std::uint32_t>(bag_.size())});
    order_.resize(columns_.rank.size());
    std::iota(order_.begin(), order_.end(), 0u);
    while (!work_.empty()) {
      const Work w = work_.back();
      work_.pop_back();
      Masses all;
      for (std::uint32_t i = w.begin; i < w.end; ++i) all.add(label_[bag_[i]], mass_[bag_[i]]);
      nodes_[w.node].share = static_cast<float>(all.ones / (all.zeros + all.ones));
      if (all.zeros == 0.0 || all.ones == 0.0 || w.size() < 2 * least()) continue;
      const Split split = find_split(w, all, rng);
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

  [[nodiscard]] std::uint32_t least() const {
    return static_cast<std::uint32_t>(options_.min_leaf);
  }

  Split find_split(const Work& w, const Masses& all, Rng& rng) {
    const std::size_t columns = order_.size();
    const auto wanted =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::sqrt(static_cast<double>(columns))));
    Split best;
    std::size_t looked_at = 0;
    value_.resize(w.size());
    for (std::size_t c = 0; c < columns && looked_at < wanted; ++c) {
      std::swap(order_[c], order_[c + static_cast<std::size_t>(rng.below(columns - c))]);
      const std::uint32_t column = order_[c];
      const auto& rank = columns_.rank[column];
      std::uint32_t low = rank[bag_[w.begin]], high = low;
      for (std::uint32_t i = 0; i < w.size(); ++i) {
        const std::uint32_t r = rank[bag_[w.begin + i]];
        value_[i] = r;
        low = std::min(low, r);
        high = std::max(high, r);
      }
      if (low == high) continue;
      ++looked_at;
      Split split;
      if (options_.random_thresholds) {
        split = random_split(w, all, low, high, rng);
      } else {
        split = w.size() > kMostSorted ? binned_split(w, all, low, high) : sorted_split(w, all);
      }
      split.column = column;
      if (split.gain > best.gain) best = split;
    }
    return best;
  }

  Split random_split(const Work& w, const Masses& all, std::uint32_t low, std::uint32_t high,
                     Rng& rng) {
    const auto threshold = low + static_cast<std::uint32_t>(rng.below(high - low));
    std::uint32_t rows = 0;
    Masses left;
    for (std::uint32_t i = 0; i < w.size(); ++i) {
      if (value_[i] > threshold) continue;
      ++rows;
      left.add(label_[bag_[w.begin + i]], mass_[bag_[w.begin + i]]);
    }
    if (rows < least() || w.size() - rows < least()) return {};
    return {0, threshold, left.purity() + all.without(left).purity()};
  }

  // The best of all thresholds, for small nodes.
  Split sorted_split(const Work& w, const Masses& all) {
    sorted_.resize(w.size());
    for (std::uint32_t i = 0; i < w.size(); ++i) {
      sorted_[i] = (std::uint64_t{value_[i]} << 32) | bag_[w.begin + i];
    }
    std::sort(sorted_.begin(), sorted_.end());
    Split best;
    Masses left;
    for (std::uint32_t i = 0; i + 1 < w.size(); ++i) {
      const auto row = static_cast<std::uint32_t>(sorted_[i]);
      left.add(label_[row], mass_[row]);
      const auto here = static_cast<std::uint32_t>(sorted_[i] >> 32),
                 next = static_cast<std::uint32_t>(sorted_[i + 1] >> 32);
      if (here == next || i + 1 < least() || w.size() - i - 1 < least()) continue;
      const double gain = left.purity() + all.without(left).purity();
      if (gain > best.gain) best = {0, here + (next - here) / 2, gain};
    }
    return best;
  }

  // The best threshold between bins of equal width in rank, for large nodes: one pass, no sort.
  Split binned_split(const Work& w, const Masses& all, std::uint32_t low, std::uint32_t high) {
    bins_.assign(kBins, {});
    const std::uint64_t scale = (std::uint64_t{kBins} << 32) / (std::uint64_t{high} - low + 1);
    for (std::uint32_t i = 0; i < w.size(); ++i) {
      Bin& bin = bins_[(scale * (value_[i] - low)) >> 32];
      const std::uint32_t row = bag_[w.begin + i];
      bin.mass.add(label_[row], mass_[row]);
      bin.low = bin.rows == 0 ? value_[i] : std::min(bin.low, value_[i]);
      bin.high = std::max(bin.high, value_[i]);
      ++bin.rows;
    }
    Split best;
    Masses left;
    std::uint32_t rows = 0, here = low;
    for (const Bin& bin : bins_) {
      if (bin.rows == 0) continue;
      if (rows >= least() && rows > 0 && w.size() - rows >= least()) {
        const double gain = left.purity() + all.without(left).purity();
        if (gain > best.gain) best = {0, here + (bin.low - here) / 2, gain};
      }
      left.zeros += bin.mass.zeros;
      left.ones += bin.mass.ones;
      rows += bin.rows;
      here = bin.high;
    }
    return best;
  }

  static constexpr std::uint32_t kBins = 128;
  static constexpr std::uint32_t kMostSorted = 256;

  const RankedColumns& columns_;
  const std::vector<std::uint8_t>& label_;
  const ForestOptions& options_;
  std::vector<std::uint32_t> drawn_from_;  // rows that may train a tree
  std::vector<std::uint32_t> bag_, order_, value_;
  std::vector<std::uint64_t> sorted_;
  std::vector<float> mass_;  // in the bag; 0: left out
  std::vector<Bin> bins_;
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
        options.stop();
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

std::vector<double> domain_scores(const RankedColumns& columns,
                                  const std::vector<std::uint8_t>& label,
                                  const ForestOptions& options, const Rng& rng) {
  if (columns.rank.empty()) return std::vector<double>(label.size(), 0.5);
  ForestOptions forest = options;
  forest.min_leaf = 1;
  forest.random_thresholds = false;
  std::vector<double> score = out_of_bag_scores(columns, label, forest, rng.split(1));
  forest.min_leaf = 3;
  forest.random_thresholds = true;
  const std::vector<double> extra = out_of_bag_scores(columns, label, forest, rng.split(2));
  for (std::size_t i = 0; i < score.size(); ++i) score[i] = 0.5 * (score[i] + extra[i]);
  return score;
}

}  // namespace nw::measure
