import { Hono } from 'hono'
import type { Status } from '../../../contract/entities/status'
import { mediaLimits } from '../../../contract/limits'
import { combineQueries, constant, execute, map, type Query } from '../../../db/query'
import { anonymousViewer, type Viewer, type ViewerRef, viewerById } from '../../../domain/core/viewer'
import { deleteDraft, draftOf } from '../../../domain/drafts/store'
import { attachmentOf, type MediaRow, unattachedMediaById } from '../../../domain/media/find'
import { updateMedia, uploadMedia } from '../../../domain/media/upload'
import { createStatus } from '../../../domain/statuses/create'
import { visibleStatus } from '../../../domain/statuses/find'
import { reviseStatus } from '../../../domain/statuses/revise'
import { cancelScheduled, scheduleStatus } from '../../../domain/statuses/scheduled/schedule'
import { preferencesOf } from '../../../domain/users/defaults'
import { AppError, Invalid, NotFound } from '../../../errors'
import type { AccountId } from '../../../lib/ids'
import { knownLanguage } from '../../../lib/language'
import { isMultipart } from '../../../lib/params'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadStatuses, statusesById } from '../../../view/load/statuses'
import { presentAttachment } from '../../../view/present/media'
import { presentOnlyStatus } from '../../../view/present/status'
import { type Form, readCsrfFields } from '../../csrf'
import type { PageError } from '../../error-texts'
import { keepDraft, takeDraft } from '../../member-pages/draft'
import { notYetSent } from '../../member-pages/handle'
import { detourOf, type MemberFrame, showInShell, showMemberView } from '../../member-view'
import type { Markup } from '../../page'
import { WithErrors } from '../../page-context'
import { openPage } from '../../page-request'
import { paths } from '../../paths'
import { postView } from '../../posts/post-view'
import { pathOf, toSignIn } from '../../return-to'
import { memberViewer } from '../interact/member-viewer'
import { Composer, type ComposerProps, undescribed } from './composer'
import { composerPath, contextOf, readContext } from './draft-lines'
import { formOf, keepTyped } from './drafts'
import { idIn, isQuick, readTyped, type Typed, typedFieldsOf, usualPollLength } from './form'
import { instantOf } from './local-time'
import { movedUp, without } from './media-lines'
import { type BesideComposer, besideComposer } from './side'
import { addressee, askedVisibility, choicesOf, mentionsOf, sharedText, usualChoices } from './start'

/** The composer as a page: new posts, replies, quotes and edits. */
export function composeRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.publish, showComposer)
  app.post(paths.publish, send)
  app.get(paths.share, (c) => c.redirect(`${paths.publish}${new URL(c.req.url).search}`))
  return app
}

/** Loads the post of an id as the member sees it; null without an id. */
function relatedPost(ctx: Ctx, as: ViewerRef, id: number | null): Query<Status | null> {
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
  const context = contextOf({ edited: edited ?? null, replyTo: replyTo ?? null, quoted: quoted ?? null })
  // Text that a link brings along is a post of its own.
  const isStarted = sharedText(c) !== '' || c.req.query('to') !== undefined
  return showMemberView(c, {
    read: (_ctx, as) =>
      combineQueries({
        parent: relatedPost(ctx, as, replyTo ?? null),
        quote: relatedPost(ctx, as, quoted ?? null),
        source: edited == null ? constant(null) : visibleStatus(ctx, as, edited),
        saved: isStarted ? constant(null) : draftOf(ctx, as, context),
        beside: besideComposer(ctx, as, context),
      }),
    show: async (frame, { parent, quote, source, saved, beside }) => {
      if (edited != null && source?.accountId !== frame.session.accountId) throw new NotFound()
      const usual = usualChoices(await memberViewer(ctx, frame.session.accountId), parent)
      const typed: Typed = {
        ...usual,
        ...(source === null ? { visibility: askedVisibility(c) ?? usual.visibility } : choicesOf(source)),
        text: source?.text ?? (sharedText(c) || beginningOf(c, parent, frame)),
        scheduledAt: '',
        media: (source?.attachments ?? []).map(({ id, description }) => ({
          id,
          description: description ?? '',
          focus: '',
        })),
        poll: null,
        replyTo: replyTo ?? null,
        quoted: quoted ?? null,
        edited: edited ?? null,
        key: ctx.random.token(),
      }
      const draft = await takeDraft(c, pathOf(c))
      const restored = saved === null ? typed : { ...readTyped(formOf(saved), typed), key: typed.key }
      return composerPage(ctx, frame, {
        typed: draft === null ? restored : readTyped(draft.form, typed),
        related: parent ?? quote,
        beside,
        startedWith: isStarted ? typed.text : null,
        problems: draft === null ? [] : [notYetSent],
        savedAt: draft === null ? (saved?.updatedAt ?? null) : null,
      })
    },
  })
}

