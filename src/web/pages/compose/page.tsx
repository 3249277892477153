import { Hono } from 'hono'
import { combineQueries, constant, execute, map, type Query } from '../../../db/query'
import { anonymousViewer, type Viewer, type ViewerRef, viewerById } from '../../../domain/core/viewer'
import { attachmentOf, unattachedMediaById } from '../../../domain/media/find'
import { updateMedia } from '../../../domain/media/update'
import { uploadMedia } from '../../../domain/media/upload'
import { createStatus } from '../../../domain/statuses/create'
import { visibleStatus } from '../../../domain/statuses/find'
import { reviseStatus } from '../../../domain/statuses/revise'
import { scheduleStatus } from '../../../domain/statuses/scheduled/schedule'
import { preferencesOf } from '../../../domain/users/defaults'
import { AppError, NotFound } from '../../../errors'
import { knownLanguage } from '../../../lib/language'
import { isMultipart } from '../../../lib/params'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadStatuses, statusesById } from '../../../view/load/statuses'
import { presentAttachment } from '../../../view/present/media'
import { presentOnlyStatus } from '../../../view/present/status'
import { readCsrfFields } from '../../csrf'
import { detourOf, type MemberFrame, memberFrameOf, showMemberView } from '../../member-view'
import { type Markup, showPage } from '../../page'
import { openPage } from '../../page-request'
import { paths } from '../../paths'
import { type PostView, postView } from '../../posts/post-view'
import { toSignIn } from '../../return-to'
import { memberViewer } from '../interact/member-viewer'
import { Composer } from './composer'
import { idIn, readTyped, type Typed } from './form'
import { instantOf } from './local-time'
import { mostMedia, movedUp, without } from './media-lines'

/** The composer as a page: new posts, replies, quotes and edits. */
export function composeRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.publish, showComposer)
  app.post(paths.publish, send)
  app.get(paths.share, (c) => c.redirect(`${paths.publish}${new URL(c.req.url).search}`))
  return app
}

/** Loads the post of an id as the member sees it; null without an id. */
function relatedPost(
  ctx: Ctx,
  as: ViewerRef,
  id: number | null,
): Query<ReturnType<typeof presentOnlyStatus> | null> {
  if (id === null) return constant(null)
  const { config, clock } = ctx
  return map(loadStatuses(ctx, as, statusesById([id])), (bundle) => {
    if (bundle.ids.length === 0) throw new NotFound()
    const status = presentOnlyStatus({ config, now: clock.now() }, bundle)
    return status.reblog ?? status
  })
}

async function showComposer(c: AppContext): Promise<Response> {
  const ctx = c.get('ctx')
  const [replyTo, quoted, edited] = ['reply_to', 'quote', 'edit'].map((name) => idIn(c.req.query(name) ?? ''))
  return showMemberView(c, {
    read: (_ctx, as) =>
      combineQueries({
        parent: relatedPost(ctx, as, replyTo ?? null),
        quote: relatedPost(ctx, as, quoted ?? null),
        source: edited == null ? constant(null) : visibleStatus(ctx, as, edited),
      }),
    show: async (frame, { parent, quote, source }) => {
      if (edited != null && source?.accountId !== frame.session.accountId) throw new NotFound()
      const viewer = await memberViewer(ctx, frame.session.accountId)
      const defaults = preferencesOf(viewer)
      const others = parent === null ? [] : othersIn(parent, frame.viewer.acct)
      const typed: Typed = {
        text: source?.text ?? (sharedText(c) || others.map((acct) => `@${acct} `).join('')),
        warning: source?.spoilerText ?? parent?.spoiler_text ?? '',
        visibility: source?.visibility ?? narrower(defaults.visibility, parent?.visibility ?? 'public'),
        quotePolicy: source?.quotePolicy ?? defaults.quotePolicy,
        isLocalOnly: source?.localOnly ?? parent?.local_only === true,
        language: source?.language ?? parent?.language ?? defaults.language ?? '',
        scheduledAt: '',
        media: (source?.attachments ?? []).map(({ id, description }) => ({
          id,
          description: description ?? '',
        })),
        poll: null,
        replyTo: replyTo ?? null,
        quoted: quoted ?? null,
        edited: edited ?? null,
        key: ctx.random.token(),
      }
      const related = parent ?? quote
      return composerPage(ctx, frame, {
        typed,
        related: related === null ? null : postView(ctx.config, related, frame.session.accountId),
        problem: null,
      })
    },
  })
}

