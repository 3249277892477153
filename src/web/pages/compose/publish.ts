import { execute } from '../../../db/query'
import type { ScheduledParams } from '../../../db/schema/schedules'
import { anonymousViewer, type Viewer, viewerById } from '../../../domain/core/viewer'
import { type MediaRow, unattachedMediaById } from '../../../domain/media/find'
import { updateMedia } from '../../../domain/media/upload'
import { createStatus } from '../../../domain/statuses/create'
import { parseDraft, type StatusDraft } from '../../../domain/statuses/draft'
import { createdWithKey } from '../../../domain/statuses/find-by-idempotency-key'
import { renderDrafts } from '../../../domain/statuses/preview'
import { reviseStatus } from '../../../domain/statuses/revise'
import { findScheduled, ownScheduled } from '../../../domain/statuses/scheduled/find-scheduled'
import { reviseScheduled, scheduleStatus } from '../../../domain/statuses/scheduled/schedule'
import { AppError, Invalid, NotFound } from '../../../errors'
import type { AccountId } from '../../../lib/ids'
import { knownLanguage } from '../../../lib/language'
import type { Ctx } from '../../../ports/ctx'
import { loadStatuses, statusesById } from '../../../view/load/statuses'
import { presentEmoji } from '../../../view/present/emoji'
import { emojisOf, renderEmojis } from '../../emojis'
import type { PageError } from '../../error-texts'
import { paths } from '../../paths'
import { partsOf, type Typed, withParts } from './form'
import { instantOf } from './local-time'
import type { TypedMedia } from './media-lines'
import type { Part } from './parts'

/** Statements that a post may need: measured 15 for words, 27 with a described picture. */
function statementsOf({ text, media, poll }: Part): number {
  return (
    17 +
    (text.includes('@') ? 6 : 0) +
    (media.length > 0 ? 8 + 4 * media.length : 0) +
    (poll === null ? 0 : 6)
  )
}

/** Statements of the page that shows what is left, with its draft. */
const statementsOfPage = 9

/** Outcome of a form: all of it and the path to go on with, or what is still to be published, and why. */
export type Published =
  | { readonly rest: null; readonly path: string }
  | { readonly rest: Typed; readonly problems: readonly PageError[] }

/** Publishes, schedules or edits what was typed. */
export async function publish(
  ctx: Ctx,
  viewer: Viewer,
  { typed, timeZone }: { readonly typed: Typed; readonly timeZone: string },
): Promise<Published> {
  const at = instantOf(typed.scheduledAt, timeZone)
  const isLater = at !== null && at > ctx.clock.now()
  if (typed.edited !== null) return editPost(ctx, viewer, { typed, id: typed.edited })
  if (typed.scheduled !== null)
    return editScheduled(ctx, viewer, { typed, id: typed.scheduled, at: isLater ? at : null })
  if (isLater && (typed.more.length > 0 || typed.published !== null))
    return { rest: typed, problems: ['client.threadNotScheduled'] }
  if (!isLater) return publishThread(ctx, viewer, typed)
  await ctx.throttle.take('statuses', String(viewer.id))
  const [part] = partsOf(typed)
  if (part === undefined) throw new Invalid('blank', { field: 'text' })
  await describe(ctx, viewer, part.media)
  await scheduleStatus(ctx, viewer, { draft: draftOf(typed, part), key: keyOf(typed, 0), at })
  return { rest: null, path: paths.scheduled }
}

/** Changes a scheduled post, or publishes it now without a time. */
async function editScheduled(
  ctx: Ctx,
  viewer: Viewer,
  { typed, id, at }: { readonly typed: Typed; readonly id: number; readonly at: Date | null },
): Promise<Published> {
  await ctx.throttle.take('statuses', String(viewer.id))
  try {
    const [before] = await execute(ctx.db, findScheduled(ctx, ownScheduled(viewerById(viewer.id), id)))
    const key = keyOf(typed, 0)
    const earlier = key === null ? null : await execute(ctx.db, createdWithKey(ctx, viewer.id, key).query)
    if (earlier?.kind === 'status') return { rest: null, path: `/@${viewer.username}/${earlier.id}?sent=1` }
    if (before === undefined) throw new NotFound()
    await describe(ctx, viewer, typed.media, id)
    const draft = withHiddenChoices(draftOf(typed, typed), before.row.params)
    if (at !== null) {
      await reviseScheduled(ctx, viewer, { id, draft, at })
      return { rest: null, path: paths.scheduled }
    }
    const made = await createStatus(ctx, viewer, {
      draft,
      key,
      replaces: id,
      read: (made) => loadStatuses(ctx, anonymousViewer, statusesById([made])),
    })
    const shown = made.kind === 'new' ? made.id : made.post.id
    return { rest: null, path: `/@${viewer.username}/${shown}?sent=1` }
  } catch (failure) {
    if (!(failure instanceof NotFound)) throw failure
    return { rest: { ...typed, scheduled: null }, problems: ['client.scheduledPostIsGone'] }
  }
}

