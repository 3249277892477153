import * as z from 'zod'
import { IdString, Timestamp } from '../../scalars'

/** Deliveries to one remote server. Own entity. */
export const Courier = z
  .strictObject({
    host: z.string(),
    pending: z.int().min(0),
    oldest_at: Timestamp.nullable(),
    next_at: Timestamp.nullable(),
    /** Consecutive failures, and the first of them. */
    failures: z.int().min(0),
    failing_since: Timestamp.nullable(),
    last_success_at: Timestamp.nullable(),
    /** Class of the last failure, such as `http 503`; null without one since the last success. */
    last_error: z.string().nullable(),
    /** Given up after a week of failures. */
    unreachable: z.boolean(),
  })
  .meta({ id: 'FieldfareCourier' })

/** Couriers of the next hosts. Own entity. */
export const CourierPage = z
  .strictObject({ couriers: z.array(Courier), next: IdString.nullable() })
  .meta({ id: 'FieldfareCourierPage' })

/** Health of deliveries by server, the next of them. Own entity. */
export const DeliveryHealthPage = z
  .strictObject({
    hosts: z.array(
      z.strictObject({
        host: z.string(),
        state: z.enum(['well', 'failing', 'unreachable']),
        last_success_at: Timestamp.nullable(),
        failing_since: Timestamp.nullable(),
        failures: z.int().min(0),
        waiting: z.int().min(0),
        oldest_at: Timestamp.nullable(),
        last_error: z.string().nullable(),
        next_attempt_at: Timestamp.nullable(),
      }),
    ),
    /** Value of `after` for the next page. */
    next: z.string().nullable(),
  })
  .meta({ id: 'FieldfareDeliveryHealthPage' })

/** Number of deliveries that were retried or dropped. Own entity. */
export const DeliveryCount = z.strictObject({ count: z.int().min(0) }).meta({ id: 'FieldfareDeliveryCount' })

/** Effects of events that were not run yet, or failed; the first of them. Own entity. */
export const WaitingEffects = z
  .strictObject({
    /** At most 200. */
    count: z.int().min(0),
    entries: z.array(
      z.strictObject({
        id: IdString,
        kind: z.string(),
        attempts: z.int().min(0),
        due_at: Timestamp,
      }),
    ),
  })
  .meta({ id: 'FieldfareWaitingEffects' })

/** State of the index of statuses. Own entity. */
export const SearchIndex = z
  .strictObject({
    /** Changed statuses that wait, at most 200. */
    waiting: z.int().min(0),
    /** Id below which statuses are being indexed again; null where that is done. */
    walked_down_to: IdString.nullable(),
  })
  .meta({ id: 'FieldfareSearchIndex' })

/** A part of rebuilding the counters. Own entity. */
export const RebuiltCounters = z
  .strictObject({ members: z.int().min(0), next: IdString.nullable() })
  .meta({ id: 'FieldfareRebuiltCounters' })

/** Steps of federation with a server, as they were tried. Own entity. */
export const ServerCheck = z
  .strictObject({
    host: z.string(),
    steps: z.array(
      z.strictObject({
        step: z.enum(['limits', 'software', 'webfinger', 'signature', 'delivery']),
        outcome: z.enum(['passed', 'failed', 'skipped']),
        explanation: z.string(),
      }),
    ),
  })
  .meta({ id: 'FieldfareServerCheck' })

/** Failed jobs; the next of them. Own entity. */
export const DeadLetterPage = z
  .strictObject({
    /** Of all, at most 200. */
    count: z.int().min(0),
    dead_letters: z.array(
      z.strictObject({
        id: IdString,
        kind: z.string(),
        died_at: Timestamp,
        /** Whether this version knows the kind. */
        retryable: z.boolean(),
      }),
    ),
    next: IdString.nullable(),
  })
  .meta({ id: 'FieldfareDeadLetterPage' })

/** A part of the messages that were retried or dropped. Own entity. */
export const HandledLetters = z
  .strictObject({ count: z.int().min(0), next: IdString.nullable() })
  .meta({ id: 'FieldfareHandledLetters' })

/** A part of the files of the bucket that was looked through. Own entity. */
export const CleanedMedia = z
  .strictObject({
    files: z.int().min(0),
    bytes: z.int().min(0),
    /** Files that nothing names; deleted, but for a dry run. */
    orphans: z.int().min(0),
    orphan_bytes: z.int().min(0),
    /** Value of `after` for the next part. */
    next: z.string().nullable(),
  })
  .meta({ id: 'FieldfareCleanedMedia' })

const Pruned = z.strictObject({ statuses: z.int(), accounts: z.int() })
const Rows = z.strictObject({ read: z.int(), written: z.int() })

/** State of pruning. Own entity. */
export const Pruning = z
  .strictObject({
    // `above budget`: pruning has not run since the database became too large.
    outcome: z.enum([
      'off',
      'within budget',
      'above budget',
      'pruning',
      'paused until tomorrow',
      'nothing left',
    ]),
    // Size of the database, and the size above which statuses and accounts are pruned.
    bytes: z.int(),
    budget_bytes: z.int(),
    // Null before the first run.
    measured_at: Timestamp.nullable(),
    next_run_at: Timestamp.nullable(),
    last_pruned_at: Timestamp.nullable(),
    // Kind of rows that is pruned next.
    stage: z.enum(['unfollowed statuses', 'accounts', 'followed statuses']),
    pruned_today: Pruned,
    pruned_in_total: Pruned,
    // Rows used today, as far as estimated, and those that may be.
    rows_today: Rows,
    rows_a_day: Rows,
  })
  .meta({ id: 'FieldfarePruning' })
export type Pruning = z.infer<typeof Pruning>

/** A relay, which passes public statuses on between servers. Own entity: Mastodon shows these on pages only. */
export const Relay = z
  .strictObject({
    id: IdString,
    inbox_url: z.string(),
    // Idle: not asked, or left. Statuses go both ways once it accepted.
    state: z.enum(['idle', 'pending', 'accepted', 'rejected']),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'FieldfareRelay' })
export type Relay = z.infer<typeof Relay>

/** An import of the archive of an account on another server, as staff sees it. Own entity. */
export const AdminArchiveImport = z
  .strictObject({
    id: IdString,
    // The member who imports.
    account_id: IdString,
    username: z.string(),
    // Id of the account on the server that made the archive; empty where it was not recorded yet.
    actor: z.string(),
    // Proof that it is the member: it names it as an alias, or links to it. Null without one.
    proof: z.enum(['alias', 'link']).nullable(),
    // Statuses and reblogs, and the bytes of their rows.
    imported_count: z.int(),
    bytes: z.int(),
    files_count: z.int(),
    file_bytes: z.int(),
    created_at: Timestamp,
    progressed_at: Timestamp,
    // Time at which staff removed it. Its statuses are gone once `imported_count` is 0.
    removed_at: Timestamp.nullable(),
  })
  .meta({ id: 'FieldfareAdminArchiveImport' })
export type AdminArchiveImport = z.infer<typeof AdminArchiveImport>
