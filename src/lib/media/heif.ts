import { type Box, boxesIn, findBox, wholeFile } from './boxes'
import { u8, u16be, u32be } from './bytes'

const MAX_ITEMS = 4096

interface Sides {
  readonly width: number
  readonly height: number
}

/**
 * Displayed sides of the primary picture of an AVIF or HEIC. The file may hold others: tiles (padded beyond the
 * edge), a thumbnail, transparency, each pointing into one shared list of properties.
 */
export function readHeifSides(bytes: Uint8Array): Sides | null {
  const meta = findBox(bytes, wholeFile(bytes), ['meta'])
  if (!meta) return null
  // Unlike other parents, `meta` opens with a version.
  const items = { start: meta.start + 4, end: meta.end }
  const primary = findBox(bytes, items, ['pitm'])
  const associations = findBox(bytes, items, ['iprp', 'ipma'])
  const properties = findBox(bytes, items, ['iprp', 'ipco'])
  if (!primary || !associations || !properties) return null
  const own = propertiesOf(bytes, { associations, item: readPrimaryId(bytes, primary) })
  const all = [...boxesIn(bytes, properties)]
  return combine(
    bytes,
    own.flatMap((index) => all[index - 1] ?? []),
  )
}

function readPrimaryId(bytes: Uint8Array, { start }: Box): number {
  return u8(bytes, start) === 0 ? u16be(bytes, start + 4) : u32be(bytes, start + 4)
}

/** Numbers, from 1, of the properties that belong to `item`. */
function propertiesOf(
  bytes: Uint8Array,
  { associations, item }: { associations: Box; item: number },
): number[] {
  const isLongId = u8(bytes, associations.start) > 0
  const isLongIndex = (u8(bytes, associations.start + 3) & 1) === 1
  const entries = Math.min(u32be(bytes, associations.start + 4), MAX_ITEMS)
  let at = associations.start + 8
  for (let entry = 0; entry < entries && at < associations.end; entry++) {
    const id = isLongId ? u32be(bytes, at) : u16be(bytes, at)
    at += isLongId ? 4 : 2
    const count = u8(bytes, at)
    at += 1
    // Mask the highest bit: it says whether a reader must understand the property.
    const read = (index: number) =>
      isLongIndex ? u16be(bytes, at + index * 2) & 0x7fff : u8(bytes, at + index) & 0x7f
    if (id === item) return Array.from({ length: count }, (_, index) => read(index))
    at += count * (isLongIndex ? 2 : 1)
  }
  return []
}

/** `clap` cuts off padding that an encoder added to fill whole blocks, `irot` turns the rest by quarters. */
function combine(bytes: Uint8Array, properties: readonly Box[]): Sides | null {
  let sides: Sides | null = null
  for (const { type, start } of properties) {
    if (type === 'ispe') sides = { width: u32be(bytes, start + 4), height: u32be(bytes, start + 8) }
    if (type === 'clap') sides = readCleanAperture(bytes, start)
    const isQuarterTurn = type === 'irot' && u8(bytes, start) % 2 === 1
    if (isQuarterTurn && sides) sides = { width: sides.height, height: sides.width }
  }
  return sides
}

function readCleanAperture(bytes: Uint8Array, start: number): Sides | null {
  const width = Math.round(u32be(bytes, start) / u32be(bytes, start + 4))
  const height = Math.round(u32be(bytes, start + 8) / u32be(bytes, start + 12))
  return Number.isFinite(width) && Number.isFinite(height) ? { width, height } : null
}
