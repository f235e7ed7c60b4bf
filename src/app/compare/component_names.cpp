#include "app/compare/component_names.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "nw/base/number_text.hpp"

namespace nw::app {
namespace {

using measure::ComponentChange;
using record::ComponentName;
using record::NamePart;
using table::ColumnEncoding;
using table::Encoding;

constexpr std::size_t kColumns = 2;      // in a name, unless more are needed to set it apart
constexpr std::size_t kMostColumns = 3;  // in any name
constexpr std::size_t kMostLength = 44;  // letters of a name of several columns
constexpr double kApart = 1.0;   // coordinates are deviations: components this far apart differ
constexpr double kMostly = 0.6;  // a level with at least this share describes a component
constexpr double kNearlyAll = 0.9;
constexpr double kHandful = 0.1;
// Readers know levels better than amounts: a level that half of all rows have not counts as much as
// two deviations.
constexpr double kLevelWeight = 4.0;

/// A state of a column of levels and its share in a component.
struct CommonLevel {
  std::string name;
  double share = 0.0;
};

CommonLevel common_level(const ColumnEncoding& column, const std::vector<double>& in_units) {
  std::vector<std::string> states = column.levels;
  if (column.other) states.emplace_back("other");
  if (column.missing) states.emplace_back("missing");
  std::vector<double> shares;
  if (states.size() == 2) {
    shares = {1.0 - in_units[column.first], in_units[column.first]};
  } else {
    shares.assign(in_units.begin() + static_cast<std::ptrdiff_t>(column.first),
                  in_units.begin() + static_cast<std::ptrdiff_t>(column.first + column.count));
  }
  const auto most = std::ranges::max_element(shares) - shares.begin();
  return {states[static_cast<std::size_t>(most)], shares[static_cast<std::size_t>(most)]};
}

/// A number without the digits that vary within a component anyway.
std::string rounded(double value, double deviation) {
  if (!(deviation > 0.0)) return amount(value, 3);
  const double step = std::pow(10.0, std::floor(std::log10(deviation / 4.0)));
  const double whole = std::round(value / step) * step;
  if (step >= 1.0) return amount(whole, 9);
  const int digits = static_cast<int>(std::floor(std::log10(std::max(std::abs(whole), step)) -
                                                 std::log10(step) + 1e-9)) +
                     1;
  return significant(whole, std::max(digits, 1));
}

/// All components of one comparison, as the encoding of their tables sees them.
class Naming {
 public:
  Naming(const Encoding& encoding, const std::vector<ComponentChange>& components)
      : encoding_(encoding), components_(components) {
    mean_.assign(encoding.dimension(), 0.0);
    double total = 0.0;
    for (const auto& component : components) {
      const double mass = 0.5 * (component.mass_x + component.mass_y);
      total += mass;
      for (std::size_t j = 0; j < mean_.size(); ++j) mean_[j] += mass * component.centre[j];
    }
    for (double& value : mean_) value /= total > 0.0 ? total : 1.0;
  }

  [[nodiscard]] ComponentName name(std::size_t i) const {
    ComponentName name;
    for (const std::size_t column : columns_for(i)) name.parts.push_back(*described(i, column));
    return name;
  }

 private:
  [[nodiscard]] double share(std::size_t i) const {
    return std::max(components_[i].mass_x, components_[i].mass_y);
  }

  /// How far two places lie apart in a column: the largest gap of its coordinates.
  [[nodiscard]] double gap(std::size_t column, const std::vector<double>& a,
                           const std::vector<double>& b) const {
    const ColumnEncoding& at = encoding_.columns[column];
    double largest = 0.0;
    for (std::size_t j = at.first; j < at.first + at.count; ++j) {
      largest = std::max(largest, std::abs(a[j] - b[j]));
    }
    // Two levels are at most an edge apart, numbers any number of deviations.
    if (!at.has_levels()) return largest;
    const double share = largest / at.edge * (at.states() == 2 ? 1.0 : std::sqrt(2.0));
    return kLevelWeight * kApart * share;
  }

