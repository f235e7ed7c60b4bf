// Arrow's IPC files and streams, and Feather of version 2, which is the file format packed by LZ4
// or zstd. Several threads read a column each. Lists, structs and the like are left out.
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "nw/base/parallel.hpp"

#include "io/arrow/column.hpp"
#include "io/arrow/messages.hpp"
#include "io/failure.hpp"
#include "io/formats/left_out.hpp"
#include "io/formats/read_table.hpp"

namespace nw::io {
namespace {

using arrow::Batch;
using arrow::ColumnPlace;
using arrow::Field;

/// The values of the dictionaries, by their id.
using Dictionaries = std::map<std::int64_t, std::shared_ptr<const RawColumn>>;

/// Moves `place` behind a field and all that is nested in it.
void pass(const Field& field, const Batch& batch, ColumnPlace& place, const std::string& file) {
  ++place.node;
  place.buffer += field.coded ? 2 : field.buffers;
  if (field.coded) return;  // its children are those of the dictionary
  if (field.storage == arrow::Storage::text_view) {
    if (place.view >= batch.views.size()) {
      arrow::refuse_metadata(file, "views without their buffers");
    }
    place.buffer += batch.views[place.view++];
  }
  for (const Field& child : field.children) pass(child, batch, place, file);
}

const Field* field_of_dictionary(const std::vector<Field>& fields, std::int64_t id) {
  for (const Field& field : fields) {
    if (field.coded && field.dictionary == id && field.flat()) return &field;
  }
  return nullptr;  // one of a nested column, or none's
}

/// Puts the values of a dictionary batch behind those it adds to.
RawColumn joined(const RawColumn& first, const RawColumn& second) {
  RawColumn all = first;
  all.numbers.insert(all.numbers.end(), second.numbers.begin(), second.numbers.end());
  const auto shift = static_cast<std::uint32_t>(first.levels.size());
  for (const std::uint32_t code : second.codes) {
    all.codes.push_back(code == RawColumn::kMissing ? code : code + shift);
  }
  all.levels.insert(all.levels.end(), second.levels.begin(), second.levels.end());
  all.inexact = first.inexact || second.inexact;
  return all;
}

/// The dictionaries as each record batch finds them.
std::vector<Dictionaries> read_dictionaries(const ByteSource& source,
                                            const arrow::Messages& messages,
                                            const LoadOptions& options) {
  std::vector<Dictionaries> by_batch(messages.batches.size());
  Dictionaries now;
  std::size_t next = 0;
  std::uint64_t cells = 0;
  const auto reach = [&](std::size_t batch) {
    for (; next < batch; ++next) by_batch[next] = now;
  };
  for (const arrow::DictionaryBatch& dictionary : messages.dictionaries) {
    // In a file the dictionaries may stand anywhere; in a stream each holds from its place on.
    if (messages.is_stream) reach(dictionary.before);
    const Field* const field = field_of_dictionary(messages.fields, dictionary.id);
    if (field == nullptr) continue;
    Field values = *field;
    values.coded = false;
    arrow::ColumnReader reader(source, values, options);
    reader.add(dictionary.batch, {}, nullptr);
    RawColumn column = reader.finish();
    auto& known = now[dictionary.id];
    if (dictionary.adds && known != nullptr) column = joined(*known, column);
    cells += column.codes.size() + column.numbers.size();
    require_table_fits(cells, 1, options, source.name());
    known = std::make_shared<const RawColumn>(std::move(column));
  }
  reach(messages.batches.size());
  return by_batch;
}

}  // namespace

RawTable read_raw_arrow(const ByteSource& source, const LoadOptions& options) {
  const arrow::Messages messages = arrow::read_messages(source, options);
  RawTable table{.source = source.name(), .rows = 0, .columns = {}, .has_names = true, .notes = {}};
  LeftOut left_out;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < messages.fields.size(); ++i) {
    const Field& field = messages.fields[i];
    if (field.flat()) {
      chosen.push_back(i);
    } else {
      left_out.nested.push_back(field.name);
    }
  }
  for (const Batch& batch : messages.batches) {
    table.rows += batch.rows;
    require_table_fits(table.rows, chosen.size(), options, source.name());
  }
  if (table.rows == 0) fail(source.name(), "holds no rows");

  std::vector<std::vector<ColumnPlace>> places(messages.batches.size());
  for (std::size_t b = 0; b < places.size(); ++b) {
    ColumnPlace place;
    for (const Field& field : messages.fields) {
      places[b].push_back(place);
      pass(field, messages.batches[b], place, source.name());
    }
  }
  const std::vector<Dictionaries> dictionaries = read_dictionaries(source, messages, options);
  const auto dictionary_of = [&](std::size_t batch, const Field& field) -> const RawColumn* {
    const auto found = dictionaries[batch].find(field.dictionary);
    return !field.coded || found == dictionaries[batch].end() ? nullptr : found->second.get();
  };

  std::vector<std::optional<RawColumn>> columns(chosen.size());
  parallel_for(resolve_threads(options.threads), chosen.size(), 1,
               [&](std::size_t begin, std::size_t end, int) {
                 for (std::size_t j = begin; j < end; ++j) {
                   const Field& field = messages.fields[chosen[j]];
                   arrow::ColumnReader reader(source, field, options);
                   for (std::size_t b = 0; b < messages.batches.size(); ++b) {
                     reader.add(messages.batches[b], places[b][chosen[j]], dictionary_of(b, field));
                   }
                   columns[j] = reader.finish();
                 }
               });
  for (std::optional<RawColumn>& column : columns) {
    take_or_leave(std::move(*column), table, left_out);
  }
  left_out.note_in(table);
  return table;
}

}  // namespace nw::io
