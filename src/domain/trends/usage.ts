import type { DayOfUse } from '../../db/schema/discovery'
import { dayMilliseconds, dayOf } from '../../lib/days'
import { rankOf, scoreOf, type TrendKind } from './rank'

/** Stored usage of a hashtag or link that trends or did recently. */
export interface StoredUsage {
  readonly id: number
  readonly rank: number
  readonly peak: number
  readonly peakAt: Date
  /** Days since 1970: the first day of `history`, which goes backwards. */
  readonly day: number
  readonly history: readonly DayOfUse[]
}

/** A day on which the uses of an item are to be counted. */
export interface DayToCount {
  readonly id: number
  readonly day: number
}

/** Rule of a kind: its decay, and the accounts needed. */
export interface UsageRule {
  readonly kind: TrendKind
  readonly least: number
}

export interface CountedDay extends DayToCount {
  readonly use: DayOfUse
}
const daysKept = 7
/** Lifetime of a peak; after it, a lower one makes the item trend again. */
const peakLifetimeMilliseconds = 2 * dayMilliseconds

/** The days still to be counted: today, and those since the last count, its day included. Pure. */
export function daysToCount(id: number, kept: StoredUsage | null, today: number): DayToCount[] {
  const since = kept === null ? today - daysKept + 1 : Math.max(kept.day, today - daysKept + 1)
  return Array.from({ length: Math.max(1, today - since + 1) }, (_, ago) => ({ id, day: today - ago }))
}

/** The new history from the old one and the counted days, today first. Pure. */
export function historyOf(
  kept: Pick<StoredUsage, 'day' | 'history'> | null,
  counted: ReadonlyMap<number, DayOfUse>,
  today: number,
): DayOfUse[] {
  return Array.from({ length: daysKept }, (_, ago) => {
    const day = today - ago
    const before = kept === null ? undefined : kept.history[kept.day - day]
    return counted.get(day) ?? before ?? [0, 0]
  })
}

/**
 * Trend data for an item with this history, null if it never trended. Pure.
 *
 * Today is compared with the day before, by accounts, not by uses, as in Mastodon. A peak stays for two days, however
 * many follow on the same day: it decays from when it was reached.
 */
export function rankUsage(
  { kind, least }: UsageRule,
  {
    id,
    history,
    kept,
  }: { readonly id: number; readonly history: readonly DayOfUse[]; readonly kept: StoredUsage | null },
  now: Date,
): StoredUsage | null {
  const [today = [0, 0], yesterday = [0, 0]] = history
  const score = scoreOf(today[1], yesterday[1], least)
  const remembered =
    kept !== null && now.getTime() - kept.peakAt.getTime() < peakLifetimeMilliseconds ? kept : null
  const peak =
    remembered === null || score > remembered.peak
      ? { score, at: now }
      : { score: remembered.peak, at: remembered.peakAt }
  if (peak.score === 0) return null
  const rank = rankOf(kind, peak.score, peak.at)
  return { id, rank, peak: peak.score, peakAt: peak.at, day: dayOf(now), history }
}
