#include "report/wording.hpp"

#include <cmath>
#include <cstdio>

#include "nw/base/number_text.hpp"

#include "report/markup.hpp"

namespace nw::report {

using record::RunRecord;

std::string headline_of_data(const RunRecord& record) {
  if (!record.title.empty()) return record.title;
  if (record.data.empty()) {
    return "nw " + (record.command.empty() ? std::string(to_string(record.kind)) : record.command);
  }
  if (record.data.size() == 1) return record.data[0].name;
  return record.data[0].name + " against " + record.data[1].name;
}

std::string answer(const RunRecord& record) {
  if (!record.sentence.empty()) return record.sentence;
  if (record.compare) return verdict_words(record.compare->verdict) + ".";
  if (record.mode_choice) {
    return "The curve of NW(k) points to " + std::to_string(record.mode_choice->k) + " modes.";
  }
  if (record.distance) {
    return "The Wasserstein distance is " + format_number(record.distance->distance) + ".";
  }
  return "Run of " + headline_of_data(record) + ".";
}

SetNames set_names(const RunRecord& record) {
  if (record.kind == record::RunKind::training && record.data.size() < 2) {
    return {"the data", "the model"};
  }
  return {"X", "Y"};
}

std::string verdict_words(Verdict verdict) {
  switch (verdict) {
    case Verdict::same:
      return "No difference found";
    case Verdict::proportions:
      return "Proportions changed";
    case Verdict::components:
      return "Components changed";
    case Verdict::undecided:
      break;
  }
  return "Undecided";
}

std::string status_words(MemberStatus status) {
  switch (status) {
    case MemberStatus::shared:
      return "shared";
    case MemberStatus::moved:
      return "shifted";
    case MemberStatus::new_in_y:
      return "new in Y";
    case MemberStatus::missing_from_y:
      break;
  }
  return "missing from Y";
}

std::string p_value(const std::optional<double>& p) {
  if (!p || !std::isfinite(*p)) return "–";
  if (*p < 0.001) return "< 0.001";
  return format_number(*p, *p < 0.1 ? 2 : 3);
}

std::string metric_text(const record::Metric& metric, double value) {
  const bool share = metric.name.starts_with("pi_") || metric.name.starts_with("share_");
  return share ? percent(value) : format_number(value, 3);
}

std::string grouped(std::size_t count) {
  std::string digits = std::to_string(count), out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += "\u202f";
    out += digits[i];
  }
  return out;
}

std::string counted(std::size_t count, const std::string& thing) {
  return grouped(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds)) return "–";
  if (seconds < 120.0) return format_number(seconds, 3) + " s";
  const long long whole = std::llround(seconds);
  return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
}

std::string component_name(const record::CompareResult& result, std::size_t j) {
  if (j < result.components.size() && !result.components[j].name.empty()) {
    return result.components[j].name.text();
  }
  return std::to_string(j + 1);
}

std::string setting_text(const record::SettingValue& value) {
  struct Visitor {
    std::string operator()(bool held) const { return held ? "yes" : "no"; }
    std::string operator()(std::int64_t held) const { return std::to_string(held); }
    std::string operator()(double held) const { return format_number(held, 8); }
    std::string operator()(const std::string& held) const { return held; }
  };
  return std::visit(Visitor{}, value);
}

}  // namespace nw::report
