#include "nn/peer_case.hpp"

#include <cstdlib>
#include <numeric>

#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "nw/base/error.hpp"
#include "nw/io/safetensors.hpp"

#include "io/json_file.hpp"

namespace nw::nn {

namespace fs = std::filesystem;

void PeerCase::add_parameters(const ParameterSet& parameters) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    add("parameter." + parameters.specs()[i].name, parameters[i]);
  }
}

void PeerCase::add_gradient(const ParameterSet& parameters, const torch::Tensor& flat) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    add("ours.gradient." + parameters.specs()[i].name,
        flat.narrow(0, parameters.offset(i), parameters[i].numel()).view(parameters[i].sizes()));
  }
}

Differences ask_pytorch(const std::vector<PeerCase>& cases) {
  const fs::path folder =
      fs::temp_directory_path() / ("nw-torch-peer-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  for (const auto& one : cases) {
    std::vector<io::TensorView> views;
    for (const auto& [name, tensor] : one.tensors) {
      std::vector<std::uint64_t> shape(tensor.sizes().begin(), tensor.sizes().end());
      views.push_back({name,
                       io::TensorType::f32,
                       std::move(shape),
                       {static_cast<const std::byte*>(tensor.data_ptr()), tensor.nbytes()}});
    }
    io::write_safetensors(folder / (one.name + ".safetensors"), views, {{"options", one.options}});
  }
  const std::string command = std::string(NW_PYTHON " -B " NW_TORCH_PEER " ") + folder.string();
  const int status = std::system(command.c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  Differences differences;
  if (code == 0) {
    const auto json = io::read_json(folder / "differences.json");
    for (const auto& [name, answers] : json.items()) {
      for (const auto& [answer, value] : answers.items()) {
        differences[name][answer] = value.get<double>();
      }
    }
  }
  fs::remove_all(folder);
  if (code != 0 && code != 77 && code != 127) {
    throw Error(concat("torch_peer.py failed with status ", code));
  }
  return differences;
}

}  // namespace nw::nn
