import type { Config } from '../../config'
import type { Suggestion } from '../../contract/entities/suggestion'
import type { SuggestionEntry, SuggestionSource } from '../../db/schema/discovery'
import type { AccountBundle } from '../load/accounts'
import { presentAccount } from './account'

/** Values of the deprecated `source`, as Mastodon maps them. */
const legacySources: Readonly<Record<SuggestionSource, Suggestion['source']>> = {
  featured: 'staff',
  friends_of_friends: 'past_interactions',
  most_followed: 'global',
  most_interactions: 'global',
}

/** Presents the accounts of a bundle in its order, with the sources of each suggestion. */
export function presentSuggestions(
  config: Config,
  entries: readonly SuggestionEntry[],
  bundle: AccountBundle,
): Suggestion[] {
  const reasons = new Map(entries.map(({ id, sources }) => [id, sources]))
  return bundle.ids.map((id) => {
    const sources = reasons.get(id) ?? []
    const [first] = sources
    return {
      source: first === undefined ? 'global' : legacySources[first],
      sources: [...sources],
      account: presentAccount(config, bundle, id),
    }
  })
}
