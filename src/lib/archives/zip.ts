// Zip archives that are in memory whole. The directory at the end is read, and every entry is unpacked by its own place:
// names prove nothing, and two entries may share one.
import { inflateWithin } from '../inflate'

/** An entry of the directory of an archive. */
export interface ZipEntry {
  readonly name: string
  /** Bytes it unpacks to by its own account, which may be wrong. */
  readonly statedBytes: number
  readonly packedBytes: number
  /** Offset of its header. */
  readonly at: number
  /** 0 for stored, 8 for deflated. */
  readonly method: number
}

const endSignature = 0x06054b50
const directorySignature = 0x02014b50
const entrySignature = 0x04034b50
const endBytes = 22
const mostComment = 65_535
const encrypted = 1

/** Entries of an archive in the order of its directory; null for an invalid archive. Encrypted ones are left out. */
export function listZip(bytes: Uint8Array): readonly ZipEntry[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEnd(view)
  if (end === null) return null
  const entries: ZipEntry[] = []
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > end || view.getUint32(at, true) !== directorySignature) return null
    const nameBytes = view.getUint16(at + 28, true)
    const next = at + 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    if (next > end) return null
    if ((view.getUint16(at + 8, true) & encrypted) === 0)
      entries.push({
        name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameBytes)),
        method: view.getUint16(at + 10, true),
        packedBytes: view.getUint32(at + 20, true),
        statedBytes: view.getUint32(at + 24, true),
        at: view.getUint32(at + 42, true),
      })
    at = next
  }
  return entries
}

/** Content of an entry up to `most` bytes; null where it is damaged or unpacks to more, whatever it says of itself. */
export function unzip(bytes: Uint8Array, entry: ZipEntry, most: number): Uint8Array | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { at, packedBytes, method } = entry
  if (at + 30 > bytes.length || view.getUint32(at, true) !== entrySignature) return null
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true)
  if (start + packedBytes > bytes.length) return null
  const packed = bytes.subarray(start, start + packedBytes)
  if (method === 8) return inflateWithin(packed, most, 'raw')
  return method === 0 && packed.length <= most ? packed : null
}

/** Offset of the record that ends an archive, behind which only a comment may stand. */
function findEnd(view: DataView): number | null {
  const first = Math.max(0, view.byteLength - endBytes - mostComment)
  for (let at = view.byteLength - endBytes; at >= first; at -= 1)
    if (view.getUint32(at, true) === endSignature) return at
  return null
}
