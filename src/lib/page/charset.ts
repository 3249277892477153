/** Number of bytes searched for a charset declaration. */
export const prefixBytes = 1_024

const marks: readonly (readonly [readonly number[], string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0xff, 0xfe], 'utf-16le'],
]

/**
 * Chooses a decoder by the byte order mark, the Content-Type or the page itself, in this order, as browsers do.
 * Pages without a known charset are UTF-8 if their beginning is valid UTF-8, else Windows-1252.
 */
export function decoderOf(contentType: string, prefix: Uint8Array): TextDecoder {
  const mark = marks.find(([bytes]) => bytes.every((byte, index) => prefix[index] === byte))?.[1]
  const charset = mark ?? /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ?? declaredIn(prefix)
  return named(charset ?? '') ?? new TextDecoder(isUtf8(prefix) ? 'utf-8' : 'windows-1252')
}

function declaredIn(prefix: Uint8Array): string | null {
  const text = new TextDecoder('windows-1252').decode(prefix.subarray(0, prefixBytes))
  const label = /<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]+)/i.exec(text)?.[1] ?? null
  // Pages that declare UTF-16 in ASCII bytes are not UTF-16.
  return label !== null && /^utf-?16/i.test(label) ? 'utf-8' : label
}

function named(label: string): TextDecoder | null {
  try {
    return label === '' ? null : new TextDecoder(label)
  } catch (failure) {
    if (failure instanceof RangeError) return null
    throw failure
  }
}

function isUtf8(prefix: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(prefix, { stream: true })
    return true
  } catch (failure) {
    if (failure instanceof TypeError) return false
    throw failure
  }
}
