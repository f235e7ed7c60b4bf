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
  fixmatch,       ///< the same, taken as they are (Sohn et al. 2020)
  mcc,            ///< classes of the target are seldom confused (Jin et al. 2020)
  deepjdot,       ///< optimal plans between rows and their classes (Damodaran et al. 2018)
  deepjdot_pi,    ///< the same with the source's classes in the proportions pi
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
                    Choice<AdaptMethod>{"self-training", AdaptMethod::self_training},
                    Choice<AdaptMethod>{"fixmatch", AdaptMethod::fixmatch},
                    Choice<AdaptMethod>{"mcc", AdaptMethod::mcc},
                    Choice<AdaptMethod>{"deepjdot", AdaptMethod::deepjdot},
                    Choice<AdaptMethod>{"deepjdot-pi", AdaptMethod::deepjdot_pi}};
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
/// logistic one, whether it weights classes by estimated proportions, whether it is nothing but a
/// loss of the classifier's own answers on the target, whether it couples rows by optimal plans
/// instead of a critic, and whether it learns pi as it compares the domains.
[[nodiscard]] bool sees_target(AdaptMethod method);
[[nodiscard]] bool has_critic(AdaptMethod method);
[[nodiscard]] bool is_logistic(AdaptMethod method);
[[nodiscard]] bool estimates_weights(AdaptMethod method);
[[nodiscard]] bool teaches_itself(AdaptMethod method);
[[nodiscard]] bool couples_rows(AdaptMethod method);
[[nodiscard]] bool learns_pi(AdaptMethod method);

}  // namespace nw::adapt
