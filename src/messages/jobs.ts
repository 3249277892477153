import * as z from 'zod'
import { FederatedEvent, id, StatusDeletion } from './events'

const visibility = z.enum(['public', 'unlisted', 'private', 'direct'])

/** Work on a row in steps: each name has its definition in the table of jobs/run-job.ts. */
const LongTaskName = z.enum(['remove-list', 'remove-status'])
export type LongTaskName = z.infer<typeof LongTaskName>

/** Claims of a forwarded activity about the object that is to be fetched. */
const RefetchHint = z.object({
  type: z.enum(['Update', 'Delete']),
  /** Address of a Delete on the server of its object, which may confirm it when the object cannot. */
  activity: z.string().optional(),
  /** Signed by the server of the object, in the name of another of its actors. */
  vouched: z.boolean().optional(),
})
export type RefetchHint = z.infer<typeof RefetchHint>

/**
 * A command: work for the queue. Carries ids and addresses, never secrets or texts; a runner reloads what it needs
 * and tolerates absence. Every kind has its runner in jobs/run-job.ts and its share of requests in jobs/consumer.ts.
 */
export const Job = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accept-follow-requests'), accountId: id }),
  // Remote actor asks to add a local account to an unknown collection.
  z.object({
    kind: z.literal('answer-feature-request'),
    accountId: id,
    uri: z.string(),
    username: z.string(),
    collectionUri: z.string(),
  }),
  // Remote actor asks to quote a local status in an unknown status.
  z.object({
    kind: z.literal('answer-quote-request'),
    accountId: id,
    uri: z.string(),
    quotedUri: z.string(),
    quotingUri: z.string(),
  }),
  // Next approved changes of a list of limits.
  z.object({ kind: z.literal('apply-blocklist'), blocklistId: id }),
  // Rest of the pending changes of a list, up to an id, that a moderator decided about together.
  z.object({
    kind: z.literal('decide-blocklist'),
    blocklistId: id,
    state: z.enum(['approved', 'rejected']),
    upTo: id,
  }),
  // Uploaded file of limits.
  z.object({ kind: z.literal('import-blocklist'), blocklistId: id, key: z.string(), overwrite: z.boolean() }),
  // Statuses of a remote account from before the first follow; `part` is what an earlier run left.
  z.object({
    kind: z.literal('backfill-account'),
    accountId: id,
    part: z
      .object({
        posts: z.array(z.object({ uri: z.string(), isPinned: z.boolean() })),
        total: id.nullable(),
        fed: id,
      })
      .exactOptional(),
  }),
  // Next sessions and tokens of an own account that is being deleted, at last the account.
  z.object({ kind: z.literal('continue-account-deletion'), accountId: id }),
  // Next members who dismissed a removed announcement, or reacted to it.
  z.object({ kind: z.literal('continue-announcement-removal'), announcementId: id }),
  // Rest of a fan-out: inboxes after `after`, in the order of their names.
  z.object({ kind: z.literal('continue-delivery'), eventId: id, event: FederatedEvent, after: z.string() }),
  // Next accounts of a domain that a member blocked.
  z.object({
    kind: z.literal('continue-domain-block'),
    accountId: id,
    domain: z.string(),
    severanceId: id,
    after: id,
  }),
  // Next statuses of an import of an archive that staff removed.
  z.object({ kind: z.literal('remove-archive-import'), importId: id }),
  // Pages that fields of the profile link to, which may link back.
  z.object({ kind: z.literal('verify-links'), accountId: id }),
  // Next steps of a long task on the row `unit`.
  z.object({ kind: z.literal('continue-long-task'), task: LongTaskName, unit: id }),
  // Next notifications of an account that it cleared, dismissed or let in, before the id `before`.
  z.object({
    kind: z.literal('continue-notifications'),
    accountId: id,
    before: id,
    change: z.discriminatedUnion('what', [
      z.object({ what: z.literal('clear') }),
      z.object({ what: z.literal('dismiss-group'), key: z.string() }),
      z.object({ what: z.literal('dismiss-senders'), senders: z.array(id) }),
      z.object({ what: z.literal('show'), senders: z.array(id) }),
    ]),
  }),
  // Step of the archive of an account, as its owner asked for.
  z.object({ kind: z.literal('build-archive'), archiveId: id, step: id }),
  // Next parts of the suspension of a server.
  z.object({ kind: z.literal('continue-suspension'), domain: z.string() }),
  z.object({ kind: z.literal('count-tag-uses'), featuredId: id }),
  // Rest of the statuses that a strike deletes or marks, or whose marks it no longer holds, behind `after`.
  z.object({ kind: z.literal('continue-strike'), strikeId: id, after: id }),
  // Next pictures of remote statuses that evidence of a report or a strike shows, counted from 0.
  z.object({
    kind: z.literal('copy-evidence'),
    reportId: id.nullable(),
    strikeId: id.nullable(),
    from: id,
    isRetry: z.boolean().exactOptional(),
  }),
  // Inboxes of a fan-out. Digests of followers by host, for a followers-only activity.
  z.object({
    kind: z.literal('deliver-part'),
    eventId: id,
    event: FederatedEvent,
    inboxes: z.array(z.string()),
    digests: z.record(z.string(), z.string()).nullable(),
  }),
  z.object({ kind: z.literal('delete-domain-media'), domain: z.string() }),
  z.object({ kind: z.literal('delete-files'), keys: z.array(z.string()) }),
  // Attempt to deliver an event to a webhook.
  z.object({ kind: z.literal('deliver-webhook'), deliveryId: id }),
  // Follows of local accounts by a suspended remote account; `eventId` is the severance event.
  z.object({ kind: z.literal('end-follows-of-suspended'), accountId: id, eventId: id }),
  // Deletion of a status with many rows, which is federated before they are deleted.
  z.object({ kind: z.literal('federate-removal'), statusId: id, eventId: id, event: StatusDeletion }),
  // Remote parent of this status; up to `levels` more ancestors follow.
  z.object({ kind: z.literal('fetch-ancestors'), statusId: id, levels: id }),
  // Published list of limits that the server subscribes to.
  z.object({ kind: z.literal('fetch-blocklist'), blocklistId: id }),
  // Preview of a link in a status, after a delay that spreads the requests of many servers.
  z.object({
    kind: z.literal('fetch-link-preview'),
    statusId: id,
    delaySeconds: id,
    link: z.string().exactOptional(),
  }),
  // Remote actor pinned an unknown status.
  z.object({
    kind: z.literal('fetch-pinned-status'),
    accountId: id,
    statusUri: z.string(),
    collection: z.string(),
  }),
  // Accepted relay passed on a status that is not stored.
  z.object({ kind: z.literal('fetch-relayed-status'), relayId: id, statusUri: z.string() }),
  // Remote actor reblogged an unknown status.
  z.object({
    kind: z.literal('fetch-reblogged-status'),
    accountId: id,
    uri: z.string(),
    statusUri: z.string(),
    visibility,
    publishedAt: id,
  }),
  // Replies to a remote status, `levels` deep; `rest` is what an earlier run left, `stored` the number of new ones so far.
  z.object({
    kind: z.literal('fetch-replies'),
    statusId: id,
    levels: id,
    stored: id.exactOptional(),
    rest: z.array(z.string()).exactOptional(),
  }),
  z.object({ kind: z.literal('generate-annual-report'), accountId: id, year: id }),
  // Next pictures of an archive of emojis, which is the file `key`, counted from 0.
  z.object({ kind: z.literal('import-emojis'), key: z.string(), category: z.string().nullable(), from: id }),
  // Next members to be mailed about new terms of service, after a delay that limits the rate.
  z.object({ kind: z.literal('mail-terms'), effectiveOn: z.string(), part: id, delaySeconds: id }),
  // Member whose mail about new terms failed.
  z.object({ kind: z.literal('mail-terms-to'), effectiveOn: z.string(), accountId: id }),
  // Rest of the followers of an account that moved.
  z.object({ kind: z.literal('move-followers'), accountId: id, targetAccountId: id }),
  // Next accounts that reblogged or quoted an edited status, and were not yet notified of the edit; `since` is its time here.
  z.object({
    kind: z.literal('notify-of-edit'),
    statusId: id,
    editedAt: id,
    since: id,
    after: z.object({ accountId: id, quoteId: id }),
  }),
  // Scheduled status that could not be published at its time and waits for its author.
  z.object({ kind: z.literal('notify-scheduled-failure'), accountId: id, scheduledId: id }),
  // Next voters to be notified that a poll has ended.
  z.object({ kind: z.literal('notify-voters'), pollId: id, after: id }),
  // Rest of the statuses and interactions of a deleted account.
  z.object({ kind: z.literal('purge-account-statuses'), accountId: id }),
  // Long list that is answered whole: its cache.
  z.object({
    kind: z.literal('rebuild-cached-list'),
    list: z.enum(['peers', 'limits', 'emojis', 'networks']),
    build: z.object({ id: z.number(), parts: z.number() }).optional(),
  }),
  // Forwarded activity about an object: only the server of the object is believed.
  z.object({ kind: z.literal('refetch-object'), uri: z.string(), hint: RefetchHint.optional() }),
  // Local custom emoji added, removed, enabled or disabled: texts that use it are updated. `after` is the last text
  // processed.
  z.object({
    kind: z.literal('refresh-emoji'),
    shortcode: z.string(),
    after: z.object({ kind: z.enum(['status', 'account', 'announcement']), subjectId: id }).nullable(),
  }),
  // Next follows that the suspension of a server ended, behind `after`.
  z.object({
    kind: z.literal('restore-follows'),
    eventId: id,
    after: z.object({ accountId: id, otherId: id, followed: z.boolean() }).nullable(),
  }),
  // Uploads that were deleted, some of them shown by evidence.
  z.object({ kind: z.literal('retire-files'), keys: z.array(z.string()) }),
  // Push service of one subscription failed; `attempt` counts from one.
  z.object({ kind: z.literal('retry-push'), subscriptionId: id, notificationId: id, attempt: id }),
  // Effects of committed events that were too many for one invocation: entries of the outbox.
  z.object({ kind: z.literal('run-effects'), entryIds: z.array(id) }),
  // Next part of a periodic task.
  z.object({ kind: z.literal('run-task'), task: z.string(), partsLeft: id }),
  // Part of an uploaded list of follows, blocks, mutes, lists or bookmarks.
  z.object({ kind: z.literal('run-import'), importId: id }),
  // Archive of an account that is ready.
  z.object({ kind: z.literal('send-archive-email'), archiveId: id }),
  // Decision about an appeal.
  z.object({ kind: z.literal('send-appeal-email'), appealId: id }),
  // Alert about what fails, by its cause: to the webhook of alerts, or by mail to an owner.
  z.object({
    kind: z.literal('send-alert'),
    cause: z.string(),
    isResolved: z.boolean(),
    accountId: id.nullable(),
  }),
  z.object({
    kind: z.literal('send-account-email'),
    accountId: id,
    purpose: z.enum(['confirm', 'reset', 'approved']),
  }),
  // A webhook was disabled because it failed for three days.
  z.object({ kind: z.literal('send-webhook-email'), accountId: id, webhookId: id }),
  z.object({ kind: z.literal('send-notification-emails'), notificationIds: z.array(id) }),
  // Web Push of these notifications; all up to `after` are done.
  z.object({
    kind: z.literal('send-push'),
    notificationIds: z.array(id),
    after: z.object({ subscriptionId: id, notificationId: id }).exactOptional(),
  }),
  // Mail that is stored until it is sent.
  z.object({ kind: z.literal('send-unsent-mail'), mailId: id }),
  // Files of a local account that was suspended, or is no longer; `after` is the last status done.
  z.object({ kind: z.literal('settle-files'), accountId: id, after: id }),
  // Uploads that this status released, or took over from a deleted one; `after` is the last upload done.
  z.object({ kind: z.literal('settle-uploads'), statusId: id, after: id }),
  // Server of a remote account whose list of local followers, at `url`, differs from the stored one.
  z.object({ kind: z.literal('sync-followers'), accountId: id, url: z.string() }),
  // Remote status quotes another and claims the consent of its author.
  z.object({ kind: z.literal('verify-quote'), statusId: id }),
])
export type Job = z.infer<typeof Job>

export type JobKind = Job['kind']
