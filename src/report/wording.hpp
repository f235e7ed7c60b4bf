// How numbers and results are put into words on a page.
#pragma once

#include <optional>
#include <string>

#include "nw/record/run_record.hpp"

namespace nw::report {

/// "january.csv against june.csv", the title of the record, or what it was made by.
[[nodiscard]] std::string headline_of_data(const record::RunRecord& record);

/// The record's sentence, or one made from its verdict, its k or its distance.
[[nodiscard]] std::string answer(const record::RunRecord& record);

/// What the two sets of a figure are called: X and Y, or the data of a training run and what its
/// model generates.
struct SetNames {
  std::string x, y;
};
[[nodiscard]] SetNames set_names(const record::RunRecord& record);

/// Two or three words for a verdict, such as "Proportions changed".
[[nodiscard]] std::string verdict_words(Verdict verdict);

[[nodiscard]] std::string status_words(MemberStatus status);

/// "0.042", "< 0.001"; a dash when there is none.
[[nodiscard]] std::string p_value(const std::optional<double>& p);

/// A value of a metric, such as its own or its expected one: shares of classes as percentages, so
/// that those next to nothing say so.
[[nodiscard]] std::string metric_text(const record::Metric& metric, double value);

/// "1 000" with thin spaces between groups of three digits.
[[nodiscard]] std::string grouped(std::size_t count);

/// "1 row", "1 000 rows".
[[nodiscard]] std::string counted(std::size_t count, const std::string& thing);

/// "4.2 s", "3 min 20 s".
[[nodiscard]] std::string duration(double seconds);

/// Name of component j: its own, or its number counted from 1.
[[nodiscard]] std::string component_name(const record::CompareResult& result, std::size_t j);

/// A setting's value as text.
[[nodiscard]] std::string setting_text(const record::SettingValue& value);

}  // namespace nw::report
