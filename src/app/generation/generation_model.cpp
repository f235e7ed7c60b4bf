#include "app/generation/generation_model.hpp"

#include <utility>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/gan/gan_model.hpp"
#include "nw/io/safetensors_bytes.hpp"
#include "nw/run/run_directory.hpp"
#include "nw/train/state_tensors.hpp"

#include "app/learning/session.hpp"

namespace nw::app {
namespace {

constexpr const char* kKind = "nw generator";

std::string model_bytes(const std::vector<io::TensorView>& tensors, const std::string& networks,
                        std::int64_t step) {
  return io::safetensors_bytes(
      tensors, {{"kind", kKind}, {"networks", networks}, {"step", std::to_string(step)}});
}

class TrainedGenerator final : public GenerationModel {
 public:
  TrainedGenerator(std::string bytes, gan::TrainedModel model)
      : bytes_(std::move(bytes)), model_(std::move(model)) {}

  [[nodiscard]] GeneratedRows sample(std::int64_t count,
                                     const SampleOptions& options) const override {
    require(count > 0, "sample: the number of rows must be positive, got ", count);
    start_learning(options.threads);
    auto drawn = model_.sample(count, options.data_set, Rng(options.seed));
    return {.rows = std::move(drawn.rows), .component_of = std::move(drawn.component_of)};
  }
  [[nodiscard]] const std::vector<std::vector<double>>& pi() const override { return model_.pi; }
  [[nodiscard]] std::size_t dimension() const override { return model_.normalisation.shift.size(); }
  [[nodiscard]] std::optional<io::ImageShape> image() const override {
    if (!model_.normalisation.is_image()) return std::nullopt;
    const auto& size = model_.normalisation.image;
    return io::ImageShape{.height = static_cast<std::size_t>(size.height),
                          .width = static_cast<std::size_t>(size.width),
                          .channels = static_cast<std::size_t>(size.channels)};
  }
  [[nodiscard]] std::int64_t step() const override { return model_.step; }
  [[nodiscard]] std::string to_bytes() const override { return bytes_; }

 private:
  std::string bytes_;
  gan::TrainedModel model_;
};

}  // namespace

std::shared_ptr<const GenerationModel> make_generation_model(const train::Game& game,
                                                             const std::string& networks,
                                                             std::int64_t step) {
  const train::StateTensors state(gan::sampling_state(game));
  return generation_model_from_bytes(
      model_bytes({state.views().begin(), state.views().end()}, networks, step));
}

std::shared_ptr<const GenerationModel> generation_model_from_bytes(const std::string& bytes,
                                                                   const std::string& source) {
  io::TensorFile content = io::parse_safetensors(bytes, source);
  const auto& metadata = content.metadata;
  if (!metadata.contains("kind") || metadata.at("kind") != kKind ||
      !metadata.contains("networks") || !metadata.contains("step")) {
    throw IoError(concat(source, ": is not a generator that nw wrote"));
  }
  const std::string networks = metadata.at("networks");
  const std::int64_t step = std::atoll(metadata.at("step").c_str());
  return std::make_shared<TrainedGenerator>(
      bytes, gan::restore_model({.step = step, .tensors = std::move(content.tensors), .state = {}},
                                networks, source));
}

std::shared_ptr<const GenerationModel> load_generation_model(const std::filesystem::path& run) {
  const auto config = nlohmann::json::parse(run::read_config(run));
  if (!config.contains("model")) {
    throw IoError(concat(run.string(), ": config.json describes no model that can be sampled"));
  }
  const std::string networks = config.at("model").dump();
  const auto choice = run::read_newest_checkpoint(run::checkpoint_folder(run));
  if (!choice.checkpoint) throw IoError(concat(run.string(), ": there is no checkpoint yet"));
  std::vector<io::TensorView> tensors;
  for (const auto& tensor : choice.checkpoint->tensors) {
    if (gan::is_sampled_from(tensor.name)) tensors.push_back(tensor.view());
  }
  return std::make_shared<TrainedGenerator>(
      model_bytes(tensors, networks, choice.checkpoint->step),
      gan::restore_model(*choice.checkpoint, networks, concat(run.string(), ": config.json")));
}

}  // namespace nw::app
