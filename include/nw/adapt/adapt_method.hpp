// The methods and recipes of adaptation, by name. Names no LibTorch.
#pragma once

#include <array>
#include <string>

#include "nw/base/option_field.hpp"

namespace nw::adapt {

/// What is done about the target.
enum class AdaptMethod {
  automatic,    ///< nw, unless a classifier without adaptation shows that it went wrong
  source_only,  ///< nothing
  dann,         ///< f(source) and f(target) cannot be told apart (Ganin and Lempitsky 2015)
  wasserstein,  ///< W(f(source), f(target)) is small (Shen et al. 2018)
  nw,           ///< W(sum_j pi_j f(source class j), f(target)) is small for some pi [NW:uda]
  iwdan,        ///< DANN with the source weighted by estimated proportions (Tachet des Combes 2020)
  sdann,        ///< DANN relaxed by a factor 1 + beta (Wu et al. 2019)
  bbse,         ///< classification weighted by estimated proportions (Lipton et al. 2018)
  self_training,  ///< its own classes of the target, brought to pi (Berthelot et al. 2022), alone
};

/// `paper`: networks, rates and batches of the paper's tables and the authors' program. `best`:
/// what we found to work best with the paper's network. `robust`: a larger network, strongly
/// changed images and self-training, for images of pairs that nothing is known about. `automatic`:
/// robust for images on a GPU, otherwise best.
enum class Recipe { automatic, best, paper, robust };

[[nodiscard]] constexpr auto choices(AdaptMethod) {
  return std::array{Choice<AdaptMethod>{"auto", AdaptMethod::automatic},
                    Choice<AdaptMethod>{"nw", AdaptMethod::nw},
                    Choice<AdaptMethod>{"source-only", AdaptMethod::source_only},
                    Choice<AdaptMethod>{"dann", AdaptMethod::dann},
                    Choice<AdaptMethod>{"wasserstein", AdaptMethod::wasserstein},
                    Choice<AdaptMethod>{"iwdan", AdaptMethod::iwdan},
                    Choice<AdaptMethod>{"sdann", AdaptMethod::sdann},
                    Choice<AdaptMethod>{"bbse", AdaptMethod::bbse},
                    Choice<AdaptMethod>{"self-training", AdaptMethod::self_training}};
}
[[nodiscard]] constexpr auto choices(Recipe) {
  return std::array{Choice<Recipe>{"auto", Recipe::automatic}, Choice<Recipe>{"best", Recipe::best},
                    Choice<Recipe>{"paper", Recipe::paper},
                    Choice<Recipe>{"robust", Recipe::robust}};
}

[[nodiscard]] inline const char* to_string(AdaptMethod method) {
  return choice_name(method);
}
[[nodiscard]] inline const char* to_string(Recipe recipe) {
  return choice_name(recipe);
}

/// Whether target rows take part in training, whether the method has a critic, whether that is a
/// logistic one, and whether it weights classes by estimated proportions.
[[nodiscard]] bool sees_target(AdaptMethod method);
[[nodiscard]] bool has_critic(AdaptMethod method);
[[nodiscard]] bool is_logistic(AdaptMethod method);
[[nodiscard]] bool estimates_weights(AdaptMethod method);

}  // namespace nw::adapt