  /// How much a column says about a component: less where the component is a bit of everything.
  [[nodiscard]] double telling(std::size_t i, std::size_t column) const {
    const auto& centre = components_[i].centre;
    const ColumnEncoding& at = encoding_.columns[column];
    const double size = gap(column, centre, mean_);
    if (!at.has_levels()) return size;
    return common_level(at, encoding_.to_units(centre)).share < kNearlyAll ? 0.4 * size : size;
  }

  /// Columns of the name, in order of importance.
  [[nodiscard]] std::vector<std::size_t> columns_for(std::size_t i) const {
    const auto& centre = components_[i].centre;
    std::vector<std::size_t> order;
    for (std::size_t c = 0; c < encoding_.columns.size(); ++c) {
      if (described(i, c)) order.push_back(c);
    }
    std::ranges::stable_sort(order, [&](auto a, auto b) { return telling(i, a) > telling(i, b); });
    std::vector<std::size_t> taken;
    std::vector<std::size_t> alike;  // components that the name so far may mean as well
    for (std::size_t other = 0; other < components_.size(); ++other) {
      // A handful of rows beside a large component needs no setting apart from it.
      const bool counts = share(other) >= kHandful * share(i);
      if (other != i && counts) alike.push_back(other);
    }
    std::size_t length = 0;
    while (taken.size() < kMostColumns) {
      if (taken.size() >= kColumns && alike.empty()) break;
      // A column that makes the name too long leaves its place to the next one.
      std::erase_if(order, [&](std::size_t c) {
        return !taken.empty() && length + 2 + described(i, c)->text().size() > kMostLength;
      });
      if (order.empty()) break;
      auto best = order.begin();
      if (!taken.empty() && !alike.empty()) {
        best = std::ranges::max_element(order, {}, [&](std::size_t c) {
          double least = 1e300;
          for (const std::size_t other : alike) {
            least = std::min(least, gap(c, centre, components_[other].centre));
          }
          return least;
        });
      }
      const std::size_t column = *best;
      // A further column that tells nothing new is left out.
      if (!taken.empty() && gap(column, centre, mean_) < 0.25 * kApart && alike.empty()) break;
      taken.push_back(column);
      length += (length > 0 ? 2 : 0) + described(i, column)->text().size();
      order.erase(best);
      std::erase_if(alike, [&](std::size_t other) {
        return gap(column, centre, components_[other].centre) >= kApart;
      });
    }
    return taken;
  }

  /// What a component is in a column; nothing where it is a bit of everything.
  [[nodiscard]] std::optional<NamePart> described(std::size_t i, std::size_t column) const {
    const auto& centre = components_[i].centre;
    const ColumnEncoding& at = encoding_.columns[column];
    const std::vector<double> units = encoding_.to_units(centre);
    if (at.has_levels()) {
      const CommonLevel level = common_level(at, units);
      if (level.share < kMostly) return std::nullopt;
      return NamePart{at.name, level.share < kNearlyAll ? "mostly" : "=", level.name};
    }
    const double value = units[at.first];
    const double deviation = std::abs(encoding_.slope(at.first, centre[at.first]));
    if (at.kind == table::Kind::datetime) {
      // Where rows lie days apart, the hour of their mean says nothing.
      constexpr double kDay = 86400.0;
      const bool days = deviation > kDay;
      return NamePart{at.name, "≈", date_text(days ? kDay * std::floor(value / kDay) : value)};
    }
    return NamePart{at.name, "≈", rounded(value, deviation)};
  }

  const Encoding& encoding_;
  const std::vector<ComponentChange>& components_;
  std::vector<double> mean_;
};

}  // namespace

std::vector<ComponentName> component_names(const table::Inputs& inputs,
                                           const std::vector<ComponentChange>& components) {
  std::vector<ComponentName> names;
  if (!inputs.encoding || inputs.encoding->dimension() == 0) return names;
  const Naming naming(*inputs.encoding, components);
  for (std::size_t i = 0; i < components.size(); ++i) names.push_back(naming.name(i));
  return names;
}

std::vector<ComponentName> names_of_classes(const std::vector<std::string>& classes) {
  std::vector<ComponentName> names;
  for (const std::string& name : classes) names.push_back({.parts = {{.value = name}}});
  return names;
}

}  // namespace nw::app
