/** Number of bytes searched for a charset declaration: eight times those of browsers, as sites put scripts before it. */
const prefixBytes = 8_192

const marks: readonly (readonly [readonly number[], string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0xff, 0xfe], 'utf-16le'],
]

/**
 * Chooses a decoder by the byte order mark, the Content-Type or the page or XML document itself, in this order, as
 * browsers do.
 * Pages without a known charset are UTF-8 if their beginning is, but for a broken byte here and there, else Windows-1252.
 */
export function decoderOf(contentType: string, prefix: Uint8Array): TextDecoder {
  const mark = marks.find(([bytes]) => bytes.every((byte, index) => prefix[index] === byte))?.[1]
  const charset = mark ?? /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ?? declaredIn(prefix)
  return named(charset ?? '') ?? new TextDecoder(isUtf8(prefix) ? 'utf-8' : 'windows-1252')
}

/** Whether more of the page would not change the choice of `decoderOf`: its charset is declared, or its head is over. */
export function isDecidedBy(contentType: string, prefix: Uint8Array): boolean {
  if (prefix.byteLength >= prefixBytes || /charset\s*=/i.test(contentType)) return true
  return declaredIn(prefix) !== null || /<\/head|<body/i.test(asciiOf(prefix))
}

function asciiOf(prefix: Uint8Array): string {
  return new TextDecoder('windows-1252').decode(prefix.subarray(0, prefixBytes))
}

function declaredIn(prefix: Uint8Array): string | null {
  const text = asciiOf(prefix)
  const label =
    /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)/i.exec(text)?.[1] ??
    /<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]+)/i.exec(text)?.[1] ??
    null
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

/** Letters of several bytes for each broken byte, from which on a page is UTF-8: in other encodings they are hardly ever met. */
const lettersForBroken = 2

function isUtf8(prefix: Uint8Array): boolean {
  const text = new TextDecoder().decode(prefix, { stream: true })
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  const broken = count(/\ufffd/g)
  return broken === 0 || count(/[^\0-\x7f\ufffd]/g) >= lettersForBroken * broken
}
