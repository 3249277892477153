import type { Severance } from '../../contract/entities/admin/domain-effects'
import type { severanceEvents } from '../../db/schema'
import { timestamp } from './time'

/** Follows that the suspension of a server ended; `restorableMilliseconds` after that they cannot be restored. */
export function presentSeverance(
  row: typeof severanceEvents.$inferSelect,
  restorableMilliseconds: number,
): Severance {
  return {
    id: String(row.id),
    domain: row.target,
    created_at: timestamp(row.createdAt),
    following_count: row.followingCount,
    followers_count: row.followersCount,
    restorable_until: timestamp(new Date(row.createdAt.getTime() + restorableMilliseconds)),
    restore_started_at: row.restoreStartedAt === null ? null : timestamp(row.restoreStartedAt),
    restored_at: row.restoredAt === null ? null : timestamp(row.restoredAt),
    restored_count: row.restoredCount,
  }
}

/** Counts of what limits affect. */
export function presentEffects(effects: {
  readonly accountsCount: number
  readonly followingCount: number
  readonly followersCount: number
  readonly isComplete: boolean
}) {
  return {
    accounts_count: effects.accountsCount,
    following_count: effects.followingCount,
    followers_count: effects.followersCount,
    complete: effects.isComplete,
  }
}
