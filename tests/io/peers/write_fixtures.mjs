// Writes the small Parquet and Arrow files that are kept in fuzz/corpus, all of the same six rows:
//   node write_fixtures.mjs ../../../fuzz/corpus        (from a folder with the peers installed)
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as arrow from 'apache-arrow'
import { parquetWriteBuffer } from 'hyparquet-writer'
import * as parquet from 'parquet-wasm/node'
import { codecs, write as writePacked } from './packed_arrow.mjs'

const corpus = process.argv[2]
function put(parser, name, bytes) {
  mkdirSync(join(corpus, parser), { recursive: true })
  writeFileSync(join(corpus, parser, name), bytes)
}

const day = 86400000
const rows = {
  flag: [true, false, null, true, true, false],
  count: [1, -2, 3, null, 5, 2147483647],
  id: [1n, 2n, 3n, 4n, 5n, 9007199254740993n],
  x: [0.5, null, -1.25, 1e300, 0, 3],
  word: ['red', 'green', 'red', null, 'blue', 'red'],
}
const types = { flag: new arrow.Bool(), count: new arrow.Int32(), id: new arrow.Int64(), x: new arrow.Float64(),
  word: new arrow.Utf8() }
const days = [0, 1, 19723, null, -1, 5]
const vectors = {}
for (const [name, type] of Object.entries(types)) vectors[name] = arrow.vectorFromArray(rows[name], type)
vectors.day = arrow.vectorFromArray(days.map(d => (d === null ? null : d * day)), new arrow.DateDay())
vectors.at = arrow.vectorFromArray(days.map(d => (d === null ? null : d * day + 1500)), new arrow.TimestampMillisecond())
vectors.kind = arrow.vectorFromArray(rows.word, new arrow.Dictionary(new arrow.Utf8(), new arrow.Int8()))
const table = new arrow.Table(vectors)

const { Compression, Encoding, EnabledStatistics, WriterVersion } = parquet
function byParquetWasm(name, change) {
  const builder = new parquet.WriterPropertiesBuilder().setStatisticsEnabled(EnabledStatistics.None)
  // The Arrow schema would be half of the file.
  const wasm = parquet.Table.fromIPCStream(arrow.tableToIPC(table, 'stream'))
  put('parquet', name, parquet.writeParquet(wasm, change(builder).build()))
}
byParquetWasm('snappy_dictionary', b => b.setCompression(Compression.SNAPPY))
byParquetWasm('zstd_version_2', b => b.setCompression(Compression.ZSTD).setWriterVersion(WriterVersion.V2)
  .setMaxRowGroupSize(4))
byParquetWasm('lz4_encodings', b => b.setCompression(Compression.LZ4_RAW).setDictionaryEnabled(false)
  .setColumnEncoding('count', Encoding.DELTA_BINARY_PACKED).setColumnEncoding('id', Encoding.DELTA_BINARY_PACKED)
  .setColumnEncoding('x', Encoding.BYTE_STREAM_SPLIT).setColumnEncoding('word', Encoding.DELTA_BYTE_ARRAY)
  .setColumnEncoding('kind', Encoding.DELTA_LENGTH_BYTE_ARRAY).setColumnEncoding('flag', Encoding.RLE))
byParquetWasm('plain', b => b.setCompression(Compression.UNCOMPRESSED).setDictionaryEnabled(false))

const dates = days.map(d => (d === null ? null : new Date(d * day)))
const stamps = days.map(d => (d === null ? null : new Date(d * day + 1500)))
put('parquet', 'gzip_by_hyparquet', new Uint8Array(parquetWriteBuffer({
  columnData: Object.entries({ ...rows, day: dates, at: stamps, kind: rows.word })
    .map(([name, data]) => ({ name, data })),
  schema: [{ name: 'root', num_children: 8 },
    { name: 'flag', type: 'BOOLEAN', repetition_type: 'OPTIONAL' },
    { name: 'count', type: 'INT32', repetition_type: 'OPTIONAL' },
    { name: 'id', type: 'INT64', repetition_type: 'REQUIRED' },
    { name: 'x', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
    { name: 'word', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
    { name: 'day', type: 'INT32', converted_type: 'DATE', repetition_type: 'OPTIONAL' },
    { name: 'at', type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', repetition_type: 'OPTIONAL' },
    { name: 'kind', type: 'BYTE_ARRAY', converted_type: 'ENUM', repetition_type: 'OPTIONAL' }],
  codec: 'GZIP', statistics: false, compressors: { GZIP: bytes => gzipSync(bytes) },
})))

put('arrow', 'file', arrow.tableToIPC(table, 'file'))
put('arrow', 'stream', arrow.tableToIPC(table, 'stream'))
const halves = table.slice(0, 4).concat(table.slice(4, 6))
for (const [name, codec] of Object.entries(codecs)) {
  put('arrow', `${name}_two_batches`, writePacked(halves.batches, codec, 'file'))
}