/** The author of a post and the people it mentions, without the member. */
function othersIn(
  {
    account,
    mentions,
  }: { readonly account: { readonly acct: string }; readonly mentions: readonly { readonly acct: string }[] },
  own: string,
): readonly string[] {
  return [...new Set([account.acct, ...mentions.map(({ acct }) => acct)])].filter((acct) => acct !== own)
}

const widths = ['public', 'unlisted', 'private', 'direct'] as const

/** The narrower of two audiences. */
function narrower(one: (typeof widths)[number], other: (typeof widths)[number]) {
  return widths.indexOf(one) > widths.indexOf(other) ? one : other
}

/** Text that share buttons of other sites send, in Mastodon's order. */
function sharedText(c: AppContext): string {
  return ['title', 'text', 'url']
    .map((name) => (c.req.query(name) ?? '').trim())
    .filter((part) => part !== '')
    .join(' ')
}

interface Shown {
  readonly typed: Typed
  readonly related: PostView | null
  /** Sentence about what was refused. */
  readonly problem: string | null
}

async function composerPage(
  ctx: Ctx,
  frame: MemberFrame,
  { typed, related, problem }: Shown,
): Promise<Markup> {
  const ids = typed.media.map(({ id }) => id)
  const rows =
    ids.length === 0 ? [] : await execute(ctx.db, unattachedMediaById(ctx, frame.session.accountId, { ids }))
  const previews = new Map(
    rows.map((row) => [
      row.id,
      presentAttachment(ctx.config, attachmentOf(row), frame.session.accountId).preview_url,
    ]),
  )
  return (
    <Composer
      {...frame}
      typed={typed}
      related={related}
      problem={problem}
      previews={previews}
      mostCharacters={ctx.config.limits.statusCharacters}
    />
  )
}

/** Handles a press of one of the buttons of the form: posts it, or shows it with one part more or less. */
async function send(c: AppContext): Promise<Response> {
  const ctx = c.get('ctx')
  const visit = await openPage(c)
  const { session } = visit
  if (session !== null && ctx.uploads !== null && isMultipart(c.req.raw.headers))
    return ctx.uploads.answer(session.accountId, c.req.raw)
  const { form, uploads } = await readCsrfFields(c, visit, { takesUploads: true, isKept: session === null })
  if (session === null) return toSignIn(c, paths.publish)
  const detour = await detourOf(c, visit, session)
  if (detour !== null) return detour
  const viewer = await memberViewer(ctx, session.accountId)
  let typed = withPressed(readTyped(form), form('press'))
  const showAgain = async (failure: unknown) => {
    if (!(failure instanceof AppError) || failure instanceof NotFound) throw failure
    const related = await execute(
      ctx.db,
      relatedPost(ctx, viewerById(viewer.id), typed.replyTo ?? typed.quoted),
    )
    const frame = await memberFrameOf(c, visit, session)
    const view = related === null ? null : postView(ctx.config, related, session.accountId)
    const page = await composerPage(ctx, frame, { typed, related: view, problem: failure.message })
    return showPage(c, page, { status: 422, playsMedia: true })
  }
  try {
    for (const file of uploads('file')) {
      if (typed.media.length >= mostMedia) break
      const { id } = await uploadMedia(ctx, viewer, { file })
      typed = { ...typed, media: [...typed.media, { id, description: '' }] }
    }
    if (form('press') !== 'post') return showUnsent(c, { ctx, typed, viewer })
    return c.redirect(await publish(ctx, viewer, { typed, timeZone: session.timeZone ?? 'UTC' }), 303)
  } catch (failure) {
    return showAgain(failure)
  }
}

