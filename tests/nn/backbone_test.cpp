// Backbones against torchvision and plain PyTorch on the same weights, and with real weights on
// real photos.
#include "nw/nn/backbone.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <torch/csrc/autograd/autograd.h>

#include "nw/adapt/weight_file.hpp"
#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/io/points.hpp"
#include "nw/nn/random_tensor.hpp"

#include "nn/peer_case.hpp"

namespace nw::nn {
namespace {

namespace fs = std::filesystem;
using torch::Tensor;

// Some twenty layers in float32 from random weights.
constexpr double kTolerance = 1e-4;

/// Weights whose batch norms do something: scales, shifts, means and variances of all sizes.
std::unique_ptr<Backbone> random_backbone(const BackboneOptions& options) {
  const Rng rng(3);
  auto backbone = make_backbone(options, rng);
  const torch::NoGradGuard no_grad;
  NamedTensors weights;
  const Backbone& made = *backbone;
  for (const auto* set : {&made.parameters(), &made.statistics()}) {
    for (std::size_t i = 0; i < set->size(); ++i) {
      const auto& value = (*set)[i];
      const Rng own = rng.split(weights.size());
      const auto& name = set->specs()[i].name;
      weights[name] = value.dim() == 1
                          ? value.detach() + uniform_tensor(own, value.sizes(), -0.2, 0.2)
                          : value.detach().clone();
      // Without shortcuts fifty layers of such weights would leave nothing of the image: their
      // outputs have a sixth of the variance of their inputs.
      if (name.ends_with(".bn.weight")) weights[name] *= std::sqrt(6.0);
    }
  }
  backbone->load(weights);
  return backbone;
}

/// Features, logits and some gradients of an answer that depends on every layer.
PeerCase backbone_case(const BackboneOptions& options, const ImageSize& size,
                       const std::vector<std::string>& gradients_of) {
  const auto backbone = random_backbone(options);
  const auto rows = uniform_tensor(Rng(5), {3, size.count()});
  const auto features = backbone->features(backbone_images(rows, size, 0));
  const auto logits = backbone->logits(features);
  const auto weights = normal_tensor(Rng(6), logits.sizes());
  std::vector<Tensor> leaves;
  for (const auto& name : gradients_of) leaves.push_back(backbone->parameters().at(name));
  const auto gradients = torch::autograd::grad({(logits * weights).sum()}, leaves);
  PeerCase one{.name = to_string(options.kind),
               .options = nlohmann::json{{"network", to_string(options.kind)},
                                         {"image", {size.height, size.width, size.channels}},
                                         {"gradients", gradients_of}}
                              .dump(),
               .tensors = {}};
  one.add_parameters(backbone->parameters());
  one.add_parameters(backbone->statistics());
  one.add("input.rows", rows);
  one.add("input.weights", weights);
  one.add("ours.features", features);
  one.add("ours.logits", logits);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    one.add("ours.gradient." + gradients_of[i], gradients[i]);
  }
  return one;
}

class BackbonesMatchPyTorch : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    differences_ = ask_pytorch(
        {backbone_case(
             {.kind = BackboneKind::resnet18, .classes = 7}, {64, 48, 3},
             {"conv1.weight", "layer2.0.downsample.1.weight", "layer4.1.conv2.weight", "fc.bias"}),
         backbone_case({.kind = BackboneKind::mobilenet, .classes = 5, .width = 0.25}, {50, 64, 3},
                       {"conv1/kernel", "conv_dw_6/depthwise_kernel", "conv_pw_13_bn/gamma",
                        "conv_preds/bias"}),
         backbone_case(
             {.kind = BackboneKind::cifar_resnet, .classes = 6, .blocks = 2}, {32, 32, 3},
             {"conv1.weight", "layer2.0.conv1.weight", "layer3.1.bn2.weight", "linear.bias"}),
         backbone_case({.kind = BackboneKind::inception_v3, .classes = 4}, {80, 76, 3},
                       {"Conv2d_1a_3x3.conv.weight", "Mixed_6c.branch7x7dbl_4.conv.weight",
                        "Mixed_7b.branch3x3_2b.bn.weight", "fc.bias"})});
  }
  static void expect_equal(const std::string& name) {
    if (!differences_.contains(name)) GTEST_SKIP() << "needs python3-torch and -torchvision";
    for (const auto& [answer, difference] : differences_[name]) {
      EXPECT_LT(difference, kTolerance) << name << ": " << answer;
    }
    EXPECT_EQ(differences_[name].size(), 6U);
  }
  static inline Differences differences_;
};

