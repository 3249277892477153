// A PNG writer for 8-bit RGB pictures: enough for pictures made by arithmetic.
import { crc32, deflateSync } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const channels = 3

/** A PNG of `colourAt(x, y)`, which answers [red, green, blue] from 0 to 255 for every pixel. */
export function png(width, height, colourAt) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a channel, red green blue, and the only methods there are.
  header.set([8, 2, 0, 0, 0], 8)
  const lines = scanLines(width, height, colourAt)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Each line as its difference to the line above (filter 2), by which gradients nearly vanish. */
function scanLines(width, height, colourAt) {
  const stride = width * channels
  const lines = Buffer.alloc((stride + 1) * height)
  let above = Buffer.alloc(stride)
  for (let y = 0; y < height; y += 1) {
    const line = Buffer.alloc(stride)
    for (let x = 0; x < width; x += 1) line.set(colourAt(x, y), x * channels)
    const at = y * (stride + 1)
    lines[at] = 2
    for (let i = 0; i < stride; i += 1) lines[at + 1 + i] = line[i] - above[i]
    above = line
  }
  return lines
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
