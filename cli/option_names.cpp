#include "cli/option_names.hpp"

#include <algorithm>
#include <regex>

namespace nw::cli {

std::string with_option_names(const std::string& given) {
  static const std::regex kQuoted("`([a-z][a-z_]*)`");
  std::string text;
  std::size_t end = 0;
  for (std::sregex_iterator found(given.begin(), given.end(), kQuoted), none; found != none;
       ++found) {
    std::string name = (*found)[1];
    std::ranges::replace(name, '_', '-');
    const auto begin = static_cast<std::size_t>(found->position());
    text += given.substr(end, begin - end) + "--" + name;
    end = begin + static_cast<std::size_t>(found->length());
  }
  return text + given.substr(end);
}

void name_options(record::RunRecord& record) {
  for (std::string& note : record.details) note = with_option_names(note);
  for (std::string& warning : record.warnings) warning = with_option_names(warning);
}

}  // namespace nw::cli
