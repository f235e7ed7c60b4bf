#include "app/compare/known_classes.hpp"

#include <map>

namespace nw::app {

KnownClasses known_classes(const io::Labels& labels) {
  std::map<std::int32_t, std::uint32_t> number;
  for (const std::int32_t value : labels.values) number.emplace(value, 0);
  KnownClasses known;
  for (auto& [value, place] : number) {
    place = static_cast<std::uint32_t>(known.names.size());
    known.names.push_back(labels.names.empty() ? std::to_string(value)
                                               : labels.names[static_cast<std::size_t>(value)]);
  }
  for (const std::int32_t value : labels.values) known.class_of.push_back(number[value]);
  return known;
}

}  // namespace nw::app
