import { eq, sql } from 'drizzle-orm'
import { publicPollId, removedAuthorId } from '../../contract/ids'
import { editLimits } from '../../contract/limits'
import { polls, pollVotes, statusEdits, statuses, statusLinks } from '../../db/schema'
import { Conflict } from '../../errors'
import type { AccountId, PollId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { addToConversations } from '../conversations/entries'
import type { Changes } from '../core/changes'
import { makeRemovedAuthor } from '../core/removed-author'
import { updateFeaturedCounts } from '../featured-tags/feature'
import { firstLink, requestPreview } from '../links/request-preview'
import type { StatusRow } from '../policy/visibility'
import type { PollRow } from '../polls/find'
import { fanOutByTag } from '../timelines/fan-out'
import type { EditAudience } from './find-affected-servers'
import { notifyOfEdit } from './notify-of-edit'
import type { PlannedPoll, StatusPlan } from './plan'
import { isVersion } from './remote/find-remote'
import { keepFormerTags, untag } from './remove'
import { statusRemoval } from './remove-in-parts'
import { addMentions, addTags } from './store'

type Mentions = StatusRow['mentions']

/** Content of one version of a status. */
export type StatusVersion = Pick<
  StatusRow,
  | 'text'
  | 'contentType'
  | 'content'
  | 'spoilerText'
  | 'sensitive'
  | 'language'
  | 'attachments'
  | 'mentions'
  | 'tags'
  | 'emojis'
> & {
  /** Accounts that may see it without being mentioned. */
  readonly addressed: readonly AccountId[]
  readonly poll: PlannedPoll | null
  readonly linkedCollections: readonly number[]
}

export interface Edit {
  readonly status: StatusRow
  readonly poll: PollRow | null
  readonly next: StatusVersion
  readonly at: Date
  /** Local accounts that reblogged or quoted it: the first of them. */
  readonly audience: EditAudience
}

/** True if a version differs from the stored content. Pure. Poll tallies do not count as content. */
export function hasChanged({ status, poll, next }: Pick<Edit, 'status' | 'poll' | 'next'>): boolean {
  const serialise = (version: Omit<StatusVersion, 'poll' | 'addressed'>, form: PollForm | null) =>
    JSON.stringify([
      version.text,
      version.contentType,
      version.content,
      version.spoilerText,
      version.sensitive,
      version.language,
      version.attachments.map(({ bytes: _bytes, ...shown }) => shown),
      form === null ? null : [form.options, form.multiple],
    ])
  return serialise(status, poll) !== serialise(next, next.poll)
}

/**
 * Adds the edit of a local or remote status: keeps the previous version, notifies newly mentioned accounts and
 * rebloggers. Accounts that could see the status keep access.
 *
 * A poll with other options restarts without votes, and clients know it by the same id. A concurrent edit makes the batch a `Conflict`.
 */
export function applyEdit(ctx: Ctx, changes: Changes, edit: Edit): void {
  const { status, next, at } = edit
  const { id } = status
  const { poll: _poll, addressed, ...content } = next
  const mentions = dateNewMentions(status.mentions, next.mentions, at)
  const pollId = changePoll(ctx, changes, edit)
  const card = changeLink(ctx, changes, edit) ? { card: null } : {}
  changes.require(isVersion(id, status.editedAt), new Conflict('changed_meanwhile')).add(
    keepVersion(ctx, edit),
    ctx.db
      .update(statuses)
      .set({ ...content, ...card, mentions, pollId, editedAt: at })
      .where(eq(statuses.id, id)),
  )
  changes.publish({ kind: 'status.edited', statusId: id })
  addMentions(ctx, changes, { id, mentions: next.mentions, addressed })
  changeTags(ctx, changes, edit)
  addNotifications(ctx, changes, edit)
}

/** Dates new mentions: earlier versions were not addressed to them. */
function dateNewMentions(before: Mentions, next: Mentions, at: Date): Mentions {
  const named = new Map(before.map((mention) => [mention.id, mention]))
  return next.map((mention) => {
    const known = named.get(mention.id)
    const since = known === undefined ? at.getTime() : known.since
    return since === undefined ? mention : { ...mention, since }
  })
}

/** Returns true if the first link changed. Deletes the old preview card and requests the new one. */
function changeLink({ db, config }: Ctx, changes: Changes, { status, next }: Edit): boolean {
  const [before, after] = [firstLink(config, status.content), firstLink(config, next.content)]
  if (before === after) return false
  if (before !== null) changes.add(db.delete(statusLinks).where(eq(statusLinks.statusId, status.id)))
  requestPreview(config, changes, { id: status.id, local: status.local, content: next.content })
  return true
}

/** Stores at most as many versions as are shown: a remote server may update a status any number of times. */
function keepVersion(ctx: Ctx, { status, poll }: Edit) {
  const { id, text, contentType, content, spoilerText, sensitive, attachments, emojis } = status
  const options = poll === null ? null : JSON.stringify(poll.options)
  const createdAt = (status.editedAt ?? status.createdAt).getTime()
  return ctx.db.run(sql`insert into ${statusEdits} (id, status_id, text, content_type, content, spoiler_text,
      sensitive, attachments, emojis, poll_options, created_at)
    select ${ctx.ids.next()}, ${id}, ${text}, ${contentType}, ${content}, ${spoilerText},
      ${sensitive ? 1 : 0}, ${JSON.stringify(attachments)}, ${JSON.stringify(emojis)}, ${options}, ${createdAt}
    where (select count(*) from ${statusEdits} where status_id = ${id}) < ${editLimits.versions}`)
}

function changeTags(ctx: Ctx, changes: Changes, { status, next }: Edit): void {
  const without = (tags: StatusPlan['tags'], others: StatusPlan['tags']) =>
    tags.filter(({ name }) => !others.some((other) => other.name === name))
  const [removed, added] = [without(status.tags, next.tags), without(next.tags, status.tags)]
  if (removed.length > 0)
    changes.add(
      untag(ctx, status.id, removed),
      ...(status.visibility === 'public' ? [keepFormerTags(ctx, status.id, removed)] : []),
      ...updateFeaturedCounts(ctx, { ...status, tags: removed }, -1),
    )
  addTags(ctx, changes, { id: status.id, tags: added })
  changes.add(...updateFeaturedCounts(ctx, { ...status, tags: added }, 1))
  if (added.length > 0 && status.visibility === 'public') changes.add(...fanOutByTag(ctx, status.id))
}

function addNotifications(ctx: Ctx, changes: Changes, { status, next, at, audience }: Edit): void {
  const isDirect = status.visibility === 'direct'
  const about = { type: 'mention', from: status.accountId, statusId: status.id, isDirect } as const
  const named = next.mentions.filter(({ id }) => !status.mentions.some((mention) => mention.id === id))
  if (isDirect && named.length > 0) changes.add(addNewParticipants(ctx, status, { next, named }))
  const mentioned = named.map(({ id }) => ({ ...about, to: id }))
  notifyOfEdit(ctx, changes, { status, audience, mentioned, editedAt: at, since: ctx.clock.now() })
}

/** Adds new mentions to conversations; existing participants keep theirs. */
function addNewParticipants(
  ctx: Ctx,
  status: StatusRow,
  { next, named }: { readonly next: StatusVersion; readonly named: StatusVersion['mentions'] },
) {
  const ids = (mentions: StatusVersion['mentions']) => mentions.map((mention) => mention.id)
  return addToConversations(ctx, { ...status, named: ids(next.mentions) }, ids(named))
}

type PollForm = Pick<PlannedPoll, 'options' | 'multiple'>

/** True if both polls have the same options and kind. */
export function isSamePoll(one: PollForm, other: PollForm): boolean {
  return one.multiple === other.multiple && JSON.stringify(one.options) === JSON.stringify(other.options)
}

function changePoll(ctx: Ctx, changes: Changes, { status, poll, next, at }: Edit): PollId | null {
  const same = poll !== null && next.poll !== null && isSamePoll(poll, next.poll)
  const retires = poll !== null && !same && hasManyVotes(poll)
  if (retires) retirePoll(ctx, changes, poll)
  if (next.poll === null) {
    if (poll !== null && !retires) changes.add(ctx.db.delete(polls).where(eq(polls.id, poll.id)))
    return null
  }
  if (poll === null || retires) {
    const id: PollId = ctx.ids.next()
    const publicId = poll === null ? null : publicPollId(poll)
    const row = { ...next.poll, id, publicId, statusId: status.id, accountId: status.accountId }
    changes.add(ctx.db.insert(polls).values(row))
    return id
  }
  const isPoll = eq(polls.id, poll.id)
  const { closedAt: _closedAt, ...counts } = next.poll
  if (!same) changes.add(ctx.db.delete(pollVotes).where(eq(pollVotes.pollId, poll.id)))
  // Cron closes an ended poll and notifies its voters. Vote counts of local polls are authoritative.
  const kept = status.local ? extendedPoll(poll, next.poll, at) : counts
  const set = same ? kept : next.poll
  changes.add(ctx.db.update(polls).set(set).where(isPoll))
  return poll.id
}

/** Keeps the votes of a local poll and moves its end; a closed poll reopens until then. */
function extendedPoll(poll: PollRow, { expiresAt, hideTotals }: PlannedPoll, at: Date) {
  const isOpen = expiresAt === null || expiresAt > at
  return { expiresAt, hideTotals, closedAt: isOpen ? null : poll.closedAt }
}

/** Statement that moves the end of a local poll with unchanged options. Without other changes this is no edit. */
export function extendPoll(ctx: Ctx, poll: PollRow, { next, at }: Pick<Edit, 'next' | 'at'>) {
  const set = next.poll === null ? { expiresAt: poll.expiresAt } : extendedPoll(poll, next.poll, at)
  return ctx.db.update(polls).set(set).where(eq(polls.id, poll.id))
}

/** Votes that may go with their poll, or from it, in one batch. */
const votesInOneBatch = 150

/** True if the poll has so many votes that it is deleted in parts. Pure. */
function hasManyVotes({ votesCount }: PollRow): boolean {
  return votesCount > votesInOneBatch
}

/** Takes the poll from its status: it belongs to an empty, removed one, with which a job deletes it in parts. */
function retirePoll(ctx: Ctx, changes: Changes, { id }: PollRow): void {
  const now = ctx.clock.now()
  const statusId: StatusId = ctx.ids.next()
  changes
    .add(
      makeRemovedAuthor(ctx),
      ctx.db.insert(statuses).values({
        id: statusId,
        accountId: removedAuthorId,
        local: false,
        visibility: 'private',
        conversationId: statusId,
        createdAt: now,
      }),
      // Closed polls send no notification when they end.
      ctx.db
        .update(polls)
        .set({ statusId, publicId: null, accountId: removedAuthorId, closedAt: now })
        .where(eq(polls.id, id)),
    )
    .enqueue(statusRemoval.job(statusId))
}
