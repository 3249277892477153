const most = 200

/**
 * What an isolate keeps by key, at most 200 of a kind: formats of `Intl`, of which one takes longer to make than a post, or all
 * else of a page. Keys name everything that the value depends on.
 */
export function keptBy<T>(): (key: string, make: () => T) => T {
  const kept = new Map<string, T>()
  return (key, make) => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = make()
    if (kept.size >= most) kept.clear()
    kept.set(key, made)
    return made
  }
}
