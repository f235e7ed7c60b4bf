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

double nmi_of(const Contingency& table) {
  const double normaliser =
      0.5 * (entropy(table.by_class, table.total) + entropy(table.by_cluster, table.total));
  // One class in one cluster: nothing is left to tell.
  if (table.by_class.size() == 1 && table.by_cluster.size() == 1) return 1.0;
  double information = 0.0;
  for (const auto& [place, count] : table.both) {
    const double expected =
        table.by_class.at(place.first) * table.by_cluster.at(place.second) / table.total;
    information += count / table.total * std::log(count / expected);
  }
  return std::max(information, 0.0) / normaliser;
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
  return {.purity = purity_of(table), .nmi = nmi_of(table), .ari = ari_of(table)};
}

}  // namespace nw::cluster
