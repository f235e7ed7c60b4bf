// What changed between two surveys: the mix of groups, or the groups themselves?
#include "nw/app/compare/compare.hpp"

#include <iostream>

#include "nw/base/error.hpp"

int main() {
  try {
    nw::table::TableOptions columns;
    columns.columns = {"age", "income"};
    const auto data = nw::table::read_inputs(
        {.x = "examples/data/spring.csv", .y = "examples/data/autumn.csv"}, {}, columns);
    const auto comparison = nw::app::compare(data, {.test = {.components = 3}, .seed = 1});

    std::cout << to_string(comparison.result.verdict) << ": " << comparison.result.sentence << '\n';
    for (const auto& component : comparison.result.components) {
      std::cout << "around age " << component.centre[0] << ", income " << component.centre[1]
                << ": " << 100.0 * component.mass_x << " % before, " << 100.0 * component.mass_y
                << " % after\n";
    }
    return comparison.finished ? 0 : 1;
  } catch (const nw::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
