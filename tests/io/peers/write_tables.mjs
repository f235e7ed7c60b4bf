// Writes the columns of columns.mjs by every peer, encoding and codec that there is, and what nw must
// read from each file:  node write_tables.mjs FOLDER
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as arrow from 'apache-arrow'
import { parquetWriteBuffer } from 'hyparquet-writer'
import * as parquet from 'parquet-wasm/node'
import { columns, kRows, seconds } from './columns.mjs'
import { codecs, write as writePacked } from './packed_arrow.mjs'

const folder = process.argv[2]
const manifest = { rows: kRows, expected: {}, files: [] }

for (const [name, values] of Object.entries(columns)) {
  const unit = seconds[name] ?? (value => value)
  manifest.expected[name] = values.map(value => {
    if (value === null || typeof value === 'string') return value
    return unit(Number(value))
  })
}

function put(file, bytes, found, note) {
  writeFileSync(join(folder, file), bytes)
  manifest.files.push({ file, columns: found, note: note ?? '' })
}

// ---------------------------------------------------------------- Arrow

const milliseconds = name => columns[name].map(v => (v === null ? null : seconds[name](v) * 1000))
function decimals(values) {
  const whole = values.map(v => (v === null ? null : Math.round(v * 100)))
  return whole.map(v => {
    if (v === null) return null
    const bits = BigInt.asUintN(128, BigInt(v))
    return new Uint32Array([0, 32, 64, 96].map(shift => Number((bits >> BigInt(shift)) & 0xffffffffn)))
  })
}

const types = {
  flag: new arrow.Bool(), always: new arrow.Bool(), int8: new arrow.Int8(), int16: new arrow.Int16(),
  int32: new arrow.Int32(), int64: new arrow.Int64(), id64: new arrow.Int64(), uint8: new arrow.Uint8(),
  uint32: new arrow.Uint32(), uint64: new arrow.Uint64(), step: new arrow.Int32(),
  float: new arrow.Float32(), double: new arrow.Float64(), few: new arrow.Float64(),
  all_missing: new arrow.Float64(), word: new arrow.Utf8(), text: new arrow.Utf8(),
}

/// An Arrow table cut into batches of `size` rows, and which expected column each of its columns is.
function arrowTable(size, more = {}) {
  const vectors = {}, found = {}
  const add = (name, expected, values, type) => {
    vectors[name] = arrow.vectorFromArray(values, type)
    found[name] = expected
  }
  for (const [name, type] of Object.entries(types)) add(name, name, columns[name], type)
  add('date', 'date', milliseconds('date'), new arrow.DateDay())
  add('at_s', 'second', milliseconds('second'), new arrow.TimestampSecond())
  add('at_ms', 'second', milliseconds('second'), new arrow.TimestampMillisecond())
  add('at_us', 'second', milliseconds('second'), new arrow.TimestampMicrosecond())
  add('at_ns', 'second', milliseconds('second'), new arrow.TimestampNanosecond())
  add('decimal', 'few', decimals(columns.few), new arrow.Decimal(2, 20))
  add('category', 'word', columns.word, new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32()))
  for (const [name, [expected, type]] of Object.entries(more)) {
    add(name, expected, expected in seconds ? milliseconds(expected) : columns[expected], type)
  }
  const whole = new arrow.Table(vectors)
  const parts = []
  for (let at = 0; at < kRows; at += size) parts.push(whole.slice(at, at + size))
  return { table: parts.length === 1 ? whole : parts[0].concat(...parts.slice(1)), found }
}

// What Parquet has no name for.
const large = {
  date_ms: ['date', new arrow.DateMillisecond()],
  large_text: ['text', new arrow.LargeUtf8()],
  small_category: ['word', new arrow.Dictionary(new arrow.Utf8(), new arrow.Int8())],
}
for (const size of [kRows, 300]) {
  const { table, found } = arrowTable(size, large)
  put(`arrow_file_${size}.arrow`, arrow.tableToIPC(table, 'file'), found)
  put(`arrow_stream_${size}.arrows`, arrow.tableToIPC(table, 'stream'), found)
}

for (const [name, codec] of Object.entries(codecs)) {
  const { table, found } = arrowTable(300, large)
  put(`feather_${name}.feather`, writePacked(table.batches, codec, 'file'), found)
  put(`stream_${name}.arrows`, writePacked(table.batches, codec, 'stream'), found)
}

// ---------------------------------------------------------------- Parquet by parquet-wasm

