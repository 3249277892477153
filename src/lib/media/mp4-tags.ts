import { type Box, boxesIn, wholeFile } from './boxes'
import { has } from './bytes'

const tagBoxes: ReadonlySet<string> = new Set(['udta', 'meta', 'uuid'])
const parents: ReadonlySet<string> = new Set(['moov', 'trak'])
const free = Uint8Array.from('free', (letter) => letter.charCodeAt(0))

/**
 * Blanks, in place, the boxes of an MP4 or QuickTime file in which cameras record location and device. They
 * become empty space of the same length: the rest of the file is found by offsets.
 *
 * Tracks of coordinates woven into the recording (action cameras) are kept: removing them takes rewriting the
 * file.
 */
export function blankMovieTags(bytes: Uint8Array): void {
  for (const box of boxesIn(bytes, wholeFile(bytes))) {
    if (box.type === 'uuid') blank(bytes, box)
    if (box.type === 'moov') blankIn(bytes, box)
  }
}

function blankIn(bytes: Uint8Array, parent: Box): void {
  for (const box of boxesIn(bytes, parent)) {
    if (tagBoxes.has(box.type) && !isSpherical(parent, box)) blank(bytes, box)
    if (parents.has(box.type)) blankIn(bytes, box)
  }
}

/** In a track `uuid` holds the projection of a 360° video, which cannot be watched without it. */
function isSpherical(parent: Box, { type }: Box): boolean {
  return parent.type === 'trak' && type === 'uuid'
}

function blank(bytes: Uint8Array, { type, start, end }: Box): void {
  // The type stands right before the content, or before a long form of the size.
  bytes.set(free, has(bytes, start - 4, type) ? start - 4 : start - 12)
  bytes.fill(0, start, end)
}
