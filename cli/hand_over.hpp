// Commands that learn live in a second program, nw-torch, beside this one: loading LibTorch's
// libraries takes half a second, which nobody should wait for `nw distance`.
#pragma once

namespace nw::cli {

inline constexpr const char* kAboutGan =
    "Train a mixture GAN on one data set, or on two that share "
    "components";
inline constexpr const char* kAboutSample = "Draw from a model that nw gan trained";
inline constexpr const char* kAboutDenoise =
    "Learn to denoise from clean rows that correspond to none of the noisy ones";

inline constexpr const char* kAboutAdapt =
    "Adapt a classifier from labelled data to data in other proportions without labels";
inline constexpr const char* kAboutScore =
    "Score generated images by what a classifier sees in them";
inline constexpr const char* kAboutPredict = "Classify rows by a model that nw adapt trained";

/// Becomes nw-torch with the arguments of this process. Throws InvalidArgument when it is not
/// there.
[[noreturn]] void hand_over_to_torch();

/// Whether nw-torch is there.
[[nodiscard]] bool can_learn();

}  // namespace nw::cli
