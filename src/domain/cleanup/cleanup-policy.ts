import { cleanupPolicies } from '../../db/schema'
import { InvalidFields } from '../../errors'
import { problem } from '../../errors/sentences'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { CleanupRow } from './find-cleanup'

/** Policy that decides which old statuses of an account are deleted. */
export type CleanupPolicy = Omit<CleanupRow, 'accountId' | 'place' | 'dueAt'>

const [day, month] = [86_400, 2_629_746]

/** Minimum ages in seconds: one and two weeks, one to six months, one and two years. As in Mastodon. */
export const cleanupAges: readonly number[] = [
  7 * day,
  14 * day,
  ...[1, 2, 3, 6, 12, 24].map((months) => months * month),
]

/** Policy shown to users who never saved one. */
export const defaultCleanup: CleanupPolicy = {
  enabled: false,
  minAgeSeconds: 14 * day,
  keepDirect: true,
  keepPinned: true,
  keepPolls: false,
  keepMedia: false,
  keepOwnFavourites: true,
  keepOwnBookmarks: true,
  minFavourites: null,
  minReblogs: null,
}

const maxThreshold = 1_000_000_000

/**
 * Parses the number of interactions that keeps a status: a whole number from 1 on, or null when empty. Undefined
 * for anything else.
 */
export function parseThreshold(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const count = /^\d{1,10}$/.test(text.trim()) ? Number(text) : 0
  return count >= 1 && count <= maxThreshold ? count : undefined
}

/**
 * Saves an account's cleanup policy: the round starts again with the next run of the task.
 *
 * `Invalid` by field (`age`) for an age that is not offered.
 */
export async function saveCleanup(ctx: Ctx, accountId: AccountId, policy: CleanupPolicy): Promise<void> {
  if (!cleanupAges.includes(policy.minAgeSeconds))
    throw new InvalidFields(
      [problem('not_offered', { field: 'age' })],
      [problem('age_not_offered', { field: 'age' })],
    )
  const row = { ...policy, place: 0, dueAt: ctx.clock.now() }
  await commit(
    ctx,
    new Changes().add(
      ctx.db
        .insert(cleanupPolicies)
        .values({ ...row, accountId })
        .onConflictDoUpdate({ target: cleanupPolicies.accountId, set: row }),
    ),
  )
}
