import type { SuggestionEntry, SuggestionSource } from '../../db/schema/discovery'
import type { AccountId } from '../../lib/ids'

/** Accounts suggested by one source, best first. */
export interface RankedSource {
  readonly source: SuggestionSource
  readonly ids: readonly AccountId[]
}

/** Each account once, at its first position, with every source that suggests it. Pure. */
export function mergeSuggestions(lists: readonly RankedSource[]): SuggestionEntry[] {
  const sources = new Map<AccountId, SuggestionSource[]>()
  for (const { source, ids } of lists)
    for (const id of ids) {
      const known = sources.get(id) ?? []
      sources.set(id, known.includes(source) ? known : [...known, source])
    }
  return [...sources].map(([id, named]) => ({ id, sources: named }))
}
