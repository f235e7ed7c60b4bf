// Trains a mixture GAN of two components for a few steps and prints where they lie.
#include <iostream>

#include "nw/gan/gan_model.hpp"
#include "nw/train/training_loop.hpp"

int main() {
  const auto rows = torch::tensor({{-1.0F, 0.0F}, {1.0F, 0.0F}});
  auto options = nw::gan::recipe_options(nw::gan::Recipe::best, nw::gan::GanMethod::nwgan, 2,
                                         nw::gan::identity_normalisation(2));
  options.steps = 3;
  const auto game =
      nw::gan::make_game(options, {nw::train::table_source(rows)}, nw::Rng(1), torch::kCPU);
  const auto result = nw::train::play(*game, {.steps = options.steps});
  std::cout << "steps " << result.steps << " components " << game->proportions()[0].size() << '\n';
  return result.end == nw::train::LoopEnd::finished ? 0 : 1;
}
