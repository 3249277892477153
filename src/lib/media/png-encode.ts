import { crc32, deflateSync } from 'node:zlib'
import type { Dimensions } from './dimensions'

/** Three bytes a pixel, row by row from the top. */
export interface RgbPicture extends Dimensions {
  readonly rgb: Uint8Array
}

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const eightBitRgb = [8, 2, 0, 0, 0]
const differenceToLeft = 1

/** Encodes a picture as PNG. */
export function encodePng({ width, height, rgb }: RgbPicture): Uint8Array {
  const header = new DataView(new ArrayBuffer(13))
  header.setUint32(0, width)
  header.setUint32(4, height)
  for (const [index, byte] of eightBitRgb.entries()) header.setUint8(8 + index, byte)
  const data = deflateSync(filtered(rgb, width * 3))
  return new Uint8Array(
    Buffer.concat([
      signature,
      chunk('IHDR', new Uint8Array(header.buffer)),
      chunk('IDAT', data),
      chunk('IEND', new Uint8Array(0)),
    ]),
  )
}

/** Filters each row as differences to the pixel on the left: soft colours hardly vary, and compress well. */
function filtered(rgb: Uint8Array, rowBytes: number): Uint8Array {
  const rows = rgb.length / rowBytes
  const out = new Uint8Array(rgb.length + rows)
  for (let row = 0; row < rows; row++) {
    const start = row * (rowBytes + 1)
    out[start] = differenceToLeft
    for (let index = 0; index < rowBytes; index++) {
      const at = row * rowBytes + index
      out[start + 1 + index] = (rgb[at] ?? 0) - (index < 3 ? 0 : (rgb[at - 3] ?? 0))
    }
  }
  return out
}

function chunk(type: string, content: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const framed = new DataView(new ArrayBuffer(8))
  framed.setUint32(0, content.length)
  framed.setUint32(4, crc32(body))
  const [length, checksum] = [new Uint8Array(framed.buffer, 0, 4), new Uint8Array(framed.buffer, 4, 4)]
  return Buffer.concat([length, body, checksum])
}
