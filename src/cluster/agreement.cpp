#include "nw/cluster/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "nw/base/error.hpp"

namespace nw::cluster {
namespace {

/// Points in each pair of class and cluster that has some, and in each class and cluster.
struct Contingency {
  std::map<std::pair<std::int32_t, std::uint32_t>, double> both;
  std::map<std::int32_t, double> by_class;
  std::map<std::uint32_t, double> by_cluster;
  double total = 0.0;
};

template <typename Counts>
double entropy(const Counts& counts, double total) {
  double sum = 0.0;
  for (const auto& [name, count] : counts) sum -= count / total * std::log(count / total);
  return sum;
}

/// Unordered pairs within each group.
template <typename Counts>
double pairs(const Counts& counts) {
  double sum = 0.0;
  for (const auto& [name, count] : counts) sum += count * (count - 1.0) / 2.0;
  return sum;
}

double purity_of(const Contingency& table) {
  std::map<std::uint32_t, double> largest;
  for (const auto& [place, count] : table.both) {
    largest[place.second] = std::max(largest[place.second], count);
  }
  double sum = 0.0;
  for (const auto& [cluster, count] : largest) sum += count;
  return sum / table.total;
}

double mean_entropy(const Contingency& table) {
  return 0.5 * (entropy(table.by_class, table.total) + entropy(table.by_cluster, table.total));
}

double information_of(const Contingency& table) {
  double information = 0.0;
  for (const auto& [place, count] : table.both) {
    const double expected =
        table.by_class.at(place.first) * table.by_cluster.at(place.second) / table.total;
    information += count / table.total * std::log(count / expected);
  }
  return std::max(information, 0.0);
}

/// Mean mutual information of partitions with these sizes, all equally likely (Vinh, Epps and
/// Bailey 2010, eq. 24a): the points that a class and a cluster share are then hypergeometric.
double chance_information(const Contingency& table) {
  const double n = table.total;
  double sum = 0.0;
  for (const auto& [name, a] : table.by_class) {
    for (const auto& [number, b] : table.by_cluster) {
      const double first = std::max(1.0, a + b - n), last = std::min(a, b);
      double log_chance = std::lgamma(a + 1.0) + std::lgamma(b + 1.0) + std::lgamma(n - a + 1.0) +
                          std::lgamma(n - b + 1.0) - std::lgamma(n + 1.0) -
                          std::lgamma(first + 1.0) - std::lgamma(a - first + 1.0) -
                          std::lgamma(b - first + 1.0) - std::lgamma(n - a - b + first + 1.0);
      for (double both = first; both <= last; both += 1.0) {
        sum += both / n * std::log(n * both / (a * b)) * std::exp(log_chance);
        log_chance +=
            std::log((a - both) * (b - both)) - std::log((both + 1.0) * (n - a - b + both + 1.0));
      }
    }
  }
  return sum;
}

/// One class in one cluster, or all points alone on both sides: the partitions are equal, and
/// nothing is left to tell.
bool has_no_choice(const Contingency& table) {
  const std::size_t classes = table.by_class.size(), clusters = table.by_cluster.size();
  return classes == clusters && (classes == 1 || static_cast<double>(classes) == table.total);
}

double nmi_of(const Contingency& table) {
  return has_no_choice(table) ? 1.0 : information_of(table) / mean_entropy(table);
}

double ami_of(const Contingency& table) {
  if (has_no_choice(table)) return 1.0;
  const double chance = chance_information(table);
  const double most = mean_entropy(table) - chance;
  // As in scikit-learn: where nothing lies between the two, the sign alone is told.
  constexpr double kLeast = 2.220446049250313e-16;
  return (information_of(table) - chance) /
         (most < 0.0 ? std::min(most, -kLeast) : std::max(most, kLeast));
}

double ari_of(const Contingency& table) {
  const double together = pairs(table.both), in_class = pairs(table.by_class),
               in_cluster = pairs(table.by_cluster);
  const double all = table.total * (table.total - 1.0) / 2.0;
  // All alone or all together on both sides: the partitions are equal.
  if (in_class == in_cluster && (in_class == 0.0 || in_class == all)) return 1.0;
  const double expected = in_class * in_cluster / all;
  return (together - expected) / (0.5 * (in_class + in_cluster) - expected);
}

}  // namespace

Agreement agreement(std::span<const std::int32_t> classes,
                    std::span<const std::uint32_t> clusters) {
  require(classes.size() == clusters.size(), "agreement: ", classes.size(), " classes and ",
          clusters.size(), " clusters");
  require(!classes.empty(), "agreement: no points");
  Contingency table;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    table.both[{classes[i], clusters[i]}] += 1.0;
    table.by_class[classes[i]] += 1.0;
    table.by_cluster[clusters[i]] += 1.0;
  }
  table.total = static_cast<double>(classes.size());
  return {
      .purity = purity_of(table), .nmi = nmi_of(table), .ami = ami_of(table), .ari = ari_of(table)};
}

}  // namespace nw::cluster
