// What a trained generator reports.
#pragma once

#include "nw/app/generation/train_generator.hpp"
#include "nw/gan/gan_options.hpp"

namespace nw::app {

/// Everything that the record of a training is made from.
struct TrainingReport {
  const GenerationData& data;
  const GenerationOptions& asked;
  const gan::GanOptions& options;  ///< that the recipe made of them
  const GenerationResult& result;
  std::string command;
};

[[nodiscard]] record::RunRecord generation_record(const TrainingReport& report);

}  // namespace nw::app
