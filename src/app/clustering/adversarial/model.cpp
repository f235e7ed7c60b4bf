#include "app/clustering/adversarial/model.hpp"

#include <utility>

#include <nlohmann/json.hpp>

#include "nw/app/clustering/adversarial/cluster_points.hpp"
#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/gan/gan_model.hpp"
#include "nw/train/state_tensors.hpp"

#include "app/clustering/adversarial/cluster_rule.hpp"
#include "app/clustering/feature_tensors.hpp"
#include "app/learning/session.hpp"

namespace nw::app {
namespace {

/// What assignments need besides the networks, in the metadata of the file.
struct AssignmentSettings {
  ClusterRule rule = ClusterRule::nearest;
  double price = 0.0, temperature = 0.0;
  std::uint64_t seed = 0;
  std::vector<std::size_t> order;  // component of each cluster
};

Json to_json(const AssignmentSettings& settings) {
  return {{"rule", choice_name(settings.rule)},
          {"price", settings.price},
          {"temperature", settings.temperature},
          {"seed", settings.seed},
          {"order", settings.order}};
}

AssignmentSettings settings_from(const Json& json) {
  return {.rule = parse_choice<ClusterRule>(json.at("rule").get<std::string>(), "rule"),
          .price = json.at("price").get<double>(),
          .temperature = json.at("temperature").get<double>(),
          .seed = json.at("seed").get<std::uint64_t>(),
          .order = json.at("order").get<std::vector<std::size_t>>()};
}

class AdversarialModel final : public ClusterModel {
 public:
  AdversarialModel(std::string bytes, const std::string& source) : bytes_(std::move(bytes)) {
    io::TensorFile content = io::parse_safetensors(bytes_, source);
    const TensorReader reader(content, source);
    map_ = read_feature_tensors(reader);
    pi_ = reader.vector("pi");
    try {
      settings_ = settings_from(Json::parse(content.metadata.at("assignment")));
      const std::string networks = content.metadata.at("networks");
      trained_ = gan::restore_model({.step = 0, .tensors = std::move(content.tensors), .state = {}},
                                    networks, source);
    } catch (const std::exception& error) {
      throw IoError(concat(source, ": not a cluster model: ", error.what()));
    }
    const auto k = static_cast<std::size_t>(trained_.generator->components());
    if (settings_.order.size() != k || pi_.size() != k) {
      throw IoError(concat(source, ": the parts of the model do not fit"));
    }
  }

  [[nodiscard]] ClusterMethod method() const override { return ClusterMethod::nw; }
  [[nodiscard]] const std::vector<double>& pi() const override { return pi_; }
  [[nodiscard]] std::string to_bytes() const override { return bytes_; }
  [[nodiscard]] std::size_t dimension() const override {
    return map_ ? map_->dimension() : trained_.normalisation.shift.size();
  }

  [[nodiscard]] ClusterAssignment assign(MatrixView rows,
                                         const AssignOptions& options) const override {
    require(rows.cols() == dimension(), "the clusters are those of rows of ", dimension(),
            " values, got rows of ", rows.cols());
    start_learning(options.threads);
    const auto& generator = *trained_.generator;
    const Matrix mapped = map_ ? map_->place(rows, options.threads) : Matrix();
    std::vector<double> pi_of_component(pi_.size());
    for (std::size_t r = 0; r < pi_.size(); ++r) pi_of_component.at(settings_.order[r]) = pi_[r];
    trained_.generator->to(choose_device(options.device));
    const torch::Tensor network_rows =
        trained_.normalisation.to_network(map_ ? mapped.view() : rows);
    auto assignment =
        assign_rows({.generator = generator,
                     .pi = pi_of_component,
                     .rows = network_rows,
                     .rule = options.rule == ClusterRule::automatic
                                 ? settings_.rule
                                 : rule_for(options.rule, ClusterRecipe::best, generator.options()),
                     .inversion = {.price = settings_.price},
                     .temperature = settings_.temperature,
                     .seed = settings_.seed});
    reorder(assignment, settings_.order);
    return {.cluster = std::move(assignment.component_of),
            .membership = bridge::to_matrix(assignment.membership)};
  }

 private:
  std::string bytes_;
  gan::TrainedModel trained_;
  AssignmentSettings settings_;
  std::vector<double> pi_;
  std::optional<cluster::DiffusionMap> map_;
};

}  // namespace

std::string adversarial_model_bytes(const ClusterTask& task, const ClusterOutcome& outcome,
                                    const std::optional<cluster::DiffusionMap>& map) {
  const train::StateTensors networks(gan::sampling_state(*outcome.game));
  std::vector<io::TensorView> tensors(networks.views().begin(), networks.views().end());
  tensors.push_back(io::view_tensor<double>("pi", outcome.pi));
  if (map) add_feature_tensors(*map, tensors);
  const AssignmentSettings settings{.rule = task.rule,
                                    .price = task.inversion.price,
                                    .temperature = outcome.assignment.temperature,
                                    .seed = task.seed,
                                    .order = outcome.order};
  return io::safetensors_bytes(tensors,
                               {{"kind", "nw clusters"},
                                {"method", choice_name(ClusterMethod::nw)},
                                {"assignment", to_json(settings).dump()},
                                {"networks", gan::model_json(task.options, task.normalisation)}});
}

std::shared_ptr<const ClusterModel> adversarial_model(const std::string& bytes,
                                                      const std::string& source) {
  return std::make_shared<AdversarialModel>(bytes, source);
}

std::shared_ptr<const ClusterModel> any_cluster_model_from_bytes(const std::string& bytes,
                                                                 const std::string& source) {
  const auto metadata = io::parse_safetensors(bytes, source).metadata;
  const auto method = metadata.find("method");
  const bool learnt = method != metadata.end() && method->second == choice_name(ClusterMethod::nw);
  return learnt ? adversarial_model(bytes, source) : cluster_model_from_bytes(bytes, source);
}

}  // namespace nw::app
