// From a game that was played to a model that draws rows.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "nw/app/generation/model.hpp"
#include "nw/train/game.hpp"

namespace nw::app {

/// `networks` is what gan::model_json wrote.
[[nodiscard]] std::shared_ptr<const GenerationModel> make_generation_model(
    const train::Game& game, const std::string& networks, std::int64_t step);

}  // namespace nw::app
