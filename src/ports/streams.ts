import type { Query } from '../db/query'
import type { CachedFilters } from '../lib/filters/filter-cache'
import type { AccountId } from '../lib/ids'
import type { LiveEvent } from '../messages/live'

/**
 * Compiled filters cached by this isolate, by `ViewerRef.key`. Volatile; the version in the database shows whether
 * they are current.
 */
export interface FilterCache {
  recall(reader: string): CachedFilters | null
  keep(reader: string, filters: CachedFilters): void
  /** Drops the compiled filters of `ownerId` for every reader key. */
  forget(ownerId: AccountId): void
}

/** A connected user and a subscribed stream; no account stands for a shared stream. */
export interface Subscriber {
  readonly accountId: AccountId | null
  readonly channel: string
}

/** Publishing of live events to connected clients. */
export interface Streams {
  /**
   * Publishes a committed event to the subscribers found. Costs the caller nothing and never fails: a client that
   * misses it reads the API.
   */
  publish(event: LiveEvent, audience: readonly Subscriber[]): void
}

/** Finds the connected subscribers of a live event. Behind a port, because every command commits through it. */
export interface StreamAudience {
  /** Single statement, for the batch of the commit. */
  of(event: LiveEvent): Query<readonly Subscriber[]>
  /** Whether the audience is read before the writes of its batch, because they may remove subscribers from it. */
  isReadBeforeWrites(event: LiveEvent): boolean
}
