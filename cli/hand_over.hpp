// Commands that learn live in a second program, nw-torch, beside this one: loading LibTorch's
// libraries takes half a second, which nobody should wait for `nw distance`.
#pragma once

namespace nw::cli {

inline constexpr const char* kAboutGan =
    "Train a mixture GAN on one data set, or on two that share "
    "components";
inline constexpr const char* kAboutSample = "Draw rows or images from a model trained by nw gan";
inline constexpr const char* kAboutDenoise =
    "Learn to denoise from noisy rows and unpaired clean rows";

inline constexpr const char* kAboutAdapt =
    "Adapt a classifier to unlabelled data whose classes come in other proportions";
inline constexpr const char* kAboutScore = "Score generated images with a classifier";
inline constexpr const char* kAboutPredict = "Classify rows with a model trained by nw adapt";

/// Becomes nw-torch with the arguments of this process. Throws InvalidArgument when it is not
/// there.
[[noreturn]] void hand_over_to_torch();

/// Whether nw-torch is there.
[[nodiscard]] bool can_learn();

}  // namespace nw::cli