TEST_F(BackbonesMatchPyTorch, InResnet18WhoseWeightsTorchvisionTakesAsItsOwn) {
  expect_equal("resnet18");
}

TEST_F(BackbonesMatchPyTorch, InMobilenetWrittenWithPlainModules) {
  expect_equal("mobilenet");
}

TEST_F(BackbonesMatchPyTorch, InResnetsForCifarWrittenWithPlainFunctions) {
  expect_equal("cifar_resnet");
}

TEST_F(BackbonesMatchPyTorch, InInceptionWhoseWeightsTorchvisionTakesAsItsOwn) {
  expect_equal("inception_v3");
}

template <typename Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "nothing was thrown";
}

NamedTensors weights_of(const Backbone& backbone) {
  NamedTensors weights;
  for (const auto* set : {&backbone.parameters(), &backbone.statistics()}) {
    for (std::size_t i = 0; i < set->size(); ++i) {
      weights[set->specs()[i].name] = (*set)[i].detach().clone();
    }
  }
  return weights;
}

const BackboneOptions kSmall{.kind = BackboneKind::mobilenet, .classes = 4, .width = 0.125};

TEST(Backbone, SaysWhichTensorIsMissingSurplusOrOfAnotherShape) {
  const auto backbone = make_backbone(kSmall, Rng(1));
  const auto good = weights_of(*backbone);
  auto missing = good, surplus = good, reshaped = good;
  missing.erase("conv_pw_3/kernel");
  surplus["layer5.weight"] = torch::zeros({2});
  reshaped["conv_dw_2_bn/beta"] = torch::zeros({3});
  EXPECT_THAT(message_of([&] { backbone->load(missing); }), testing::HasSubstr("conv_pw_3/kernel"));
  EXPECT_THAT(message_of([&] { backbone->load(surplus); }), testing::HasSubstr("layer5.weight"));
  EXPECT_THAT(message_of([&] { backbone->load(reshaped); }),
              testing::AllOf(testing::HasSubstr("conv_dw_2_bn/beta"), testing::HasSubstr("[3]")));
  EXPECT_THAT(message_of([&] {
                (void)backbone_options({{"w", torch::zeros({1})}});
              }),
              testing::HasSubstr("torchvision"));
}

TEST(Backbone, DoesWithoutTheLastLayerAndWithCounters) {
  const auto backbone = make_backbone(kSmall, Rng(1));
  auto weights = weights_of(*backbone);
  weights.erase("conv_preds/kernel");
  weights.erase("conv_preds/bias");
  weights["bn1.num_batches_tracked"] = torch::zeros({}, torch::kInt64);
  const auto options = backbone_options(weights);
  EXPECT_EQ(options.kind, BackboneKind::mobilenet);
  EXPECT_EQ(options.classes, 0);
  EXPECT_DOUBLE_EQ(options.width, 0.125);
  const auto other = make_backbone(options, Rng(2));
  other->load(weights);
  const auto images = uniform_tensor(Rng(3), {2, 3, 32, 32});
  EXPECT_TRUE(torch::equal(other->features(images), backbone->features(images)));
  EXPECT_THROW((void)other->logits(other->features(images)), InvalidArgument);
}

TEST(Backbone, GivesAnImageTheSameFeaturesInEveryCompany) {
  const auto backbone = random_backbone(kSmall);
  const ImageSize grey{32, 32, 1};
  const auto rows = uniform_tensor(Rng(4), {70, grey.count()});
  const auto all = frozen_features(*backbone, rows, grey, 0);
  const auto alone = frozen_features(*backbone, rows.narrow(0, 65, 1), grey, 0);
  EXPECT_EQ(all.size(0), 70);
  EXPECT_FALSE(all.requires_grad());
  EXPECT_TRUE(torch::allclose(all[65], alone[0], 1e-5, 1e-6));
}

