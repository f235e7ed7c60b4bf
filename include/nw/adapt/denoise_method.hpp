// The methods and recipes of denoising, by name. Names no LibTorch.
#pragma once

#include <array>

#include "nw/base/option_field.hpp"

namespace nw::adapt {

/// What brings the embeddings of source and target together: nothing; W(f(X_s), f(X_t)); or
/// W_N(f(X_s), f(X_t)) [NW:denoise]. `oracle` learns from pairs of noisy and clean target rows,
/// which no other method sees: how well the networks can do.
enum class DenoiseMethod { source_only, wasserstein, nw, oracle };
enum class DenoiseRecipe { best, paper };

[[nodiscard]] constexpr auto choices(DenoiseMethod) {
  return std::array{Choice<DenoiseMethod>{"source-only", DenoiseMethod::source_only},
                    Choice<DenoiseMethod>{"wasserstein", DenoiseMethod::wasserstein},
                    Choice<DenoiseMethod>{"nw", DenoiseMethod::nw},
                    Choice<DenoiseMethod>{"oracle", DenoiseMethod::oracle}};
}
[[nodiscard]] constexpr auto choices(DenoiseRecipe) {
  return std::array{Choice<DenoiseRecipe>{"best", DenoiseRecipe::best},
                    Choice<DenoiseRecipe>{"paper", DenoiseRecipe::paper}};
}

[[nodiscard]] inline const char* to_string(DenoiseMethod method) {
  return choice_name(method);
}
[[nodiscard]] inline const char* to_string(DenoiseRecipe recipe) {
  return choice_name(recipe);
}

}  // namespace nw::adapt
