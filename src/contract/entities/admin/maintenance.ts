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
export type Courier = z.infer<typeof Courier>

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
    /** Id below which statuses are being indexed anew; null where that is done. */
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

/** Messages that nobody could run; the next of them. Own entity. */
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