async function showUnsent(
  c: AppContext,
  { ctx, typed, viewer }: { readonly ctx: Ctx; readonly typed: Typed; readonly viewer: Viewer },
): Promise<Response> {
  const visit = await openPage(c)
  const { session } = visit
  if (session === null) return toSignIn(c, paths.publish)
  const as = viewerById(viewer.id)
  const related = await execute(ctx.db, relatedPost(ctx, as, typed.replyTo ?? typed.quoted))
  const view = related === null ? null : postView(ctx.config, related, session.accountId)
  const frame = await memberFrameOf(c, visit, session)
  return showPage(c, await composerPage(ctx, frame, { typed, related: view, problem: null }), {
    playsMedia: true,
  })
}

/** The form after a press of one of its buttons. */
function withPressed(typed: Typed, press: string): Typed {
  const [name, id] = press.split(':')
  if (name === 'poll') return { ...typed, poll: typed.poll === null ? emptyPoll : null }
  if (name === 'remove') return { ...typed, media: without(typed.media, Number(id)) }
  if (name === 'up') return { ...typed, media: movedUp(typed.media, Number(id)) }
  return typed
}

const emptyPoll = { options: ['', '', '', ''], expiresInSeconds: 86_400, isMultiple: false }

/** Publishes, schedules or edits the post; returns the path of the page to go on with. */
async function publish(
  ctx: Ctx,
  viewer: Viewer,
  { typed, timeZone }: { readonly typed: Typed; readonly timeZone: string },
): Promise<string> {
  await ctx.throttle.take('statuses', String(viewer.id))
  const poll =
    typed.poll === null
      ? undefined
      : {
          options: typed.poll.options.filter((option) => option.trim() !== ''),
          expiresInSeconds: typed.poll.expiresInSeconds,
          multiple: typed.poll.isMultiple,
          hideTotals: false,
        }
  const mediaIds = typed.media.map(({ id }) => id)
  const language = knownLanguage(typed.language) ?? undefined
  if (typed.edited !== null) {
    const mediaWords = typed.media.map(({ id, description }) => ({ id, description, focus: undefined }))
    const revision = {
      text: typed.text,
      spoilerText: typed.warning,
      mediaIds,
      mediaWords,
      language,
      sensitive: undefined,
      poll,
      quotePolicy: typed.quotePolicy,
    }
    await reviseStatus(ctx, viewer, { id: typed.edited, revision })
    return `/@${viewer.username}/${typed.edited}`
  }
  for (const { id, description } of typed.media)
    if (description !== '') await updateMedia(ctx, viewer, { id, patch: { description } })
  const draft = {
    text: typed.text,
    spoilerText: typed.warning,
    visibility: typed.visibility,
    language,
    inReplyToId: typed.replyTo ?? undefined,
    quotedId: typed.quoted ?? undefined,
    mediaIds,
    poll,
    quotePolicy: typed.quotePolicy,
    localOnly: typed.isLocalOnly,
  }
  const key = typed.key === '' ? null : `web ${typed.key}`
  const at = instantOf(typed.scheduledAt, timeZone)
  if (at !== null && at > ctx.clock.now()) {
    await scheduleStatus(ctx, viewer, { draft, key, at })
    return paths.scheduled
  }
  const made = await createStatus(ctx, viewer, {
    draft,
    key,
    read: (id) => loadStatuses(ctx, anonymousViewer, statusesById([id])),
  })
  const id = made.kind === 'new' ? made.id : made.post.id
  return `/@${viewer.username}/${id}`
}