/** The draft with what apps chose that the composer does not show. */
function withHiddenChoices(draft: StatusDraft, before: ScheduledParams): StatusDraft {
  const { sensitive, reblogPolicy, allowedMentions } = before
  const poll =
    draft.poll === undefined ? undefined : { ...draft.poll, hideTotals: before.poll?.hideTotals ?? false }
  return { ...draft, sensitive, reblogPolicy, allowedMentions, poll }
}

async function editPost(
  ctx: Ctx,
  viewer: Viewer,
  { typed, id }: { readonly typed: Typed; readonly id: number },
): Promise<Published> {
  await ctx.throttle.take('statuses', String(viewer.id))
  const mediaWords = typed.media.map(({ id: mediaId, description, focus }) => ({
    id: mediaId,
    description,
    focus: focus === '' ? undefined : focus,
  }))
  const revision = {
    text: typed.text,
    spoilerText: typed.warning,
    mediaIds: typed.media.map((one) => one.id),
    mediaWords,
    language: knownLanguage(typed.language) ?? undefined,
    sensitive: undefined,
    poll: pollOf(typed),
    quotePolicy: typed.quotePolicy,
  }
  await reviseStatus(ctx, viewer, { id, revision })
  return { rest: null, path: `/@${viewer.username}/${id}` }
}

/**
 * Publishes posts in their order, each as an answer to the one before. Each has an idempotency key, so that a form that is
 * sent again goes on where it stopped. Stops at the first that is refused, or when the invocation has no statements left
 * for another one: the rest is for another press.
 */
async function publishThread(ctx: Ctx, viewer: Viewer, typed: Typed): Promise<Published> {
  const refused = refusalOf(ctx, viewer, typed)
  if (refused !== null) return { rest: typed, problems: refused }
  const ids: number[] = []
  let rest = typed
  for (const part of partsOf(typed)) {
    if (ids.length > 0 && ctx.usage.statementsLeft() < statementsOf(part) + statementsOfPage)
      return { rest, problems: [] }
    try {
      const id = await publishPart(ctx, viewer, { typed: rest, part })
      ids.push(id)
      rest = without(rest, id)
    } catch (failure) {
      const isAttached = rest.published !== null || typed.replyTo !== null || typed.quoted !== null
      if (failure instanceof NotFound && isAttached) return detached(rest)
      if (ids.length === 0 || !(failure instanceof AppError)) throw failure
      return { rest, problems: failure.problems }
    }
  }
  const [first] = ids
  // Undo is for one post: of several it would tear the first off.
  const note = ids.length === 1 && typed.published === null ? '?sent=1' : ''
  return { rest: null, path: `/@${viewer.username}/${first}${note}` }
}

/** Reasons for which a post of a thread cannot be published, found before the first one is; null for none. */
function refusalOf(ctx: Ctx, viewer: Viewer, typed: Typed): readonly PageError[] | null {
  if (typed.more.length === 0) return null
  const rules = {
    statusCharacters: ctx.config.limits.statusCharacters,
    contentType: viewer.settings.defaultContentType ?? 'text/plain',
  }
  for (const [index, part] of partsOf(typed).entries())
    try {
      parseDraft(
        draftOf(index === 0 ? typed : { ...typed, published: { count: index, last: 0 } }, part),
        rules,
      )
    } catch (failure) {
      if (!(failure instanceof Invalid)) throw failure
      return [{ text: 'client.inPostNumber', values: { number: index + 1 } }, ...failure.problems]
    }
  return null
}

