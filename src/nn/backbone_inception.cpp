// Szegedy, Vanhoucke, Ioffe, Shlens and Wojna 2016, "Rethinking the inception architecture": the
// network of the Inception Score and of FID. Tensors are named as torchvision's inception_v3 names
// them; images in [0, 1] go to [-1, 1], which is what it makes of them too. The classifier beside
// the trunk that training uses is left out.
#include <unordered_map>

#include "nn/backbone_torch.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

constexpr double kEpsilon = 1e-3;
constexpr std::int64_t kFeatures = 2048;

/// A convolution without bias; batch norm and ReLU follow it.
struct Convolution {
  std::int64_t outputs, height, width, stride = 1;
  bool padded = true;  // as much as keeps the size at stride 1
};

Convolution square(std::int64_t outputs, std::int64_t side, std::int64_t stride = 1,
                   bool padded = true) {
  return {outputs, side, side, stride, padded};
}

Tensor mean_of_neighbours(const Tensor& a) {
  return at::avg_pool2d(a, 3, /*stride=*/1, /*padding=*/1);
}

Tensor halved(const Tensor& a) {
  return at::max_pool2d(a, 3, /*stride=*/2);
}

class InceptionV3 final : public TorchBackbone {
 public:
  InceptionV3(const BackboneOptions& options, const Rng& rng)
      : TorchBackbone(options, "fc", kEpsilon) {
    add("Conv2d_1a_3x3", 3, square(32, 3, 2, false));
    add("Conv2d_2a_3x3", 32, square(32, 3, 1, false));
    add("Conv2d_2b_3x3", 32, square(64, 3));
    add("Conv2d_3b_1x1", 64, square(80, 1));
    add("Conv2d_4a_3x3", 80, square(192, 3, 1, false));
    add_a("Mixed_5b.", 192, 32);
    add_a("Mixed_5c.", 256, 64);
    add_a("Mixed_5d.", 288, 64);
    add("Mixed_6a.branch3x3", 288, square(384, 3, 2, false));
    add("Mixed_6a.branch3x3dbl_1", 288, square(64, 1));
    add("Mixed_6a.branch3x3dbl_2", 64, square(96, 3));
    add("Mixed_6a.branch3x3dbl_3", 96, square(96, 3, 2, false));
    add_c("Mixed_6b.", 128);
    add_c("Mixed_6c.", 160);
    add_c("Mixed_6d.", 160);
    add_c("Mixed_6e.", 192);
    add("Mixed_7a.branch3x3_1", 768, square(192, 1));
    add("Mixed_7a.branch3x3_2", 192, square(320, 3, 2, false));
    add("Mixed_7a.branch7x7x3_1", 768, square(192, 1));
    add("Mixed_7a.branch7x7x3_2", 192, {192, 1, 7});
    add("Mixed_7a.branch7x7x3_3", 192, {192, 7, 1});
    add("Mixed_7a.branch7x7x3_4", 192, square(192, 3, 2, false));
    add_e("Mixed_7b.", 1280);
    add_e("Mixed_7c.", 2048);
    draw(std::move(specs_), kFeatures, rng);
    specs_ = {};
  }

  Tensor features(const Tensor& images) const override {
    const std::int64_t least = smallest_side(BackboneKind::inception_v3);
    require(images.size(2) >= least && images.size(3) >= least,
            "Inception-v3 takes images of at least ", least, " x ", least, " pixels, got ",
            images.size(2), " x ", images.size(3));
    Tensor a = chain(2.0 * images - 1.0, {"Conv2d_1a_3x3", "Conv2d_2a_3x3", "Conv2d_2b_3x3"});
    a = halved(chain(halved(a), {"Conv2d_3b_1x1", "Conv2d_4a_3x3"}));
    for (const char* name : {"Mixed_5b.", "Mixed_5c.", "Mixed_5d."}) a = block_a(a, name);
    a = at::cat(
        {conv(a, "Mixed_6a.branch3x3"), numbered(a, "Mixed_6a.branch3x3dbl_", 3), halved(a)}, 1);
    for (const char* name : {"Mixed_6b.", "Mixed_6c.", "Mixed_6d.", "Mixed_6e."}) {
      a = block_c(a, name);
    }
    a = at::cat(
        {numbered(a, "Mixed_7a.branch3x3_", 2), numbered(a, "Mixed_7a.branch7x7x3_", 4), halved(a)},
        1);
    for (const char* name : {"Mixed_7b.", "Mixed_7c."}) a = block_e(a, name);
    return a.mean({2, 3});
  }

  std::int64_t feature_dim() const override { return kFeatures; }

 private:
  void add(const std::string& name, std::int64_t inputs, const Convolution& how) {
    specs_.weight(name + ".conv.weight", {how.outputs, inputs, how.height, how.width});
    add_norm(specs_, name + ".bn", how.outputs);
    convolutions_.emplace(name, how);
  }

