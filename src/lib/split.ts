/** Maximum length, in characters of its JSON, of what one call or message carries: below 64 KB of plain text. */
export const longestMessage = 60_000

/** Splits items, in order, into parts of at most `most` items and `longest` in sum; a longer item is a part by itself. */
export function splitWithin<T>(
  items: readonly T[],
  { most, longest, lengthOf }: { readonly most: number; readonly longest: number; lengthOf(item: T): number },
): readonly (readonly T[])[] {
  const parts: T[][] = []
  let [part, sum]: [T[], number] = [[], 0]
  for (const item of items) {
    const length = lengthOf(item)
    if (part.length > 0 && (part.length === most || sum + length > longest)) {
      parts.push(part)
      part = []
      sum = 0
    }
    part.push(item)
    sum += length
  }
  return part.length === 0 ? parts : [...parts, part]
}
