// Feature networks and classifiers, against PyTorch on the same weights.
#include "nw/nn/feature_network.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <torch/csrc/autograd/autograd.h>

#include "nw/base/error.hpp"
#include "nw/nn/classifier.hpp"
#include "nw/nn/random_tensor.hpp"

#include "nn/named_tensors.hpp"
#include "nn/peer_case.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

constexpr double kTolerance = 1e-5;

PeerCase feature_case(const std::string& name, const FeatureOptions& options) {
  const Rng rng(21);
  const auto network = make_feature_network(options, rng);
  const bool images = options.kind != FeatureKind::mlp;
  const auto& image = options.image;
  const auto rows =
      images ? normal_tensor(rng.split(1), {7, image.channels, image.height, image.width})
             : normal_tensor(rng.split(1), {7, options.data_dim});
  const auto output = network->forward(
      {.source = rows.narrow(0, 0, 4), .target = rows.narrow(0, 4, 3)}, {.mode = Mode::training});
  const auto weights = normal_tensor(rng.split(2), output.sizes());
  PeerCase one{
      .name = name,
      .options = nlohmann::json{{"network", std::string(to_string(options.kind)) + "_features"},
                                {"norm", to_string(options.norm)},
                                {"unit_length", options.unit_length}}
                     .dump(),
      .tensors = {}};
  one.add_parameters(network->parameters());
  one.add("input.rows", rows);
  one.add("input.weights", weights);
  one.add("ours.output", output);
  one.add_gradient(network->parameters(),
                   network->parameters().flatten(torch::autograd::grad(
                       {(output * weights).sum()}, network->parameters().leaves())));
  return one;
}

PeerCase classifier_case() {
  const Rng rng(22);
  const Classifier classifier({.feature_dim = 20, .classes = 4, .hidden = {9, 7}}, rng);
  const auto rows = normal_tensor(rng.split(1), {6, 20});
  const auto output = classifier.forward(rows);
  const auto weights = normal_tensor(rng.split(2), output.sizes());
  PeerCase one{.name = "classifier", .options = R"({"network": "classifier"})", .tensors = {}};
  one.add_parameters(classifier.parameters());
  one.add("input.rows", rows);
  one.add("input.weights", weights);
  one.add("ours.output", output);
  one.add_gradient(classifier.parameters(),
                   classifier.parameters().flatten(torch::autograd::grad(
                       {(output * weights).sum()}, classifier.parameters().leaves())));
  return one;
}

TEST(FeatureNetworks, HaveTheOutputsAndGradientsOfPyTorch) {
  std::vector<PeerCase> cases{classifier_case()};
  for (const auto norm : {FeatureNorm::none, FeatureNorm::joint, FeatureNorm::by_domain}) {
    const std::string suffix = std::string("_") + to_string(norm);
    const bool unit = norm != FeatureNorm::none;
    cases.push_back(feature_case("lenet" + suffix, {.kind = FeatureKind::lenet,
                                                    .image = {20, 24, 3},
                                                    .hidden = {5, 6},
                                                    .norm = norm,
                                                    .unit_length = unit}));
    cases.push_back(feature_case("mlp" + suffix, {.kind = FeatureKind::mlp,
                                                  .data_dim = 6,
                                                  .hidden = {11, 8, 5},
                                                  .norm = norm,
                                                  .unit_length = unit}));
  }
  for (const auto norm : {FeatureNorm::joint, FeatureNorm::by_domain}) {
    cases.push_back(
        feature_case(std::string("small_") + to_string(norm), {.kind = FeatureKind::small,
                                                               .image = {13, 10, 3},
                                                               .hidden = {4, 6, 5},
                                                               .norm = norm,
                                                               .unit_length = true}));
  }
  const auto differences = ask_pytorch(cases);
  if (differences.empty()) GTEST_SKIP() << "no PyTorch for " NW_PYTHON;
  ASSERT_EQ(differences.size(), cases.size());
  for (const auto& [name, answers] : differences) {
    for (const auto& [answer, difference] : answers) {
      EXPECT_LT(difference, kTolerance) << name << " " << answer;
    }
  }
}

