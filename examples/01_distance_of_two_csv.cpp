// The Wasserstein distance of two CSV files.
//
//   01_distance_of_two_csv [spring.csv autumn.csv]
//
// With the example data it prints W1 = 17.34…: between the two surveys the mix of groups changed,
// so a lot of mass has to travel although the groups themselves stayed where they were.
#include <iostream>

#include "nw/base/error.hpp"
#include "nw/io/points.hpp"
#include "nw/ot/wasserstein.hpp"

int main(int argc, char** argv) {
  const char* x_file = argc > 2 ? argv[1] : "examples/data/spring.csv";
  const char* y_file = argc > 2 ? argv[2] : "examples/data/autumn.csv";
  try {
    const nw::io::LoadOptions options{.columns = {"age", "income"}};
    const auto x = nw::io::load_points(x_file, options);
    const auto y = nw::io::load_points(y_file, options);
    const auto result = nw::ot::wasserstein({.points = x.values}, {.points = y.values});

    std::cout << "W1 = " << result.distance << '\n'
              << "by method " << to_string(result.method) << ": " << result.reason << '\n'
              << "no plan costs less than " << result.dual << '\n';
    return result.converged ? 0 : 1;
  } catch (const nw::Error& error) {  // bad files and bad arguments say what is wrong
    std::cerr << error.what() << '\n';
    return 1;
  }
}
