// The one list of the fields of AdaptOptions: ranges, settings, configurations and their
// documentation are made from it.
#pragma once

#include "nw/adapt/adapt_options.hpp"
#include "nw/base/option_field.hpp"

namespace nw::adapt {

template <typename Visit>
void AdaptOptions::for_each_field(Visit&& visit) {
  const auto at_least = [](double low, const char* name, const char* help) {
    return OptionField{.name = name, .help = help, .low = low};
  };
  const auto positive = [](const char* name, const char* help) {
    return OptionField{.name = name, .help = help, .low = 0.0, .open_low = true};
  };
  const auto share = [](const char* name, const char* help) {
    return OptionField{.name = name, .help = help, .low = 0.0, .high = 1.0, .open_high = true};
  };
  const auto any = [](const char* name, const char* help) {
    return OptionField{.name = name, .help = help};
  };
  // Decided by the method, the recipe and the data alone.
  const auto fixed = [](const char* name, const char* help, bool applies = true) {
    return OptionField{.name = name, .help = help, .setting = "", .applies = applies};
  };
  const bool tuned = features.kind == nn::FeatureKind::backbone;

  visit(fixed("method", "What is done about the target"), method);
  visit(at_least(1, "steps", "Training steps"), steps);
  visit(fixed("features", "Kind of the feature network"), features.kind);
  visit(any("norm", "Batch norm of features: 0 none, 1 over all rows, 2 by domain"), features.norm);
  visit(any("unit_length", "Divide each feature by its length"), features.unit_length);
  auto dropped = share("dropout", "Share of features that training drops");
  dropped.setting = "feature-dropout";
  visit(dropped, features.dropout);
  visit(share("classifier_dropout", "Share of the classifier's layer that training drops"),
        classifier.dropout);
  visit(fixed("classifier_hidden", "Widths of the classifier"), classifier.hidden);
  visit(any("critic_hidden", "Widths of the critic, such as 256x100"), critic.hidden);
  visit(at_least(1, "target_batch", "Target rows in a step"), target_batch);
  visit(at_least(1, "class_batch", "Source rows of each class in a step"), class_batch);
  visit(at_least(0, "natural_batch", "Further source rows, in the source's own proportions"),
        natural_batch);
  visit(at_least(1, "critic_steps", "Critic steps in a step"), critic_steps);
  visit(at_least(1, "feature_every",
                 "Steps from one in which features follow the critic to the "
                 "next"),
        feature_every);
  visit(fixed("lipschitz", "What keeps the critic's slope in bounds"), lipschitz);
  visit(positive("clip", "Largest weight of a critic that is clipped"), clip);
  visit(positive("penalty", "Weight of the gradient penalty"), penalty);
  visit(at_least(0, "lambda", "Weight of the distance against the classification loss"), lambda);
  visit(at_least(0, "warm_up", "Steps before the distance counts"), warm_up);
  visit(at_least(0, "ramp", "Steps over which its weight rises"), ramp);
  visit(at_least(0, "pi_hold", "Steps before proportions move"), pi_hold);
  visit(any("pi_with_features", "Move pi only when features follow the critic"), pi_with_features);
  visit(share("jitter", "Change of contrast of source images"), jitter);
  const auto with_views = [&](OptionField field) {
    field.applies = views;
    return field;
  };
  visit(with_views(any("views", "Rows in a slightly and a strongly changed view")), views);
  visit(with_views(at_least(0, "likely_every", "Steps between two estimates of pi; 0: learnt")),
        likely_every);
  visit(with_views(
            at_least(0, "self_weight", "Weight of learning from the classifier's own classes")),
        self_weight);
  visit(with_views(any("self_both", "Both views learn those classes, not the strong one alone")),
        self_both);
  visit(with_views(share("self_from", "Share of the steps before that")), self_from);
  visit(with_views(share("self_ramp", "Share of the steps over which its weight rises")),
        self_ramp);
  auto mixed = share("mixup", "Most that a table's strongly changed row takes of another one");
  mixed.applies = views && mixup > 0.0;
  visit(mixed, mixup);
  visit(any("random_windows", "Crop larger images at a random place"), random_windows);
  visit(at_least(0, "relaxation", "sdann: beta of the factor 1 + beta"), relaxation);
  auto alpha = at_least(0, "transport_alpha",
                        "deepjdot: weight of squared distances beside the cross-entropy");
  alpha.applies = couples_rows(method);
  visit(alpha, transport_alpha);
  visit(at_least(1, "weight_every", "iwdan, bbse: steps between two estimates of proportions"),
        weight_every);
  visit(at_least(0, "shift", "Pixels by which images are shifted at random"), shift);
  visit(fixed("decay", "How learning rates fall"), schedule.decay);
  visit(share("averaging", "Weight of past values in the averages that predict"), averaging);
  visit(any("feature_optimizer", "How features learn"), feature_optimizer);
  visit(any("classifier_optimizer", "How the classifier learns"), classifier_optimizer);
  visit(any("critic_optimizer", "How the critic learns"), critic_optimizer);
  visit(any("pi_optimizer", "How proportions move"), pi_optimizer);
  // With a fine-tuned network users mean the new layers after it.
  visit(OptionField{.name = "feature_hidden",
                    .help = "Widths of the feature network, such as 64x32",
                    .setting = tuned ? "" : "feature-hidden",
                    .applies = features.hidden != nn::FeatureOptions{}.hidden},
        features.hidden);
  visit(fixed("backbone", "Network that is fine-tuned", tuned), features.backbone.kind);
  visit(OptionField{.name = "side", .help = "Side that images are brought to", .applies = tuned},
        features.side);
  visit(OptionField{.name = "head",
                    .help = "Widths of new layers after it",
                    .setting = tuned ? "feature-hidden" : "",
                    .applies = tuned},
        features.head);
  visit(OptionField{.name = "backbone_optimizer",
                    .help = "How the network that is fine-tuned learns",
                    .applies = tuned},
        backbone_optimizer);
  visit(OptionField{.name = "record_steps",
                    .help = "On a GPU, record a step once and replay it",
                    .decides = false},
        record_steps);
}

}  // namespace nw::adapt
