// The words that enums have in JSON, in both directions.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "nw/record/run_record.hpp"

namespace nw::record {

template <typename Enum, std::size_t Count>
using NameTable = std::array<std::pair<Enum, const char*>, Count>;

inline constexpr NameTable<RunKind, 4> kRunKindNames{{{RunKind::distance, "distance"},
                                                      {RunKind::compare, "compare"},
                                                      {RunKind::choose_k, "choose-k"},
                                                      {RunKind::training, "training"}}};
inline constexpr NameTable<Verdict, 4> kVerdictNames = [] {
  NameTable<Verdict, 4> names{};
  constexpr auto kChoices = choices(Verdict{});
  for (std::size_t i = 0; i < kChoices.size(); ++i)
    names[i] = {kChoices[i].value, kChoices[i].name};
  return names;
}();
inline constexpr NameTable<MemberStatus, 4> kStatusNames{
    {{MemberStatus::shared, "shared"},
     {MemberStatus::moved, "shifted"},
     {MemberStatus::new_in_y, "new-in-y"},
     {MemberStatus::missing_from_y, "missing-from-y"}}};

template <typename Table>
[[nodiscard]] constexpr const char* name_of(const Table& table,
                                            typename Table::value_type::first_type value) {
  for (const auto& [candidate, name] : table) {
    if (candidate == value) return name;
  }
  return "";
}

}  // namespace nw::record