TEST(FeatureNetworks, LeNetOfThePaperHas768Features) {
  EXPECT_EQ(make_feature_network({}, Rng(1))->feature_dim(), 768);
}

TEST(FeatureNetworks, SmallOnesDoNotSeeBrightnessContrastAndGrey) {
  const auto network = make_feature_network({.kind = FeatureKind::small,
                                             .image = {12, 12, 3},
                                             .hidden = {4, 6, 5},
                                             .norm = FeatureNorm::by_domain,
                                             .unit_length = true},
                                            Rng(2));
  const auto grey = normal_tensor(Rng(3), {8, 1, 12, 12});
  const auto usual = network->forward({.source = grey});
  EXPECT_EQ(usual.sizes(), (std::vector<std::int64_t>{8, 5}));
  EXPECT_LT((network->forward({.source = grey * 3.0 + 5.0}) - usual).abs().max().item<double>(),
            0.01);
  EXPECT_LT(
      (network->forward({.source = grey.repeat({1, 3, 1, 1})}) - usual).abs().max().item<double>(),
      1e-5);
  EXPECT_THROW(FeatureOptions({.kind = FeatureKind::small,
                               .image = {7, 12, 3},
                               .hidden = {4, 4, 4, 5},
                               .norm = FeatureNorm::joint})
                   .validate(),
               InvalidArgument);
}

TEST(FeatureNetworks, KeepMomentsOfEachDomainApart) {
  const auto network = make_feature_network(
      {.kind = FeatureKind::mlp, .data_dim = 3, .hidden = {4, 2}, .norm = FeatureNorm::by_domain},
      Rng(2));
  const auto source = normal_tensor(Rng(3), {50, 3}), target = source * 5.0 + 10.0;
  for (int i = 0; i < 80; ++i) {
    (void)network->forward({.source = source, .target = target}, {.mode = Mode::training});
  }
  // Each domain by its own moments gives both the same features: one is an affine map of the other.
  const auto a = network->forward({.source = source});
  const auto b = network->forward({.target = target});
  EXPECT_LT((a - b).abs().max().item<double>(), 0.05);
  EXPECT_GT((a - network->forward({.source = target})).abs().max().item<double>(), 0.5);
}

TEST(FeatureNetworks, DropWholeChannelsAndKeepTheMean) {
  const FeatureOptions options{.image = {16, 16, 1}, .hidden = {3, 40}, .dropout = 0.5};
  const auto network = make_feature_network(options, Rng(4));
  const auto rows = normal_tensor(Rng(5), {64, 1, 16, 16});
  std::uint64_t stream = 0;
  const FeaturePass dropping{.mode = Mode::training, .uniform = [&](at::IntArrayRef sizes) {
                               return uniform_tensor(Rng(6).split(stream++), sizes);
                             }};
  const auto plain = network->forward({.source = rows});
  const auto dropped = network->forward({.source = rows}, dropping);
  const auto kept = dropped.ne(0.0).logical_and(plain.ne(0.0));
  EXPECT_TRUE(torch::allclose(dropped.masked_select(kept), 2.0 * plain.masked_select(kept), 1e-5));
  const double share = kept.sum().item<double>() / plain.ne(0.0).sum().item<double>();
  EXPECT_NEAR(share, 0.5, 0.05);
}

