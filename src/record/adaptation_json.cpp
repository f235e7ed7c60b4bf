// One list of fields for each result serves writing and reading.
#include "record/adaptation_json.hpp"

#include <cmath>

#include "record/json_place.hpp"

namespace nw::record {
namespace {

template <typename Result, typename Visit>
void visit_fields(Result& scores, Visit& visit, const ClassScores*) {
  visit("accuracy", scores.accuracy);
  visit("mean_class_accuracy", scores.mean_class_accuracy);
  visit("class_accuracy", scores.class_accuracy);
  visit("pi_target_true", scores.pi_target_true);
  visit("unknown_rows", scores.unknown_rows);
  visit("confusion", scores.confusion);
}

template <typename Result, typename Visit>
void visit_fields(Result& result, Visit& visit, const SafeguardSummary*) {
  visit("chosen", result.chosen);
  visit("agreement", result.agreement);
  visit("same_names", result.same_names);
  visit("best_names", result.best_names);
  visit("reason", result.reason);
  visit("pi_unadapted", result.pi_unadapted);
  visit.if_known("unadapted_accuracy", result.unadapted_accuracy);
}

template <typename Result, typename Visit>
void visit_fields(Result& result, Visit& visit, const AdaptationSummary*) {
  visit("method", result.method);
  visit("recipe", result.recipe);
  visit("classes", result.classes);
  visit("pi_target", result.pi_target);
  visit("pi_target_origin", result.pi_target_origin);
  visit("pi_target_interval", result.pi_target_interval);
  visit("pi_target_likely", result.pi_target_likely);
  visit.or_null("pi_target_confused", result.pi_target_confused);
  visit("pi_source", result.pi_source);
  visit("source_accuracy", result.source_accuracy);
  visit("consistency", result.consistency);
  visit("confidence", result.confidence);
  visit("steps", result.steps);
  visit("end", result.end);
  visit("recoveries", result.recoveries);
  visit.part("accuracy", result.scores);
  visit.object("safeguard", result.safeguard);
  visit.if_known("pi_error", result.pi_error);
  visit.if_known("test_mean_class_accuracy", result.test_mean_class_accuracy);
  visit.if_known("test_accuracy", result.test_accuracy);
}

template <typename Result, typename Visit>
void visit_fields(Result& result, Visit& visit, const DenoisingSummary*) {
  visit("method", result.method);
  visit("err_recons_target", result.err_recons_target);
  visit("err_recons_source", result.err_recons_source);
  visit("residual_variance", result.residual_variance);
  visit.or_null("pi_source", result.pi_source);
  visit.or_null("pi_target", result.pi_target);
  visit("wasserstein", result.wasserstein);
  visit("normalized_wasserstein", result.normalized_wasserstein);
  visit("k", result.k);
  visit("rows_source", result.rows_source);
  visit("rows_target", result.rows_target);
  visit("steps", result.steps);
  visit("end", result.end);
  visit("recoveries", result.recoveries);
}

Json value_of(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}
Json value_of(std::uint64_t value) {
  return value;
}
Json value_of(const std::string& text) {
  return text;
}
Json value_of(const Interval& interval) {
  return Json::array({value_of(interval.low), value_of(interval.high)});
}
template <typename T>
Json value_of(const std::optional<T>& value) {
  return value ? value_of(*value) : Json(nullptr);
}
template <typename T>
Json value_of(const std::vector<T>& values) {
  Json list = Json::array();
  for (const auto& value : values) list.push_back(value_of(value));
  return list;
}

struct Writer {
  Json& root;

  template <typename T>
  void operator()(const char* name, const T& value) {
    root[name] = value_of(value);
  }
  /// Left out where it is not known.
  void if_known(const char* name, const std::optional<double>& value) {
    if (value) (*this)(name, *value);
  }
  /// Null where there is none.
  void or_null(const char* name, const std::vector<double>& values) {
    root[name] = values.empty() ? Json(nullptr) : value_of(values);
  }
  /// Fields of their own beside the others; `first` is there where the part is.
  template <typename T>
  void part(const char*, const std::optional<T>& value) {
    if (value) visit_fields(*value, *this, &*value);
  }
  /// An object of its own, left out where there is none.
  template <typename T>
  void object(const char* name, const std::optional<T>& value) {
    if (!value) return;
    Writer inner{root[name] = Json::object()};
    visit_fields(*value, inner, &*value);
  }
};

struct Reader {
  const Place& root;

  template <typename T>
  void operator()(const char* name, T& value) {
    root.get(name, value);
  }
  void if_known(const char* name, std::optional<double>& value) { root.get(name, value); }
  void or_null(const char* name, std::vector<double>& values) {
    if (root.has(name)) root.get(name, values);
  }
  template <typename T>
  void part(const char* first, std::optional<T>& value) {
    if (root.has(first)) visit_fields(value.emplace(), *this, static_cast<const T*>(nullptr));
  }
  template <typename T>
  void object(const char* name, std::optional<T>& value) {
    if (!root.has(name)) return;
    const Place place = root.at(name);
    Reader inner{place};
    visit_fields(value.emplace(), inner, static_cast<const T*>(nullptr));
  }
};

template <typename T>
void write(Json& root, const std::optional<T>& result) {
  Writer writer{root};
  if (result) visit_fields(*result, writer, &*result);
}

/// `field` is one that only this kind of result has.
template <typename T>
void read(const Place& root, const char* field, std::optional<T>& result) {
  Reader reader{root};
  if (root.has(field)) visit_fields(result.emplace(), reader, static_cast<const T*>(nullptr));
}

}  // namespace

Json adaptation_fields(const RunRecord& record) {
  Json fields = Json::object();
  write(fields, record.adaptation);
  write(fields, record.denoising);
  for (const auto& [name, value] : record.scores) {
    fields["scores"].push_back(Json::array({name, value_of(value)}));
  }
  return fields;
}

Json scores_json(const ClassScores& scores) {
  Json fields = Json::object();
  Writer writer{fields};
  visit_fields(scores, writer, &scores);
  return fields;
}

void read_adaptation(const Place& root, RunRecord& record) {
  read(root, "pi_target_origin", record.adaptation);
  read(root, "err_recons_source", record.denoising);
  if (!root.has("scores")) return;
  root.at("scores").each([&](const Place& entry) { entry.read(record.scores.emplace_back()); });
}

}  // namespace nw::record
