// Private: results of adaptation and denoising, to and from the fields of a record's JSON.
#pragma once

#include "nw/record/run_record.hpp"

#include "io/json_value.hpp"

namespace nw::record {

class Place;

/// The fields that they add to the JSON object of a record, the scores of a table among them, in
/// their order there.
[[nodiscard]] Json adaptation_fields(const RunRecord& record);

/// The fields of scores alone.
[[nodiscard]] Json scores_json(const ClassScores& scores);

/// Reads them back; `root` is the JSON object of the record.
void read_adaptation(const Place& root, RunRecord& record);

}  // namespace nw::record
