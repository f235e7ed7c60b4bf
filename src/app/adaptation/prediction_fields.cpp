#include "nw/app/adaptation/prediction_fields.hpp"

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/moments.hpp"

#include "io/json_value.hpp"
#include "record/adaptation_json.hpp"

namespace nw::app {

std::string prediction_fields(std::span<const AdaptedClassifier> models,
                              const CommonPrediction& prediction) {
  require(!models.empty(), "prediction_fields: there is no classifier");
  Json fields{{"rows", prediction.mean.predicted.size()},
              {"step", models.front().step()},
              {"classes", models.front().classes()},
              {"predicted_share", prediction.mean.shares()},
              {"pi_target_likely", prediction.pi_likely}};
  if (models.size() > 1) {
    const std::string& warning = prediction.warning;
    fields["agreement"] = mean_of(prediction.agreements);
    fields["agreement_of_each"] = prediction.agreements;
    fields["warnings"] = warning.empty() ? Json::array() : Json::array({warning});
  }
  if (prediction.scores) fields.update(record::scores_json(*prediction.scores));
  return fields.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace nw::app