/** The people that a new text begins with. */
function beginningOf(c: AppContext, parent: Status | null, { session }: MemberFrame): string {
  return (parent === null ? '' : mentionsOf(parent, session.username)) + addressee(c)
}

interface Shown {
  readonly typed: Typed
  readonly related: Status | null
  readonly beside: BesideComposer
  /** Refusal of the form; none of a form that was not sent yet. */
  readonly problems?: readonly PageError[]
  /** Time of the draft that is shown; none of a form that was sent. */
  readonly savedAt?: ComposerProps['savedAt']
  readonly hasJustSaved?: boolean
  readonly startedWith?: ComposerProps['startedWith']
}

async function composerPage(
  ctx: Ctx,
  frame: MemberFrame,
  { typed, related, beside, problems = [], savedAt = null, hasJustSaved = false, startedWith = null }: Shown,
): Promise<Markup> {
  const { accountId } = frame.session
  const rows = await freeUploads(ctx, accountId, typed)
  const previews = new Map(
    rows.map((row) => [row.id, presentAttachment(ctx.config, attachmentOf(row), accountId).preview_url]),
  )
  return (
    <WithErrors errors={problems.length > 0 ? { form: problems } : {}}>
      <Composer
        typed={typed}
        related={related === null ? null : postView(ctx.config, related, accountId)}
        context={contextOf(typed)}
        beside={beside}
        savedAt={savedAt}
        hasJustSaved={hasJustSaved}
        startedWith={startedWith}
        now={frame.now}
        previews={previews}
        mostCharacters={ctx.config.limits.statusCharacters}
      />
    </WithErrors>
  )
}

/** The uploads of a form that no post has yet. */
async function freeUploads(ctx: Ctx, owner: AccountId, { media }: Typed): Promise<readonly MediaRow[]> {
  const ids = media.map(({ id }) => id)
  return ids.length === 0 ? [] : execute(ctx.db, unattachedMediaById(ctx, owner, { ids }))
}