/** Takes the first post out of a form, which is published as `id`. */
function without(typed: Typed, id: number): Typed {
  const published = { count: (typed.published?.count ?? 0) + 1, last: id }
  return { ...withParts(typed, typed.more), published }
}

/** The form as that of a new post: what it answered or quoted is gone. */
function detached(typed: Typed): Published {
  const rest = { ...typed, replyTo: null, quoted: null, published: null }
  return { rest, problems: ['client.answeredPostIsGone'] }
}

async function publishPart(
  ctx: Ctx,
  viewer: Viewer,
  { typed, part }: { readonly typed: Typed; readonly part: Part },
): Promise<number> {
  await ctx.throttle.take('statuses', String(viewer.id))
  // Of a form that is sent twice, the first post has the uploads already.
  await describe(ctx, viewer, part.media)
  const made = await createStatus(ctx, viewer, {
    draft: draftOf(typed, part),
    key: keyOf(typed, typed.published?.count ?? 0),
    read: (id) => loadStatuses(ctx, anonymousViewer, statusesById([id])),
  })
  return made.kind === 'new' ? made.id : made.post.id
}

function keyOf({ key }: Typed, index: number): string | null {
  if (key === '') return null
  return index === 0 ? `web ${key}` : `web ${key} ${index}`
}

/** A post of the form as the domain takes it. */
function draftOf(typed: Typed, part: Part): StatusDraft {
  const { published, replyTo, quoted } = typed
  return {
    text: part.text,
    spoilerText: part.warning,
    contentType: typed.contentType,
    visibility: typed.visibility,
    language: knownLanguage(typed.language) ?? undefined,
    inReplyToId: published?.last ?? replyTo ?? undefined,
    quotedId: published === null ? (quoted ?? undefined) : undefined,
    mediaIds: part.media.map(({ id }) => id),
    poll: pollOf(part),
    quotePolicy: typed.quotePolicy,
    replyPolicy: typed.replyPolicy,
    localOnly: typed.isLocalOnly,
  }
}

/** Renders the posts of a form as they would be published; null for those without text. */
export async function renderPosts(
  ctx: Ctx,
  viewer: Viewer,
  typed: Typed,
): Promise<readonly (string | null)[]> {
  const parts = partsOf(typed)
  const { contentType } = typed
  const written = parts.filter(({ text }) => text.trim() !== '')
  const drafts = written.map(({ text }) => ({ text, spoilerText: '', contentType, mediaIds: [] }))
  const rendered = drafts.length === 0 ? [] : await renderDrafts(ctx, viewer, drafts)
  return parts.map((part) => {
    const found = rendered[written.indexOf(part)]
    if (found === undefined) return null
    const emojis = found.emojis.map((emoji) => presentEmoji(ctx.config, emoji, viewer.id))
    return renderEmojis(found.content, emojisOf(emojis))
  })
}

function pollOf({ poll }: Pick<Part, 'poll'>): StatusDraft['poll'] {
  if (poll === null) return undefined
  return {
    options: poll.options.filter((option) => option.trim() !== ''),
    expiresInSeconds: poll.expiresInSeconds,
    multiple: poll.isMultiple,
    hideTotals: false,
  }
}

/** Stores descriptions and focal points of uploads where they changed. */
async function describe(
  ctx: Ctx,
  viewer: Viewer,
  media: readonly TypedMedia[],
  heldBy: number | null = null,
): Promise<void> {
  const lines = new Map(media.map((line) => [line.id, line]))
  for (const { id, description } of await freeUploads(ctx, viewer.id, { media, heldBy })) {
    const { description: wanted = '', focus = '' } = lines.get(id) ?? {}
    if (wanted === (description ?? '') && focus === '') continue
    const patch = { description: wanted, focus: focus === '' ? undefined : focus }
    await updateMedia(ctx, viewer, { id, patch, heldBy })
  }
}

/** The uploads among `media` that no post has yet, but the scheduled post `heldBy`. */
export async function freeUploads(
  ctx: Ctx,
  owner: AccountId,
  { media, heldBy }: { readonly media: readonly TypedMedia[]; readonly heldBy: number | null },
): Promise<readonly MediaRow[]> {
  const ids = media.map(({ id }) => id)
  return ids.length === 0 ? [] : execute(ctx.db, unattachedMediaById(ctx, owner, { ids, heldBy }))
}
