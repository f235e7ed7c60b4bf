#include "nw/gan/image_classifier.hpp"

#include <algorithm>

#include <torch/csrc/autograd/autograd.h>

#include "nw/base/error.hpp"
#include "nw/train/draws.hpp"
#include "nw/train/optimizer.hpp"

namespace nw::gan {
namespace {

using torch::Tensor;

enum Stream : std::uint64_t { kSplit = 1, kFeatures = 2, kClassifier = 3, kDraws = 4 };

constexpr std::int64_t kRowsAtOnce = 1000;

struct Split {
  std::vector<Tensor> training;  // rows of each class
  std::vector<Tensor> held_out;
};

Split split_by_class(const ImageClassifierOptions& options, const Tensor& rows,
                     const std::vector<std::int64_t>& classes, Rng rng) {
  std::vector<std::vector<std::int64_t>> places(static_cast<std::size_t>(options.classes));
  for (std::size_t i = 0; i < classes.size(); ++i) {
    require(classes[i] >= 0 && classes[i] < options.classes, "ImageClassifier: class ", classes[i],
            " of ", options.classes);
    places[static_cast<std::size_t>(classes[i])].push_back(static_cast<std::int64_t>(i));
  }
  Split split;
  for (auto& of_class : places) {
    rng.shuffle(std::span(of_class));
    const auto count = static_cast<std::int64_t>(of_class.size());
    const auto aside = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(options.held_out * static_cast<double>(count)));
    require(count > aside, "ImageClassifier: a class has ", count, " images only");
    const auto chosen = rows.index_select(0, torch::tensor(of_class).to(rows.device()));
    split.held_out.push_back(chosen.narrow(0, 0, aside));
    split.training.push_back(chosen.narrow(0, aside, count - aside));
  }
  return split;
}

}  // namespace

void ImageClassifierOptions::validate() const {
  require(classes >= 2, "ImageClassifierOptions.classes must be at least 2, got ", classes);
  require(batch > 0, "ImageClassifierOptions.batch must be positive, got ", batch);
  require(steps > 0, "ImageClassifierOptions.steps must be positive, got ", steps);
  require(rate > 0.0, "ImageClassifierOptions.rate must be positive, got ", rate);
  require(noise >= 0.0, "ImageClassifierOptions.noise must not be negative, got ", noise);
  require(held_out > 0.0 && held_out < 1.0,
          "ImageClassifierOptions.held_out must lie in (0, 1), got ", held_out);
}

ImageClassifier::ImageClassifier(const ImageClassifierOptions& options,
                                 const LabelledImages& images, const Rng& rng,
                                 const torch::Device& device)
    : options_(options), device_(device) {
  options_.validate();
  const auto& [rows, classes] = images;
  require(rows.dim() == 2 && rows.size(1) == options_.image.count() &&
              rows.size(0) == static_cast<std::int64_t>(classes.size()),
          "ImageClassifier: ", classes.size(), " classes for rows that do not fit");
  const auto split = split_by_class(options_, rows.to(device), classes, rng.split(kSplit));
  features_ = nn::make_feature_network(
      {.kind = nn::FeatureKind::lenet, .image = options_.image, .norm = nn::FeatureNorm::joint},
      rng.split(kFeatures));
  classifier_ = nn::Classifier(
      {.feature_dim = features_->feature_dim(), .classes = options_.classes, .hidden = {100}},
      rng.split(kClassifier));
  features_->to(device);
  classifier_.to(device);
  const train::OptimizerOptions adam{.kind = train::OptimizerKind::adam,
                                     .learning_rate = options_.rate};
  train::Optimizer feature_optimizer(adam, features_->parameters().count(), device);
  train::Optimizer class_optimizer(adam, classifier_.parameters().count(), device);
  std::vector<Tensor> leaves = features_->parameters().leaves();
  leaves.insert(leaves.end(), classifier_.parameters().leaves().begin(),
                classifier_.parameters().leaves().end());
  const std::int64_t each = std::max<std::int64_t>(1, options_.batch / options_.classes);
  const auto target =
      torch::arange(options_.classes).repeat_interleave(each).to(device, torch::kInt64);
  for (std::int64_t step = 0; step < options_.steps; ++step) {
    train::Draws draws(rng.split(kDraws).split(static_cast<std::uint64_t>(step)), device);
    std::vector<Tensor> parts;
    for (const auto& of_class : split.training) {
      parts.push_back(of_class.index_select(0, draws.indices(each, of_class.size(0))));
    }
    auto batch = torch::cat(parts);
    batch = batch + options_.noise * draws.normal(batch.sizes());
    const torch::AutoGradMode with_grad(true);
    const auto features = features_->forward({.source = as_images(batch), .target = {}},
                                             {.mode = nn::Mode::training});
    const auto loss = at::nll_loss(at::log_softmax(classifier_.forward(features), 1), target);
    const auto gradients = torch::autograd::grad({loss}, leaves);
    const auto middle =
        gradients.begin() + static_cast<std::ptrdiff_t>(features_->parameters().size());
    feature_optimizer.step(features_->parameters().flat(),
                           features_->parameters().flatten({gradients.begin(), middle}));
    class_optimizer.step(classifier_.parameters().flat(),
                         classifier_.parameters().flatten({middle, gradients.end()}));
  }
  for (std::size_t c = 0; c < split.held_out.size(); ++c) {
    const auto right = classify(split.held_out[c]) == static_cast<std::int64_t>(c);
    accuracy_ +=
        right.to(torch::kFloat64).mean().item<double>() / static_cast<double>(options_.classes);
  }
}

Tensor ImageClassifier::as_images(const Tensor& rows) const {
  const auto& size = options_.image;
  return rows.view({rows.size(0), size.height, size.width, size.channels})
      .permute({0, 3, 1, 2})
      .contiguous();
}

Tensor ImageClassifier::probabilities(const Tensor& rows) const {
  const torch::NoGradGuard no_grad;
  std::vector<Tensor> parts;
  for (std::int64_t begin = 0; begin < rows.size(0); begin += kRowsAtOnce) {
    const auto part =
        rows.narrow(0, begin, std::min(kRowsAtOnce, rows.size(0) - begin)).to(device_);
    const auto features = features_->forward({.source = as_images(part), .target = {}});
    parts.push_back(at::softmax(classifier_.forward(features), 1).to(torch::kCPU));
  }
  require(!parts.empty(), "ImageClassifier: no rows");
  return torch::cat(parts);
}

Tensor ImageClassifier::classify(const Tensor& rows) const {
  return probabilities(rows).argmax(1);
}

}  // namespace nw::gan
