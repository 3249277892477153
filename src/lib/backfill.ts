import type { AccountId, StatusId } from './ids'

/** Replies at the first level: number of new ones, and addresses of those left to another run. */
export interface FetchedReplies {
  readonly stored: number
  readonly rest: readonly string[]
}

/** Rest of a backfill, which another run goes on with. */
export interface BackfillPart {
  /** Statuses to be imported, in this order. */
  readonly posts: readonly { readonly uri: string; readonly isPinned: boolean }[]
  /** Number of statuses as the server of the account reports it. */
  readonly total: number | null
  /** Number of followers whose feeds are filled. */
  readonly fed: number
}

/** Fetching of related remote statuses. Each call sends a bounded number of requests. */
export interface Backfill {
  /** Fetches the parent of a status; `levels` limits the further ancestors. */
  fetchParent(id: StatusId, levels: number): Promise<void>
  /**
   * Fetches replies to a status, `levels` deep, as many as one invocation has statements for: of those that its server
   * lists, or of the `rest` of an earlier run.
   */
  fetchReplies(id: StatusId, levels: number, rest?: readonly string[]): Promise<FetchedReplies>
  /** Fetches the latest and pinned statuses of an account; returns what is left to another run. */
  backfillAccount(id: AccountId, part?: BackfillPart): Promise<BackfillPart | null>
}
