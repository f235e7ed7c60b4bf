#include "io/formats/workbook.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "io/failure.hpp"
#include "io/formats/read_table.hpp"
#include "io/formats/xml.hpp"

namespace nw::io {
namespace {

using Event = XmlScanner::Event;

int number_of(const std::string& text) {
  int value = -1;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Numbers of formats that every workbook has (18.8.30) and that show a day. Formats of times alone
/// stay numbers: fractions of a day.
bool is_built_in_date(int format) {
  return (format >= 14 && format <= 17) || format == 22 || (format >= 27 && format <= 36) ||
         (format >= 50 && format <= 58);
}

/// Whether a format's code shows a day: y or d outside of quotes, brackets and escapes.
bool is_date_code(std::string_view code) {
  for (std::size_t i = 0; i < code.size(); ++i) {
    const char c = code[i];
    if (c == '\\' || c == '_' || c == '*') {
      ++i;
    } else if (c == '"' || c == '[') {
      i = std::min(code.find(c == '"' ? '"' : ']', i + 1), code.size());
    } else if (c == 'y' || c == 'Y' || c == 'd' || c == 'D') {
      return true;
    }
  }
  return false;
}

/// Targets are relative to xl/, or begin at the root with a slash.
std::string part_of(const std::string& target) {
  return target.starts_with('/') ? target.substr(1) : "xl/" + target;
}

std::map<std::string, std::string> read_relations(const WorkbookParts& parts) {
  constexpr std::string_view kPart = "xl/_rels/workbook.xml.rels";
  std::map<std::string, std::string> targets;
  if (!parts.has(kPart)) return targets;
  const std::string text = parts.read(kPart);
  XmlScanner xml(text, parts.called(kPart));
  for (Event event = xml.next(); event != Event::done; event = xml.next()) {
    if (event == Event::start && xml.name() == "Relationship") {
      targets[xml.attribute("Id")] = part_of(xml.attribute("Target"));
    }
  }
  return targets;
}

/// Strings may be made of runs with fonts of their own; how they are spoken is left out.
std::vector<std::string> read_shared_strings(const WorkbookParts& parts) {
  constexpr std::string_view kPart = "xl/sharedStrings.xml";
  std::vector<std::string> strings;
  if (!parts.has(kPart)) return strings;
  const std::string text = parts.read(kPart);
  XmlScanner xml(text, parts.called(kPart));
  for (Event event = xml.next(); event != Event::done; event = xml.next()) {
    if (event != Event::start) continue;
    if (xml.name() == "si") {
      strings.emplace_back();
    } else if (xml.name() == "rPh") {
      xml.skip_element();
    } else if (xml.name() == "t" && !strings.empty()) {
      strings.back() += xml.element_text();
    }
  }
  return strings;
}

std::vector<bool> read_date_styles(const WorkbookParts& parts) {
  constexpr std::string_view kPart = "xl/styles.xml";
  std::vector<bool> dates;
  if (!parts.has(kPart)) return dates;
  const std::string text = parts.read(kPart);
  XmlScanner xml(text, parts.called(kPart));
  std::map<int, bool> own;
  bool in_cells = false;
  for (Event event = xml.next(); event != Event::done; event = xml.next()) {
    if (xml.name() == "cellXfs" && event != Event::text) in_cells = event == Event::start;
    if (event != Event::start) continue;
    if (xml.name() == "numFmt") {
      own[number_of(xml.attribute("numFmtId"))] = is_date_code(xml.attribute("formatCode"));
    } else if (xml.name() == "xf" && in_cells) {
      const int format = number_of(xml.attribute("numFmtId"));
      const auto found = own.find(format);
      dates.push_back(found == own.end() ? is_built_in_date(format) : found->second);
    }
  }
  return dates;
}

}  // namespace

WorkbookParts::WorkbookParts(const ByteSource& source, const LoadOptions& options)
    : source_(source), options_(options), entries_(read_zip_directory(source)) {}

bool WorkbookParts::has(std::string_view name) const {
  return std::ranges::find(entries_, name, &ZipEntry::name) != entries_.end();
}

std::string WorkbookParts::called(std::string_view name) const {
  return concat(source_.name(), "[", name, "]");
}

std::string WorkbookParts::read(std::string_view name) const {
  const auto entry = std::ranges::find(entries_, name, &ZipEntry::name);
  if (entry == entries_.end()) {
    fail(source_.name(), "damaged workbook: it has no part ", shown(name),
         "; save it again, or as CSV");
  }
  return read_rest(*open_zip_entry(source_, *entry, called(name)), options_.max_unpacked_bytes);
}

Workbook read_workbook(const WorkbookParts& parts) {
  constexpr std::string_view kPart = "xl/workbook.xml";
  Workbook workbook;
  const auto targets = read_relations(parts);
  const std::string text = parts.read(kPart);
  XmlScanner xml(text, parts.called(kPart));
  for (Event event = xml.next(); event != Event::done; event = xml.next()) {
    if (event != Event::start) continue;
    if (xml.name() == "workbookPr") {
      const std::string flag = xml.attribute("date1904");
      workbook.from_1904 = flag == "1" || flag == "true";
    } else if (xml.name() == "sheet") {
      const auto target = targets.find(xml.attribute("id"));
      if (target == targets.end() || !parts.has(target->second)) continue;
      ++workbook.sheets;
      const std::string state = xml.attribute("state");
      if (!workbook.sheet_part.empty() || state == "hidden" || state == "veryHidden") continue;
      workbook.sheet_part = target->second;
      workbook.sheet_name = xml.attribute("name");
    }
  }
  if (workbook.sheet_part.empty())
    fail(parts.file(), "is a workbook without a sheet; save it again, or as CSV");
  workbook.shared_strings = read_shared_strings(parts);
  workbook.date_styles = read_date_styles(parts);
  return workbook;
}

}  // namespace nw::io
