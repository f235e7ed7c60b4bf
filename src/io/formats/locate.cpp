#include "io/formats/locate.hpp"

#include <algorithm>
#include <vector>

#include "io/failure.hpp"
#include "io/formats/foreign_format.hpp"
#include "io/recognise.hpp"

namespace nw::io {
namespace {

/// Not folders, nor what file managers leave behind.
bool counts(const ZipEntry& entry) {
  const std::string_view name = entry.name;
  const std::size_t slash = name.find_last_of('/');
  const std::string_view last = slash == std::string_view::npos ? name : name.substr(slash + 1);
  return !last.empty() && !name.starts_with("__MACOSX/") && !last.starts_with(".") &&
         last != "Thumbs.db" && last != "desktop.ini";
}

bool holds(const std::vector<ZipEntry>& entries, std::string_view name) {
  return std::ranges::find(entries, name, &ZipEntry::name) != entries.end();
}

void refuse_other_archives(const std::vector<ZipEntry>& entries, const std::string& file) {
  if (holds(entries, "content.xml") && holds(entries, "mimetype")) {
    fail(file, "this is an OpenDocument file (LibreOffice); save it as CSV or XLSX");
  }
  if (holds(entries, "xl/workbook.bin")) {
    fail(file, "this is a binary Excel workbook (.xlsb); save it as CSV or XLSX");
  }
  if (holds(entries, "word/document.xml") || holds(entries, "ppt/presentation.xml")) {
    fail(file, "this is an Office document without sheets; save its table as CSV");
  }
}

[[noreturn]] void refuse_several(const std::vector<ZipEntry>& entries, const std::string& file) {
  constexpr std::size_t kShown = 5;
  std::string names;
  for (std::size_t i = 0; i < std::min(kShown, entries.size()); ++i) {
    names += (i == 0 ? "" : ", ") + shown(entries[i].name);
  }
  fail(file, "holds ", entries.size(), " files (", names, entries.size() > kShown ? ", ..." : "",
       "); nw reads a ZIP file of one table: unpack it and choose a file");
}

Located look_into_zip(const ByteSource& source) {
  const std::string& file = source.name();
  std::vector<ZipEntry> entries = read_zip_directory(source);
  if (holds(entries, "xl/workbook.xml")) return {.format = Format::xlsx, .entry = {}};
  const auto array = [](const ZipEntry& entry) { return entry.name.ends_with(".npy"); };
  if (plain_name(file).ends_with(".npz") || std::ranges::any_of(entries, array)) {
    return {.format = Format::npz, .entry = {}};
  }
  refuse_other_archives(entries, file);
  std::erase_if(entries, [](const ZipEntry& entry) { return !counts(entry); });
  if (entries.empty()) fail(file, "is a ZIP file that holds no files");
  if (entries.size() > 1) refuse_several(entries, file);
  return {.format = Format::automatic, .entry = std::move(entries.front())};
}

}  // namespace

std::string Located::plain_name_in(const ByteSource& source) const {
  return plain_name(entry ? entry->name : source.name());
}

Located locate(const ByteSource& source, const LoadOptions& options) {
  std::string start = first_bytes_of(source);
  Located located{.format = options.format, .entry = {}};
  const bool archive = options.format == Format::npz || options.format == Format::xlsx;
  if (is_zip(start) && !archive) {
    if (is_gzip(source)) fail(source.name(), "is packed twice; unpack it with gunzip first");
    located = look_into_zip(source);
    if (!located.entry) return located;
    const auto stream = open_located(source, located);
    start.assign(kFirstBytes, '\0');
    start.resize(stream->read(start.data(), start.size()));
    if (is_zip(start) || start.starts_with("\x1f\x8b")) {
      fail(stream->name(), "is packed twice; unpack the archive first");
    }
    if (options.format != Format::automatic) located.format = options.format;
  }
  if (located.format != Format::automatic) return located;
  const std::string name =
      located.entry ? concat(source.name(), "[", located.entry->name, "]") : source.name();
  refuse_foreign(start, name);
  located.format = recognise(start, located.plain_name_in(source));
  return located;
}

std::unique_ptr<ByteStream> open_located(const ByteSource& source, const Located& located) {
  if (!located.entry) return content_of(source);
  return open_zip_entry(source, *located.entry,
                        concat(source.name(), "[", located.entry->name, "]"));
}

}  // namespace nw::io
