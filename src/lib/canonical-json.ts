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
