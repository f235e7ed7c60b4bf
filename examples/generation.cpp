// A generator of people like those of a survey: a mixture GAN of three components.
#include <iostream>

#include "nw/app/generation/train_generator.hpp"
#include "nw/base/error.hpp"

int main() {
  try {
    const nw::io::LoadOptions load{.columns = {"age", "income"}};
    const auto points = nw::io::load_points("examples/data/spring.csv", load);
    const auto trained = nw::app::train_generator({.x = points}, {.k = 3, .steps = 200});

    std::cout << "W to held-out rows: " << trained.result.total_distance() << '\n';
    const auto model = nw::app::generation_model_from_bytes(trained.result.model->to_bytes());
    const auto people = model->sample(5, {.seed = 1});
    for (std::size_t i = 0; i < people.rows.rows(); ++i) {
      std::cout << people.rows(i, 0) << " years, " << people.rows(i, 1) << " a year (component "
                << people.component_of[i] + 1 << ")\n";
    }
    return trained.result.finished() ? 0 : 1;
  } catch (const nw::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