TEST(FeatureNetworks, DropColumnsOfSingleRowsInBothDomains) {
  constexpr std::int64_t kColumns = 50;
  const FeatureOptions options{
      .kind = FeatureKind::mlp, .data_dim = kColumns, .hidden = {1}, .dropout = 0.4};
  const auto network = make_feature_network(options, Rng(4));
  const torch::NoGradGuard no_grad;
  network->parameters().flat().fill_(0.0);
  network->parameters()[0].detach().fill_(1.0);  // a feature is the sum of what was kept
  const auto ones = torch::ones({400, kColumns});
  std::uint64_t stream = 0;
  const FeaturePass dropping{.mode = Mode::training, .uniform = [&](at::IntArrayRef sizes) {
                               return uniform_tensor(Rng(6).split(stream++), sizes);
                             }};
  const auto sums = network->forward({.source = ones, .target = ones}, dropping);
  for (const auto& part : {sums.narrow(0, 0, 400), sums.narrow(0, 400, 400)}) {
    EXPECT_NEAR(part.mean().item<double>(), kColumns, 1.0);
    // Binomial: variance n (1 - p) p / p^2 with p = 0.6 kept.
    EXPECT_NEAR(part.var().item<double>(), kColumns * 0.4 / 0.6, 6.0);
  }
  EXPECT_FALSE(torch::equal(sums.narrow(0, 0, 400), sums.narrow(0, 400, 400)));
  const auto all = network->forward({.source = ones});
  EXPECT_LT((all - static_cast<double>(kColumns)).abs().max().item<double>(), 1e-4);
}

TEST(FeatureNetworks, TakeAGreyImageForOneWithEqualChannels) {
  for (const auto norm : {FeatureNorm::none, FeatureNorm::joint, FeatureNorm::by_domain}) {
    const auto network =
        make_feature_network({.image = {20, 20, 3}, .hidden = {4, 5}, .norm = norm}, Rng(7));
    const auto grey = normal_tensor(Rng(8), {6, 1, 20, 20});
    const auto colour = normal_tensor(Rng(9), {3, 3, 20, 20});
    const auto a = network->forward({.source = grey, .target = colour});
    const auto b = network->forward({.source = grey.expand({6, 3, 20, 20}), .target = colour});
    EXPECT_TRUE(torch::allclose(a, b, 1e-4, 1e-5)) << to_string(norm);
  }
}

TEST(FeatureNetworks, OfABackboneAreItsOwnAndMoveWithItsParameters) {
  const BackboneOptions kind{.kind = BackboneKind::cifar_resnet, .classes = 0, .blocks = 1};
  auto backbone = make_backbone(kind, Rng(10));
  FeatureOptions options{.kind = FeatureKind::backbone,
                         .image = {20, 20, 3},
                         .backbone = kind,
                         .weights = std::make_shared<const NamedTensors>(named_tensors(*backbone)),
                         .side = 32};
  const auto network = make_feature_network(options, Rng(11));
  const auto grey = uniform_tensor(Rng(12), {2, 1, 20, 20}, -1.0, 1.0);
  const auto colour = uniform_tensor(Rng(13), {3, 3, 20, 20}, -1.0, 1.0);
  const auto pass = [&] { return network->forward({.source = grey, .target = colour}); };
  const auto own = torch::cat({backbone->features(backbone_images(grey * 0.5 + 0.5, 32)),
                               backbone->features(backbone_images(colour * 0.5 + 0.5, 32))});
  EXPECT_TRUE(torch::allclose(pass(), own, 1e-4, 1e-5));

  const auto gradients = torch::autograd::grad({pass().sum()}, network->parameters().leaves());
  EXPECT_GT(network->parameters().flatten(gradients).abs().sum().item<double>(), 0.0);
  {
    const torch::NoGradGuard no_grad;
    network->parameters().flat().mul_(1.1);
  }
  EXPECT_FALSE(torch::allclose(pass(), own, 1e-4, 1e-5));
  // Weights that were read stay as they were, and statistics are part of the state.
  EXPECT_TRUE(torch::allclose(make_feature_network(options, Rng(14))->forward({.target = colour}),
                              own.narrow(0, 2, 3), 1e-4, 1e-5));
  EXPECT_EQ(network->buffers().back().numel(), backbone->statistics().count());

  EXPECT_EQ(network->pretrained(), network->parameters().count());

  options.norm = FeatureNorm::by_domain;
  EXPECT_THROW((void)make_feature_network(options, Rng(14)), InvalidArgument);
}

