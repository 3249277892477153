import { sql } from 'drizzle-orm'
import { combineQueries, execute, type Query } from '../../db/query'
import { statuses } from '../../db/schema'
import { Invalid, NotFound } from '../../errors'
import type { MediaId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { recordEmojiUses } from '../custom-emojis/shortcodes'
import { withFiles } from '../media/files'
import { type MediaRow, mediaOfStatus } from '../media/find'
import type { OwnStatus } from '../policy/visibility'
import { type PollRow, pollOfStatus } from '../polls/find'
import { applyEdit, extendPoll, hasChanged, type StatusVersion } from './apply-edit'
import { loadDraftFacts, resolveMentions } from './create'
import { isPendingApproval, parseDraft, type StatusDraft } from './draft'
import { ownStatus, statusExists } from './find'
import { type EditAudience, editAudience } from './find-affected-servers'
import { planStatus } from './plan'
import { type QuoteRow, quoteIn } from './quotes/find-quotes'
import { type MediaRevision, type RevisedMedia, reviseMedia, storeRevisedMedia } from './revise-media'

/** New content of a status. Undefined fields keep their value. */
export interface Revision {
  readonly text?: string | undefined
  readonly spoilerText?: string | undefined
  readonly quotePolicy?: StatusDraft['quotePolicy']
  readonly sensitive?: boolean | undefined
  readonly language?: string | undefined
  /** Every attachment in order; uploads not listed are detached. */
  readonly mediaIds?: readonly MediaId[] | undefined
  readonly mediaWords: readonly MediaRevision[]
  /** Null removes the poll. */
  readonly poll?: StatusDraft['poll'] | null
}

/**
 * Edits the author's own status and keeps the previous version: two round trips to load, one to commit.
 *
 * Unchanged content is no edit, and the quote policy changes without one. A poll with other options restarts
 * without votes. `NotFound` for a status by another author, `Invalid` as for new ones, and for a reblog. Emits
 * `status.updated`.
 */
export async function reviseStatus(
  ctx: Ctx,
  author: Viewer,
  { id, revision }: { readonly id: StatusId; readonly revision: Revision },
): Promise<void> {
  const facts = await execute(ctx.db, loadRevisionFacts(ctx, author, id))
  const { status } = facts
  if (status === null) throw new NotFound()
  if (status.reblogOfId !== null) throw new Invalid('reblog_not_editable')
  if (isPendingApproval(status)) throw new Invalid('parent_pending')
  const next = await nextVersion(ctx, author, { ...facts, status, revision })
  const edit = {
    status,
    poll: facts.poll,
    next: next.version,
    at: ctx.clock.now(),
    audience: withMentioned(facts.audience, status),
  }
  const changes = new Changes().require(statusExists(id), new NotFound())
  const policy = revision.quotePolicy ?? status.quotePolicy
  const isEdit = hasChanged(edit)
  if (isEdit) {
    applyEdit(ctx, changes, edit)
    changes.add(...recordEmojiUses(ctx, { kind: 'status', id }, next.shortcodes))
    storeRevisedMedia(ctx, changes, { ...next, id, author })
  }
  const extendsPoll = !isEdit && facts.poll !== null && revision.poll != null && next.version.poll !== null
  if (extendsPoll) changes.add(extendPoll(ctx, facts.poll, edit))
  if (policy !== status.quotePolicy)
    changes.add(ctx.db.update(statuses).set({ quotePolicy: policy }).where(sql`id = ${id}`))
  if (!isEdit && !extendsPoll && policy === status.quotePolicy) return
  changes.publish({ kind: 'status.edited', statusId: id })
  if (!status.localOnly) changes.emit({ kind: 'status.updated', accountId: author.id, statusId: id })
  const files = isEdit ? next.media.flatMap(({ file }) => file ?? []) : []
  await withFiles(ctx, files, () => commit(ctx, changes))
}

interface RevisionFacts {
  readonly status: OwnStatus | null
  readonly poll: PollRow | null
  readonly media: readonly MediaRow[]
  readonly audience: EditAudience
  readonly quote: QuoteRow | null
}

function loadRevisionFacts(ctx: Ctx, author: Viewer, id: StatusId): Query<RevisionFacts> {
  const at = sql<StatusId>`${id}`
  return combineQueries({
    status: ownStatus(ctx, author.id, id),
    poll: pollOfStatus(ctx, at),
    media: mediaOfStatus(ctx, id),
    audience: editAudience(ctx, at),
    quote: quoteIn(ctx, id),
  })
}

/** Adds previously mentioned accounts to the rebloggers: they interacted with the earlier version. */
function withMentioned(audience: EditAudience, { mentions }: OwnStatus): EditAudience {
  const rebloggers = new Set([...audience.rebloggers, ...mentions.map((mention) => mention.id)])
  return { ...audience, rebloggers: [...rebloggers] }
}

interface Revising {
  readonly status: OwnStatus
  readonly poll: PollRow | null
  readonly media: readonly MediaRow[]
  readonly quote: QuoteRow | null
  readonly revision: Revision
}

/** The new version, the uploads to claim, and every upload it may show. */
interface Next {
  readonly version: StatusVersion
  readonly claimed: readonly MediaId[]
  readonly media: readonly RevisedMedia[]
  readonly shortcodes: readonly string[]
}

/** Builds the new version by the rules of a new status. */
async function nextVersion(
  ctx: Ctx,
  author: Viewer,
  { status, poll, media: attached, quote, revision }: Revising,
): Promise<Next> {
  const mediaIds = revision.mediaIds ?? status.attachments.map((attachment) => attachment.id)
  const claimed = mediaIds.filter((id) => !attached.some((row) => row.id === id))
  const keepsPoll = revision.poll === undefined && poll !== null
  const draft = parseDraft(
    {
      text: revision.text ?? status.text,
      spoilerText: revision.spoilerText ?? status.spoilerText,
      contentType: status.contentType,
      visibility: status.visibility,
      sensitive: revision.sensitive ?? (losesWarning(status, revision) ? false : status.sensitive),
      language: revision.language ?? status.language ?? undefined,
      mediaIds,
      poll: revision.poll ?? undefined,
    },
    // A remaining poll was validated before and allows a blank text.
    {
      statusCharacters: ctx.config.limits.statusCharacters,
      contentType: status.contentType,
      mayBeBlank: keepsPoll,
      quotes: quote !== null,
    },
  )
  const { facts } = await execute(
    ctx.db,
    loadDraftFacts(ctx, author, { draft: { ...draft, mediaIds: claimed }, key: null }),
  )
  const media = await reviseMedia(ctx, [...facts.media, ...attached], revision.mediaWords)
  const resolved = await resolveMentions(ctx, {
    draft,
    facts: { ...facts, media: media.map(({ row }) => row) },
  })
  const { origin, ownDomains } = ctx.config
  const plan = planStatus(draft, resolved, {
    id: status.id,
    origin,
    ownDomains,
    now: ctx.clock.now(),
    pollId: ctx.ids.next(),
  })
  const {
    content,
    text = '',
    spoilerText = '',
    sensitive = false,
    emojis = [],
    attachments = [],
  } = plan.status
  return {
    claimed,
    media,
    shortcodes: draft.shortcodes,
    version: {
      text,
      spoilerText,
      sensitive,
      emojis,
      attachments,
      content: content ?? '',
      contentType: status.contentType,
      language: plan.status.language ?? null,
      mentions: plan.mentions,
      tags: plan.tags,
      addressed: [],
      poll: keepsPoll ? asPlanned(poll) : plan.poll,
      linkedCollections: plan.status.linkedCollections ?? [],
    },
  }
}

/**
 * True if the edit removes the warning. Without an explicit value it removes the sensitive flag too, as in
 * Mastodon.
 */
function losesWarning({ spoilerText }: OwnStatus, revision: Revision): boolean {
  return spoilerText !== '' && revision.spoilerText?.trim() === ''
}

function asPlanned({
  options,
  multiple,
  hideTotals,
  expiresAt,
  closedAt,
  tallies,
  votesCount,
  votersCount,
}: PollRow) {
  return { options, multiple, hideTotals, expiresAt, closedAt, tallies, votesCount, votersCount }
}
