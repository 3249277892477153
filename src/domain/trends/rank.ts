import { type SQL, sql } from 'drizzle-orm'
import type { ViewerRef } from '../core/viewer'
import { settingKey } from '../instance/settings'

const hour = 3_600_000

/** Trend parameters of a kind, as in Mastodon. */
export interface TrendKind {
  /** Half-life of a score. */
  readonly halfLifeMilliseconds: number
  /** Minimum score to trend. */
  readonly lowestScore: number
}

export const trendKinds = {
  tags: { halfLifeMilliseconds: 4 * hour, lowestScore: 1 },
  links: { halfLifeMilliseconds: 8 * hour, lowestScore: 1 },
  statuses: { halfLifeMilliseconds: hour, lowestScore: 0.3 },
} as const

/** Excess of `observed` over the expected uses; 0 without one, or with fewer than `least`. */
export function scoreOf(observed: number, expected: number, least: number): number {
  const usual = Math.max(1, expected)
  return observed < least || observed <= usual ? 0 : (observed - usual) ** 2 / usual
}

/**
 * A rank that orders like the scores at any time: an item with `score` at `at` that decays since precedes another
 * exactly while its rank is higher. So no rows are written while scores decay.
 */
export function rankOf({ halfLifeMilliseconds }: TrendKind, score: number, at: Date): number {
  return Math.log2(score) + at.getTime() / halfLifeMilliseconds
}

/** The lowest rank that still trends. */
export function lowestRank(kind: TrendKind, now: Date): number {
  return rankOf(kind, kind.lowestScore, now)
}

/**
 * Condition: moderators allow an item to trend. The first column with a decision counts; without one, the setting for
 * unreviewed items.
 */
export function isTrendable(...decisions: readonly string[]): SQL {
  const byDefault = sql`coalesce((select value = 'true' from settings where key = ${settingKey('trendableByDefault')}), 0)`
  return sql`coalesce(${sql.raw(decisions.join(', '))}, ${byDefault}) = 1`
}

/**
 * Condition: the viewer reads this language. Languages chosen for public timelines count, else the interface
 * language; for anonymous readers, the language their app requests.
 */
export function isPreferredLanguage(
  { viewer, language }: { readonly viewer: ViewerRef; readonly language: string | null },
  column: SQL,
): SQL {
  if (!viewer.signedIn) return sql`coalesce(${column} = ${language}, 0)`
  const chosen = sql`select choice.value from users reader, json_each(reader.settings, '$.chosenLanguages') choice
    where reader.account_id = ${viewer.id} and choice.value is not null`
  const locale = sql`select substr(own.locale || '-', 1, instr(own.locale || '-', '-') - 1) from users own
    where own.account_id = ${viewer.id} and not exists (${chosen})`
  return sql`coalesce(${column} in (${chosen} union all ${locale}), 0)`
}