/** Handles a press of one of the buttons of the form: posts it, or shows it with one part more or less. */
async function send(c: AppContext): Promise<Response> {
  const ctx = c.get('ctx')
  const visit = await openPage(c)
  const { session } = visit
  if (session !== null && ctx.uploads !== null && isMultipart(c.req.raw.headers))
    return ctx.uploads.answer(session.accountId, c.req.raw)
  const isKept = session === null && visit.restricted === null
  const { form, uploads } = await readCsrfFields(c, visit, { takesUploads: true, isKept })
  if (session === null) {
    const names = typedFieldsOf(form)
    await keepDraft(c, { path: paths.publish, action: paths.publish, names, form })
    return toSignIn(c, paths.publish)
  }
  const detour = await detourOf(c, visit, session)
  if (detour !== null) return detour
  const viewer = await memberViewer(ctx, session.accountId)
  const parent = isQuick(form) ? idIn(form('reply_to')) : null
  const answered = await execute(ctx.db, relatedPost(ctx, viewerById(viewer.id), parent))
  let typed = withPressed(readTyped(form, usualChoices(viewer, answered)), form('press'))
  const show = async (problems: readonly PageError[]) => {
    const as = viewerById(viewer.id)
    const found = combineQueries({
      related: relatedPost(ctx, as, typed.replyTo ?? typed.quoted),
      beside: besideComposer(ctx, as, contextOf(typed)),
    })
    const hasJustSaved = problems.length === 0 && form('press') === 'draft'
    const shown = { ...(await execute(ctx.db, found)), typed, problems, hasJustSaved }
    const frame = { session, now: ctx.clock.now() }
    const page = await composerPage(ctx, frame, shown)
    return showInShell(c, visit, page, { status: problems.length > 0 ? 422 : 200 })
  }
  try {
    for (const file of uploads('file')) {
      if (typed.media.length >= mediaLimits.perStatus)
        throw new Invalid('too_many_files', { max: mediaLimits.perStatus })
      await ctx.throttle.take('media', String(viewer.id))
      const { id } = await uploadMedia(ctx, viewer, { file })
      typed = { ...typed, media: [...typed.media, { id, description: '', focus: '' }] }
    }
    const press = form('press')
    if (press === 'discard') {
      await deleteDraft(ctx, viewer, contextOf(typed))
      return c.redirect(composerPath(contextOf(typed)), 303)
    }
    await removeBeside(ctx, viewer, press)
    if (press === 'draft') await keepTyped(ctx, viewer, formWith(form, typed))
    if (press !== 'post' && press !== 'undescribed') return await show([])
    if (press === 'post' && isToDescribe(viewer, typed)) return await show([undescribed])
    const next = await publish(ctx, viewer, { typed, timeZone: session.timeZone ?? 'UTC' })
    await deleteDraft(ctx, viewer, contextOf(typed))
    return c.redirect(next, 303)
  } catch (failure) {
    if (!(failure instanceof AppError) || failure instanceof NotFound) throw failure
    return show(failure.problems)
  }
}

/** Deletes the draft or the scheduled post of a button beside the composer. One that is gone already stays gone. */
async function removeBeside(ctx: Ctx, viewer: Viewer, press: string): Promise<void> {
  const [kind, subject] = [press.slice(0, press.indexOf(':')), press.slice(press.indexOf(':') + 1)]
  const context = kind === 'drop' ? readContext(subject) : null
  if (context !== null) await deleteDraft(ctx, viewer, context)
  const id = kind === 'unschedule' ? idIn(subject) : null
  if (id === null) return
  try {
    await cancelScheduled(ctx, viewer, id)
  } catch (failure) {
    // Posted meanwhile, or deleted in another window: the list that follows shows it.
    if (!(failure instanceof NotFound)) throw failure
  }
}

/** Whether the member asked to be reminded of descriptions, and one is missing. */
function isToDescribe(viewer: Viewer, { media }: Typed): boolean {
  return (
    preferencesOf(viewer).remindsOfDescriptions && media.some(({ description }) => description.trim() === '')
  )
}

/** The form with the uploads that came along. */
function formWith(form: Form, { media }: Typed): Form {
  return (name) => (name === 'media_ids' ? media.map(({ id }) => id).join(',') : form(name))
}

/** The form after a press of one of its buttons. */
function withPressed(typed: Typed, press: string): Typed {
  const [name, id] = press.split(':')
  if (name === 'poll') return { ...typed, poll: typed.poll === null ? emptyPoll : null }
  if (name === 'remove') return { ...typed, media: without(typed.media, Number(id)) }
  if (name === 'up') return { ...typed, media: movedUp(typed.media, Number(id)) }
  return typed
}

const emptyPoll = { options: [], expiresInSeconds: usualPollLength, isMultiple: false }

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
    const mediaWords = typed.media.map(({ id, description, focus }) => ({
      id,
      description,
      focus: focus === '' ? undefined : focus,
    }))
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
  // Of a form that is sent twice, the first post has the uploads already.
  const lines = new Map(typed.media.map((line) => [line.id, line]))
  for (const { id, description } of await freeUploads(ctx, viewer.id, typed)) {
    const { description: wanted = '', focus = '' } = lines.get(id) ?? {}
    if (wanted === (description ?? '') && focus === '') continue
    const patch = { description: wanted, focus: focus === '' ? undefined : focus }
    await updateMedia(ctx, viewer, { id, patch })
  }
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
    replyPolicy: typed.replyPolicy,
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
  return `/@${viewer.username}/${id}?sent=1`
}