function byParquetWasm(file, change, size = 300) {
  const { table, found } = arrowTable(kRows)
  const builder = new parquet.WriterPropertiesBuilder()
    .setMaxRowGroupSize(size).setDataPageSizeLimit(700).setWriteBatchSize(64)
  const bytes = parquet.writeParquet(parquet.Table.fromIPCStream(arrow.tableToIPC(table, 'stream')),
    change(builder).build())
  put(file, bytes, found)
}

const { Compression, Encoding, WriterVersion } = parquet
for (const codec of ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD', 'LZ4_RAW', 'LZ4']) {
  for (const version of ['V1', 'V2']) {
    for (const dictionary of [true, false]) {
      byParquetWasm(`wasm_${codec}_${version}_${dictionary ? 'dictionary' : 'plain'}.parquet`, builder =>
        builder.setCompression(Compression[codec]).setWriterVersion(WriterVersion[version])
          .setDictionaryEnabled(dictionary))
    }
  }
}
byParquetWasm('wasm_encodings.parquet', builder => {
  builder = builder.setDictionaryEnabled(false).setCompression(Compression.SNAPPY)
  for (const name of ['int8', 'int16', 'int32', 'int64', 'id64', 'uint8', 'uint32', 'uint64', 'step', 'date', 'at_us']) {
    builder = builder.setColumnEncoding(name, Encoding.DELTA_BINARY_PACKED)
  }
  builder = builder.setColumnEncoding('word', Encoding.DELTA_LENGTH_BYTE_ARRAY)
  builder = builder.setColumnEncoding('text', Encoding.DELTA_BYTE_ARRAY)
  builder = builder.setColumnEncoding('flag', Encoding.RLE)
  for (const name of ['float', 'double', 'at_s']) {
    builder = builder.setColumnEncoding(name, Encoding.BYTE_STREAM_SPLIT)
  }
  return builder
})
byParquetWasm('wasm_one_group.parquet', builder => builder.setCompression(Compression.ZSTD), 1 << 20)

// ---------------------------------------------------------------- Parquet by hyparquet-writer

function byHyparquet(file, options) {
  const plain = { INT32: ['int8', 'int16', 'int32', 'step'], INT64: ['int64', 'id64'], FLOAT: ['float'],
    DOUBLE: ['double', 'few', 'all_missing'], BOOLEAN: ['flag', 'always'], STRING: ['word', 'text'] }
  const columnData = [], found = {}
  for (const [type, names] of Object.entries(plain)) {
    for (const name of names) {
      // This writer's deltas of identifiers take 65 bits, which the format does not have.
      const encoding = name === 'id64' ? undefined : options.encodings?.[type]
      columnData.push({ name, data: columns[name], type, ...(encoding ? { encoding } : {}) })
      found[name] = name
    }
  }
  columnData.push({ name: 'at_ms', type: 'TIMESTAMP',
    data: columns.second.map(v => (v === null ? null : new Date(v * 1000))) })
  found.at_ms = 'second'
  columnData.push({ name: 'half', type: 'FLOAT16', data: columns.few })
  found.half = 'few'
  put(file, new Uint8Array(parquetWriteBuffer({ columnData, codec: options.codec, pageSize: 2000,
    rowGroupSize: [100, 400], compressors: { GZIP: bytes => gzipSync(bytes) } })), found)
}

for (const codec of ['UNCOMPRESSED', 'SNAPPY', 'GZIP']) byHyparquet(`hyparquet_${codec}.parquet`, { codec })
byHyparquet('hyparquet_delta.parquet', { codec: 'SNAPPY', encodings: { INT32: 'DELTA_BINARY_PACKED',
  INT64: 'DELTA_BINARY_PACKED', STRING: 'DELTA_BYTE_ARRAY', BOOLEAN: 'RLE', DOUBLE: 'BYTE_STREAM_SPLIT' } })
byHyparquet('hyparquet_lengths.parquet', { codec: 'UNCOMPRESSED',
  encodings: { STRING: 'DELTA_LENGTH_BYTE_ARRAY', FLOAT: 'BYTE_STREAM_SPLIT', INT32: 'PLAIN' } })

const decimal = (name, element) => ({ name, converted_type: 'DECIMAL', scale: 2, precision: 9,
  repetition_type: 'REQUIRED', ...element })
put('hyparquet_decimals.parquet', new Uint8Array(parquetWriteBuffer({
  columnData: ['fixed', 'narrow', 'wide'].map(name => ({ name, data: columns.few })),
  schema: [{ name: 'root', num_children: 3 },
    decimal('fixed', { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 5 }),
    decimal('narrow', { type: 'INT32' }), decimal('wide', { type: 'INT64' })],
})), { fixed: 'few', narrow: 'few', wide: 'few' })

writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
