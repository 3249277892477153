/** JSON documents of posts are a few levels deep; deeper ones only serve to fill the stack. */
const mostLevels = 64

/**
 * Serialises a JSON value in its canonical form (RFC 8785), over which signatures are made: no white space, keys sorted
 * by their UTF-16 units, numbers and strings as ECMAScript writes them.
 *
 * Null for values without one (lone surrogates, infinite numbers, values that are not JSON), and for those nested
 * deeper or longer than the limits.
 */
export function canonicalJson(value: unknown, mostCharacters: number): string | null {
  const output = { parts: [], left: mostCharacters }
  return write(value, output, mostLevels) ? output.parts.join('') : null
}

interface Output {
  readonly parts: string[]
  /** Characters still allowed. */
  left: number
}

function append(output: Output, text: string): boolean {
  output.left -= text.length
  output.parts.push(text)
  return output.left >= 0
}

function write(value: unknown, output: Output, levels: number): boolean {
  if (value === null || typeof value === 'boolean') return append(output, String(value))
  if (typeof value === 'number') return Number.isFinite(value) && append(output, JSON.stringify(value))
  if (typeof value === 'string') return writeString(value, output)
  if (typeof value !== 'object' || levels === 0) return false
  if (Array.isArray(value))
    return append(output, '[') && writeItems(value, output, levels) && append(output, ']')
  return append(output, '{') && writeMembers(value, output, levels) && append(output, '}')
}

function writeString(value: string, output: Output): boolean {
  return value.isWellFormed() && append(output, JSON.stringify(value))
}

function writeItems(items: readonly unknown[], output: Output, levels: number): boolean {
  return items.every((item, index) => (index === 0 || append(output, ',')) && write(item, output, levels - 1))
}

function writeMembers(object: object, output: Output, levels: number): boolean {
  const members = new Map(Object.entries(object))
  // Sorts by UTF-16 units, and far faster than with a comparison of its own.
  const keys = [...members.keys()].sort()
  return keys.every(
    (key, index) =>
      (index === 0 || append(output, ',')) &&
      writeString(key, output) &&
      append(output, ':') &&
      write(members.get(key), output, levels - 1),
  )
}

/**
 * Control characters in JSON text as `JSON.stringify` writes them, but those that it may keep: quick to look for. One pattern
 * for both takes four times as long, which is more than `JSON.stringify` itself.
 */
const bareControl = /[\u007f-\u009f]/
const escapedControl = /\\(?:u00[01]|[bfr])/
/** Complete escapes, so that an escaped backslash before a letter is not read as a control character. */
const escapeOrControl = /\\(?:u[0-9a-f]{4}|.)|[\u007f-\u009f]/gu
const isControl = /^(?:\\u00[01]|\\[bfr]|[\u007f-\u009f])/u

/**
 * The value as JSON whose texts have no control characters but tab and line feed, as `withoutControls` leaves them. What
 * was stored before every text that comes in was cleaned goes out clean: PostgreSQL refuses a zero byte.
 */
export function cleanJson(value: unknown): string {
  const text = JSON.stringify(value)
  return bareControl.test(text) || escapedControl.test(text)
    ? text.replace(escapeOrControl, (part) => (isControl.test(part) ? '' : part))
    : text
}

/** Parses JSON from bytes; null if invalid. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (failure) {
    if (failure instanceof SyntaxError) return null
    throw failure
  }
}
