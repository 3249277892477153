/** Length of a text in UTF-8. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text)
}

/** Truncates a text to so many bytes, at a character boundary. */
export function cutToBytes(text: string, maxBytes: number): string {
  // No character of two units has more than four bytes, none of one unit more than three.
  if (text.length * 3 <= maxBytes || utf8Bytes(text) <= maxBytes) return text
  const bytes = Buffer.from(text.slice(0, maxBytes))
  let end = Math.max(0, Math.min(maxBytes, bytes.byteLength))
  while (end > 0 && isInside(bytes[end])) end--
  return bytes.toString('utf8', 0, end)
}

/** The first of the items that together fit into so many bytes of JSON. */
export function withinBytes<Item>(items: readonly Item[], maxBytes: number): readonly Item[] {
  let left = maxBytes
  const end = items.findIndex((item) => {
    left -= utf8Bytes(JSON.stringify(item))
    return left < 0
  })
  return end === -1 ? items : items.slice(0, end)
}

/**
 * The limit per item so that all fit into `max` together: items that need less leave their share to the others.
 */
export function fairShare(sizes: readonly number[], max: number): number {
  let left = max
  let others = sizes.length
  for (const size of sizes.toSorted((one, other) => one - other)) {
    const share = Math.floor(left / others)
    if (size > share) return share
    left -= size
    others--
  }
  return max
}

/** Texts that together have so many bytes at most: the longest are truncated. */
export function cutTogether(texts: readonly string[], maxBytes: number): readonly string[] {
  const most = fairShare(texts.map(utf8Bytes), maxBytes)
  return texts.map((text) => cutToBytes(text, most))
}

/** Continuation bytes begin with the bits 10. */
function isInside(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

/** C0, DEL and C1, but tab and line feed. */
const controls = /(?![\t\n])\p{Cc}/gu

/**
 * Removes control characters but tab and line feed, so that CR LF becomes LF. Every text that comes in goes through here
 * once, before it is parsed or sanitised: databases of other servers refuse a post with a zero byte.
 */
export function withoutControls(text: string): string {
  return text.replace(controls, '')
}

/** Cuts trailing `characters` off. A loop, because `/[…]+$/` takes quadratic time on hostile input. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/**
 * Text of an uploaded file: UTF-8, or UTF-16 as spreadsheets save it, with a byte order mark or without. Line breaks are
 * LF, also where they were CR alone.
 */
export function textOfFile(bytes: Uint8Array): string {
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes)
  return withoutControls(text.replace(/\r\n?/g, '\n'))
}

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = bytes
  if (first === undefined || second === undefined) return 'utf-8'
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : 'utf-8'
}
