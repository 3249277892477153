import * as z from 'zod'
import { FederatedEvent } from './events'
import { id } from './fields'

const visibility = z.enum(['public', 'unlisted', 'private', 'direct'])

/**
 * A command: work for the queue. Carries ids and addresses, never secrets or texts; a runner reloads what it needs and
 * tolerates absence. Every kind has its runner in jobs/run.ts and its share of requests in jobs/consumer.ts.
 */
export const Job = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accept-follow-requests'), accountId: id }),
  // A remote actor asks to add an account of this server to a collection that is unknown here.
  z.object({
    kind: z.literal('answer-feature-request'),
    accountId: id,
    uri: z.string(),
    username: z.string(),
    collectionUri: z.string(),
  }),
  // A remote actor asks to quote a status of this server in a status that is unknown here.
  z.object({
    kind: z.literal('answer-quote-request'),
    accountId: id,
    uri: z.string(),
    quotedUri: z.string(),
    quotingUri: z.string(),
  }),
  // Statuses of a remote account from before the first follow.
  z.object({ kind: z.literal('backfill-account'), accountId: id }),
  // The rest of a fan-out: inboxes of servers after `after`, in the order of their names.
  z.object({ kind: z.literal('continue-delivery'), eventId: id, event: FederatedEvent, after: z.string() }),
  // The next parts of the suspension of a server.
  z.object({ kind: z.literal('continue-suspension'), domain: z.string() }),
  z.object({ kind: z.literal('delete-domain-media'), domain: z.string() }),
  z.object({ kind: z.literal('delete-files'), keys: z.array(z.string()) }),
  // The status that this one replies to, on another server; up to `levels` more ancestors follow.
  z.object({ kind: z.literal('fetch-ancestors'), statusId: id, levels: id }),
  // The preview of a link in a status, after a delay that spreads the requests of many servers.
  z.object({ kind: z.literal('fetch-link-preview'), statusId: id, delaySeconds: id }),
  // A remote actor pinned a status that is unknown here.
  z.object({
    kind: z.literal('fetch-pinned-status'),
    accountId: id,
    statusUri: z.string(),
    collection: z.string(),
  }),
  // A remote actor reblogged a status that is unknown here.
  z.object({
    kind: z.literal('fetch-reblogged-status'),
    accountId: id,
    uri: z.string(),
    statusUri: z.string(),
    visibility,
    publishedAt: id,
  }),
  // Replies to a status of another server, `levels` deep.
  z.object({ kind: z.literal('fetch-replies'), statusId: id, levels: id }),
  z.object({ kind: z.literal('generate-annual-report'), accountId: id, year: id }),
  // The rest of the followers of an account that moved.
  z.object({ kind: z.literal('move-followers'), accountId: id, targetAccountId: id }),
  // A scheduled status could not be published at its time and waits for its author.
  z.object({ kind: z.literal('notify-scheduled-failure'), accountId: id, scheduledId: id }),
  // The rest of the statuses and interactions of a deleted account.
  z.object({ kind: z.literal('purge-account-statuses'), accountId: id }),
  // A forwarded activity about an object: only the server of the object is believed.
  z.object({ kind: z.literal('refetch-object'), uri: z.string() }),
  // A custom emoji of this server was added, removed, enabled or disabled: texts that name it are updated. `after` is
  // the last text that was read.
  z.object({
    kind: z.literal('refresh-emoji'),
    shortcode: z.string(),
    after: z.object({ kind: z.enum(['status', 'account', 'announcement']), subjectId: id }).nullable(),
  }),
  // The push service of one subscription failed; `handleOrRetry` counts from one.
  z.object({ kind: z.literal('retry-push'), subscriptionId: id, notificationId: id, attempt: id }),
  // A part of an uploaded list of follows, blocks, mutes, lists or bookmarks.
  z.object({ kind: z.literal('run-import'), importId: id }),
  z.object({
    kind: z.literal('send-account-email'),
    accountId: id,
    purpose: z.enum(['confirm', 'reset', 'approved']),
  }),
  z.object({ kind: z.literal('send-notification-emails'), notificationIds: z.array(id) }),
  // Web Push of these notifications; all up to `after` are done.
  z.object({
    kind: z.literal('send-push'),
    notificationIds: z.array(id),
    after: z.object({ subscriptionId: id, notificationId: id }).exactOptional(),
  }),
  // The server of a remote account lists its followers here otherwise than this server does, at `url`.
  z.object({ kind: z.literal('sync-followers'), accountId: id, url: z.string() }),
  // A remote status quotes another and claims the consent of its author.
  z.object({ kind: z.literal('verify-quote'), statusId: id }),
])
export type Job = z.infer<typeof Job>

export type JobKind = Job['kind']