TEST(BackboneImages, MakesGreyColourAndEnlarges) {
  const auto rows = torch::full({1, 40 * 30}, 0.25);
  const auto images = backbone_images(rows, {40, 30, 1}, 64);
  EXPECT_EQ(images.sizes(), (std::vector<std::int64_t>{1, 3, 64, 64}));
  EXPECT_TRUE(torch::allclose(images, torch::full_like(images, 0.25)));
  EXPECT_THROW((void)backbone_images(rows, {40, 30, 1}, 16), InvalidArgument);
  EXPECT_THROW((void)backbone_images(rows, {20, 30, 2}, 64), InvalidArgument);
}

fs::path data_pack() {
  const char* const given = std::getenv("NW_DATA_PACK");
  return given != nullptr ? fs::path(given)
                          : fs::path(NW_TORCH_PEER).parent_path() / "../../../shared/data";
}

/// Share of the first photos of a class that ImageNet's classes [first, last] win.
double recognised(const Backbone& backbone, const std::string& animal, int first, int last) {
  io::LoadOptions options;
  options.tiles = {.width = 96, .height = 96, .columns = 20, .count = 20};
  const auto photos =
      io::load_points(data_pack() / "pacs_subset" / ("pacs_photo_" + animal + ".jpg"), options);
  const auto features =
      frozen_features(backbone, bridge::to_tensor(photos.values), {96, 96, 3}, 160);
  const auto best = backbone.logits(features).argmax(1);
  return ((best >= first) & (best <= last)).to(torch::kFloat32).mean().item<double>();
}

TEST(Backbone, WithRealWeightsRecognisesAnimalsOnPhotos) {
  const auto file = data_pack() / "weights" / "mobilenet_v1_0.75_224_imagenet.safetensors";
  if (!fs::exists(file)) GTEST_SKIP() << "no data pack at " << data_pack() << "; set NW_DATA_PACK";
  const auto backbone = adapt::load_backbone(file);
  EXPECT_EQ(backbone->options().classes, 1000);
  EXPECT_EQ(backbone->feature_dim(), 768);
  // Dogs are 118 of ImageNet's classes, from Chihuahua to Mexican hairless; elephants are 385 and
  // 386.
  EXPECT_GT(recognised(*backbone, "dog", 151, 268), 0.7);
  EXPECT_GT(recognised(*backbone, "elephant", 385, 386), 0.5);
}

TEST(Backbone, Resnet56WithRealWeightsRecognisesCifarsTestImages) {
  const auto file = data_pack() / "weights" / "resnet56_cifar10.safetensors";
  if (!fs::exists(file)) GTEST_SKIP() << "no data pack at " << data_pack() << "; set NW_DATA_PACK";
  const auto backbone = adapt::load_backbone(file);
  ASSERT_EQ(backbone->options().kind, BackboneKind::cifar_resnet);
  EXPECT_EQ(backbone->options().blocks, 9);
  constexpr std::int64_t kImages = 500;
  io::LoadOptions options;
  options.tiles = {.width = 32, .height = 32, .columns = 50, .count = kImages};
  const auto images =
      io::load_points(data_pack() / "cifar10_subset" / "cifar10_test_00.jpg", options);
  const auto labels =
      io::load_labels(data_pack() / "cifar10_subset" / "cifar10-test-labels-idx1-ubyte");
  const auto best =
      backbone->logits(frozen_features(*backbone, bridge::to_tensor(images.values), {32, 32, 3}, 0))
          .argmax(1);
  std::int64_t right = 0;
  for (std::int64_t i = 0; i < kImages; ++i) {
    right += best[i].item<std::int64_t>() == labels.values[static_cast<std::size_t>(i)] ? 1 : 0;
  }
  // 93.4 % on the lossless images.
  EXPECT_GT(static_cast<double>(right) / kImages, 0.9);
}

TEST(WeightFile, RefusesAPickleAndTellsHowToConvertIt) {
  const auto file = fs::temp_directory_path() / "nw-backbone-test.pth";
  for (const char* start : {"PK\x03\x04rest", "\x80\x02rest"}) {
    {
      std::ofstream stream(file, std::ios::binary);
      stream << start;
    }
    try {
      (void)adapt::load_backbone(file);
      FAIL() << "accepted";
    } catch (const IoError& error) {
      EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("nw-backbone-test.pth"),
                                               testing::HasSubstr("safetensors")));
    }
  }
  fs::remove(file);
}

}  // namespace
}  // namespace nw::nn
