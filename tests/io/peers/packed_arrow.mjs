// Arrow files whose buffers are packed by LZ4 or zstd.
import * as arrow from 'apache-arrow'
import * as lz4 from 'lz4js'
import * as zstd from '@bokuweb/zstd-wasm'

await zstd.init()
const { LZ4_FRAME, ZSTD } = arrow.CompressionType
arrow.compressionRegistry.set(LZ4_FRAME, { encode: b => lz4.compress(b), decode: b => lz4.decompress(b) })
arrow.compressionRegistry.set(ZSTD, { encode: b => zstd.compress(b, 3), decode: b => zstd.decompress(b) })
export const codecs = { lz4: LZ4_FRAME, zstd: ZSTD }

// The writer puts the packed size of a buffer before it, where the format wants the unpacked one.
function corrected(writer) {
  const compress = writer._compressBodyBuffers.bind(writer)
  writer._compressBodyBuffers = buffers => {
    const packed = compress(buffers)
    buffers.forEach((buffer, i) => {
      const prefix = packed.buffers[2 * i]
      if (prefix.length !== 8) return
      const view = new DataView(prefix.buffer, prefix.byteOffset)
      if (view.getBigInt64(0, true) !== -1n) view.setBigInt64(0, BigInt(buffer.byteLength), true)
    })
    return packed
  }
  return writer
}

export function write(batches, compressionType, kind) {
  const Writer = kind === 'file' ? arrow.RecordBatchFileWriter : arrow.RecordBatchStreamWriter
  const writer = corrected(new Writer({ compressionType }))
  writer.writeAll(batches)
  return writer.finish().toUint8Array(true)
}