  void add_a(const std::string& block, std::int64_t inputs, std::int64_t pooled) {
    add(block + "branch1x1", inputs, square(64, 1));
    add(block + "branch5x5_1", inputs, square(48, 1));
    add(block + "branch5x5_2", 48, square(64, 5));
    add(block + "branch3x3dbl_1", inputs, square(64, 1));
    add(block + "branch3x3dbl_2", 64, square(96, 3));
    add(block + "branch3x3dbl_3", 96, square(96, 3));
    add(block + "branch_pool", inputs, square(pooled, 1));
  }

  void add_c(const std::string& block, std::int64_t width) {
    constexpr std::int64_t kInputs = 768, kOutputs = 192;
    add(block + "branch1x1", kInputs, square(kOutputs, 1));
    add(block + "branch7x7_1", kInputs, square(width, 1));
    add(block + "branch7x7_2", width, {width, 1, 7});
    add(block + "branch7x7_3", width, {kOutputs, 7, 1});
    add(block + "branch7x7dbl_1", kInputs, square(width, 1));
    add(block + "branch7x7dbl_2", width, {width, 7, 1});
    add(block + "branch7x7dbl_3", width, {width, 1, 7});
    add(block + "branch7x7dbl_4", width, {width, 7, 1});
    add(block + "branch7x7dbl_5", width, {kOutputs, 1, 7});
    add(block + "branch_pool", kInputs, square(kOutputs, 1));
  }

  void add_e(const std::string& block, std::int64_t inputs) {
    add(block + "branch1x1", inputs, square(320, 1));
    add(block + "branch3x3_1", inputs, square(384, 1));
    add(block + "branch3x3_2a", 384, {384, 1, 3});
    add(block + "branch3x3_2b", 384, {384, 3, 1});
    add(block + "branch3x3dbl_1", inputs, square(448, 1));
    add(block + "branch3x3dbl_2", 448, square(384, 3));
    add(block + "branch3x3dbl_3a", 384, {384, 1, 3});
    add(block + "branch3x3dbl_3b", 384, {384, 3, 1});
    add(block + "branch_pool", inputs, square(192, 1));
  }

  [[nodiscard]] Tensor conv(const Tensor& a, const std::string& name) const {
    const Convolution& how = convolutions_.at(name);
    const std::int64_t rows = how.padded ? how.height / 2 : 0,
                       columns = how.padded ? how.width / 2 : 0;
    return at::relu(norm(at::conv2d(a, get(name + ".conv.weight"), {}, how.stride, {rows, columns}),
                         name + ".bn"));
  }

  [[nodiscard]] Tensor chain(Tensor a, std::initializer_list<const char*> names) const {
    for (const char* name : names) a = conv(a, name);
    return a;
  }

  /// The convolutions name1, name2, ... one after the other.
  [[nodiscard]] Tensor numbered(Tensor a, const std::string& name, int count) const {
    for (int i = 1; i <= count; ++i) a = conv(a, name + std::to_string(i));
    return a;
  }

  [[nodiscard]] Tensor block_a(const Tensor& a, const std::string& block) const {
    return at::cat({conv(a, block + "branch1x1"), numbered(a, block + "branch5x5_", 2),
                    numbered(a, block + "branch3x3dbl_", 3),
                    conv(mean_of_neighbours(a), block + "branch_pool")},
                   1);
  }

  [[nodiscard]] Tensor block_c(const Tensor& a, const std::string& block) const {
    return at::cat({conv(a, block + "branch1x1"), numbered(a, block + "branch7x7_", 3),
                    numbered(a, block + "branch7x7dbl_", 5),
                    conv(mean_of_neighbours(a), block + "branch_pool")},
                   1);
  }

  [[nodiscard]] Tensor block_e(const Tensor& a, const std::string& block) const {
    const auto short_way = conv(a, block + "branch3x3_1");
    const auto long_way = numbered(a, block + "branch3x3dbl_", 2);
    return at::cat(
        {conv(a, block + "branch1x1"), conv(short_way, block + "branch3x3_2a"),
         conv(short_way, block + "branch3x3_2b"), conv(long_way, block + "branch3x3dbl_3a"),
         conv(long_way, block + "branch3x3dbl_3b"),
         conv(mean_of_neighbours(a), block + "branch_pool")},
        1);
  }

  BackboneSpecs specs_;
  std::unordered_map<std::string, Convolution> convolutions_;
};

}  // namespace

std::unique_ptr<Backbone> make_inception_v3(const BackboneOptions& options, const Rng& rng) {
  return std::make_unique<InceptionV3>(options, rng);
}

}  // namespace nw::nn