TEST(FeatureNetworks, PutNewLayersAfterABackbone) {
  const BackboneOptions kind{.kind = BackboneKind::cifar_resnet, .classes = 0, .blocks = 1};
  const auto backbone = make_backbone(kind, Rng(20));
  const FeatureOptions options{
      .kind = FeatureKind::backbone,
      .image = {20, 20, 3},
      .norm = FeatureNorm::by_domain,
      .backbone = kind,
      .weights = std::make_shared<const NamedTensors>(named_tensors(*backbone)),
      .side = 32,
      .head = {7, 5}};
  const auto network = make_feature_network(options, Rng(21));
  EXPECT_EQ(network->feature_dim(), 5);
  EXPECT_EQ(network->pretrained(), backbone->parameters().count());

  // What a perceptron with the same parameters makes of the backbone's features.
  const auto head = make_feature_network({.kind = FeatureKind::mlp,
                                          .data_dim = backbone->feature_dim(),
                                          .hidden = options.head,
                                          .norm = options.norm},
                                         Rng(22));
  const auto fresh = network->parameters().flat().slice(0, network->pretrained());
  head->parameters().assign(fresh);
  const auto source = uniform_tensor(Rng(23), {4, 3, 20, 20}, -1.0, 1.0);
  const auto target = uniform_tensor(Rng(24), {3, 3, 20, 20}, -1.0, 1.0);
  const auto of = [&](const torch::Tensor& images) {
    return backbone->features(backbone_images(images * 0.5 + 0.5, 32));
  };
  for (const auto mode : {Mode::training, Mode::sampling}) {
    EXPECT_TRUE(torch::allclose(
        network->forward({.source = source, .target = target}, {.mode = mode}),
        head->forward({.source = of(source), .target = of(target)}, {.mode = mode}), 1e-4, 1e-5));
    EXPECT_TRUE(torch::allclose(network->forward({.target = target}),
                                head->forward({.target = of(target)}), 1e-4, 1e-5));
  }
  // Both parts have gradients, and move when the shared memory does, also after a change of device.
  network->to(torch::kCPU);
  const auto pass = [&] { return network->forward({.source = source}); };
  const auto before = pass();
  const auto gradient = network->parameters().flatten(
      torch::autograd::grad({pass().square().sum()}, network->parameters().leaves()));
  for (const auto& part :
       {gradient.slice(0, 0, network->pretrained()), gradient.slice(0, network->pretrained())}) {
    EXPECT_GT(part.abs().sum().item<double>(), 0.0);
  }
  const torch::NoGradGuard no_grad;
  for (const bool old : {true, false}) {
    const auto kept = network->parameters().flat().clone();
    auto part = old ? network->parameters().flat().slice(0, 0, network->pretrained())
                    : network->parameters().flat().slice(0, network->pretrained());
    part.mul_(1.2);
    EXPECT_FALSE(torch::allclose(pass(), before, 1e-4, 1e-5)) << old;
    network->parameters().assign(kept);
    EXPECT_TRUE(torch::allclose(pass(), before)) << old;
  }
}

TEST(ParameterSets, FlattenGradientsToTheirPlaces) {
  const ParameterSet parameters({{"a", {2, 3}, 1.0}, {"b", {16}, 1.0}, {"c", {5}}}, Rng(1));
  const auto a = torch::arange(6.0).view({3, 2}).t();  // not contiguous
  const auto flat = parameters.flatten({a, {}, torch::ones({5})});
  ASSERT_EQ(flat.numel(), parameters.count());
  auto expected = torch::zeros({parameters.count()});
  expected.narrow(0, parameters.offset(0), 6).copy_(a.reshape({-1}));
  expected.narrow(0, parameters.offset(2), 5).fill_(1.0);
  EXPECT_TRUE(torch::equal(flat, expected));
}

TEST(FeatureNetworks, RefuseImagesThatAreTooSmall) {
  EXPECT_THROW((void)make_feature_network({.image = {8, 28, 1}}, Rng(1)), InvalidArgument);
}

}  // namespace
}  // namespace nw::nn
