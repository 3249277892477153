// Archives in the format of POSIX tar, compressed by gzip to the letter only: what they hold is compressed already.
import { crc32 } from 'node:zlib'

const block = 512

/** Header of a file in a tar archive. Names are ASCII, up to 100 characters; sizes up to eight gigabytes. */
export function tarHeader(
  name: string,
  { size, at }: { readonly size: number; readonly at: Date },
): Uint8Array {
  const header = new Uint8Array(block)
  const write = (text: string, position: number) => header.set(new TextEncoder().encode(text), position)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  if (name.length > 100 || size >= 8 ** 11) throw new RangeError(`${name} does not fit into a tar archive`)
  write(name, 0)
  write(`${octal(0o444, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100)
  write(`${octal(size, 11)}\0${octal(Math.floor(at.getTime() / 1000), 11)}\0`, 124)
  write('        0', 148)
  write('ustar\u000000', 257)
  write(
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0 `,
    148,
  )
  return header
}

/** Zero bytes behind a file of this size. */
export function tarPadding(size: number): number {
  return (block - (size % block)) % block
}

/** Zero bytes at the end of an archive. */
export const tarEnd = 2 * block

const storedBlock = 65_535
const gzipFrame = 18

/** A gzip member that holds `bytes` as they are. Members behind each other are one gzip file. */
export function gzipStored(bytes: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(bytes.length / storedBlock))
  const member = new Uint8Array(gzipFrame + 5 * blocks + bytes.length)
  const view = new DataView(member.buffer)
  member.set([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
  let at = 10
  for (let index = 0; index < blocks; index += 1) {
    const part = bytes.subarray(index * storedBlock, (index + 1) * storedBlock)
    view.setUint8(at, index === blocks - 1 ? 1 : 0)
    view.setUint16(at + 1, part.length, true)
    view.setUint16(at + 3, part.length ^ 0xffff, true)
    member.set(part, at + 5)
    at += 5 + part.length
  }
  view.setUint32(at, crc32(bytes), true)
  view.setUint32(at + 4, bytes.length % 2 ** 32, true)
  return member
}
