import { Hono } from 'hono'
import type { Status } from '../../../contract/entities/status'
import { mediaLimits } from '../../../contract/limits'
import { combineQueries, constant, execute, map, type Query } from '../../../db/query'
import type { Attachment } from '../../../db/values'
import { type Viewer, type ViewerRef, viewerById } from '../../../domain/core/viewer'
import { type SavedReply, savedRepliesOf } from '../../../domain/drafts/saved-replies'
import { deleteDraft, draftOf } from '../../../domain/drafts/store'
import { attachmentOf } from '../../../domain/media/find'
import { uploadMedia } from '../../../domain/media/upload'
import { visibleStatus } from '../../../domain/statuses/find'
import { findScheduled, ownScheduled } from '../../../domain/statuses/scheduled/find-scheduled'
import { cancelScheduled } from '../../../domain/statuses/scheduled/schedule'
import { preferencesOf } from '../../../domain/users/defaults'
import { AppError, Invalid, NotFound } from '../../../errors'
import { isMultipart } from '../../../lib/params'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadStatuses, statusesById } from '../../../view/load/statuses'
import { presentAttachment } from '../../../view/present/media'
import { presentOnlyStatus } from '../../../view/present/status'
import { readCsrfFields } from '../../csrf'
import type { PageError } from '../../error-texts'
import { takeDraft } from '../../member-pages/draft'
import { notYetSent } from '../../member-pages/handle'
import { detourOf, type MemberFrame, showInShell, showMemberView } from '../../member-view'
import type { Markup } from '../../page'
import { WithErrors } from '../../page-context'
import { openPage } from '../../page-request'
import { paths } from '../../paths'
import { postView } from '../../posts/post-view'
import { pathOf } from '../../return-to'
import { keepUntilSignIn } from '../../unsent-form'
import { memberViewer } from '../interact/member-viewer'
import { Composer, type ComposerProps, undescribed } from './composer'
import { composerPath, contextOf, readContext } from './draft-lines'
import { formOf, keepTyped } from './drafts'
import { findPicker, type OpenPicker, pickerAfter, withEmoji } from './emoji-picker'
import { formWith, idIn, isQuick, partsOf, readTyped, type Typed, typedFieldsOf, withParts } from './form'
import { movedUp, without } from './media-lines'
import { emptyPart, emptyPoll, fieldName, hasRoom, mostPosts } from './parts'
import { freeUploads, publish, renderPosts } from './publish'
import { isSavedPress, savedReplyGone, withSavedReply } from './saved-replies'
import { takeShared } from './share'
import { type BesideComposer, besideComposer } from './side'
import {
  addressee,
  askedVisibility,
  choicesOf,
  leftOutOf,
  mentionsOf,
  scheduledAsTyped,
  sharedMedia,
  sharedText,
  usualChoices,
} from './start'

/** The composer as a page: new posts, replies, quotes and edits. */
export function composeRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.publish, showComposer)
  app.post(paths.publish, send)
  app.post(paths.share, takeShared)
  app.get(paths.share, (c) => c.redirect(`${paths.publish}${new URL(c.req.url).search}`))
  return app
}

/** Loads the post of an id as the member sees it; null without an id. `NotFound` where the member sees none. */
function relatedPost(ctx: Ctx, as: ViewerRef, id: number | null): Query<Status | null> {
  return map(relatedIfVisible(ctx, as, id), (status) => {
    if (status === null && id !== null) throw new NotFound()
    return status
  })
}

/** Loads the post of an id as the member sees it; null without an id, and where the member sees none. */
function relatedIfVisible(ctx: Ctx, as: ViewerRef, id: number | null): Query<Status | null> {
  if (id === null) return constant(null)
  const { config, clock } = ctx
  return map(loadStatuses(ctx, as, statusesById([id])), (bundle) => {
    if (bundle.ids.length === 0) return null
    const status = presentOnlyStatus({ config, now: clock.now() }, bundle)
    return status.reblog ?? status
  })
}

async function showComposer(c: AppContext): Promise<Response> {
  const ctx = c.get('ctx')
  const [replyTo = null, quoted = null, edited = null, scheduled = null] = [
    'reply_to',
    'quote',
    'edit',
    'scheduled',
  ].map((name) => idIn(c.req.query(name) ?? ''))
  const context = contextOf({ edited, scheduled, replyTo, quoted })
  // Text that a link brings along is a post of its own.
  const shared = sharedMedia(c)
  const isStarted = sharedText(c) !== '' || shared.length > 0 || c.req.query('to') !== undefined
  return showMemberView(c, {
    read: (_ctx, as) =>
      combineQueries({
        parent: relatedPost(ctx, as, replyTo),
        quote: relatedPost(ctx, as, quoted),
        source: edited === null ? constant(null) : visibleStatus(ctx, as, edited),
        saved: isStarted ? constant(null) : draftOf(ctx, as, context),
        beside: besideComposer(ctx, as, context),
        savedReplies: savedRepliesFor(ctx, as, replyTo),
        waiting: scheduled === null ? constant([]) : findScheduled(ctx, ownScheduled(as, scheduled)),
      }),
    show: async (frame, { parent, quote, source, saved, beside, savedReplies, waiting: [waiting] }) => {
      if (edited !== null && source?.accountId !== frame.session.accountId) throw new NotFound()
      const usual = usualChoices(await memberViewer(ctx, frame.session.accountId), parent)
      const typed: Typed = {
        ...usual,
        ...(source === null ? { visibility: askedVisibility(c) ?? usual.visibility } : choicesOf(source)),
        text: source?.text ?? (sharedText(c) || beginningOf(c, parent, frame)),
        scheduledAt: '',
        media:
          source?.attachments.map(({ id, description }) => ({
            id,
            description: description ?? '',
            focus: '',
          })) ?? shared,
        poll: null,
        more: [],
        published: null,
        replyTo,
        quoted,
        edited,
        scheduled: null,
        key: ctx.random.token(),
      }
      if (scheduled !== null && waiting === undefined) throw new NotFound()
      const opened =
        waiting === undefined ? typed : scheduledAsTyped(typed, waiting, frame.session.timeZone ?? 'UTC')
      const draft = await takeDraft(c, pathOf(c))
      const restored = saved === null ? opened : { ...readTyped(formOf(saved), typed), key: typed.key }
      return composerPage(ctx, frame, {
        typed: draft === null ? restored : readTyped(draft.form, opened),
        files: waiting?.media ?? source?.attachments ?? [],
        related: parent ?? quote,
        beside,
        savedReplies,
        startedWith: isStarted ? typed.text : null,
        problems: draft === null ? leftOutOf(c) : [notYetSent],
        savedAt: draft === null ? (saved?.updatedAt ?? null) : null,
      })
    },
  })
}

/** The saved replies that the composer of a reply offers; none without a post that is answered. */
function savedRepliesFor(ctx: Ctx, as: ViewerRef, replyTo: number | null): Query<readonly SavedReply[]> {
  return replyTo === null ? constant([]) : savedRepliesOf(ctx, as)
}

/** The people that a new text begins with. */
function beginningOf(c: AppContext, parent: Status | null, { session }: MemberFrame): string {
  return (parent === null ? '' : mentionsOf(parent, session.username)) + addressee(c)
}

interface Shown {
  readonly typed: Typed
  readonly related: Status | null
  readonly beside: BesideComposer
  readonly savedReplies: readonly SavedReply[]
  readonly hasMenuOpen?: boolean
  /** Files that are known before: those of a post that is edited. */
  readonly files?: readonly Attachment[]
  /** Refusal of the form; none of a form that was not sent yet. */
  readonly problems?: readonly PageError[]
  /** Time of the draft that is shown; none of a form that was sent. */
  readonly savedAt?: ComposerProps['savedAt']
  readonly hasJustSaved?: boolean
  readonly continues?: boolean
  /** The posts as they would be published. */
  readonly rendered?: readonly (string | null)[]
  readonly picker?: OpenPicker | null
  readonly startedWith?: ComposerProps['startedWith']
}

async function composerPage(
  ctx: Ctx,
  frame: MemberFrame,
  {
    typed,
    related,
    beside,
    savedReplies,
    hasMenuOpen = false,
    files = [],
    problems = [],
    savedAt = null,
    hasJustSaved = false,
    startedWith = null,
    continues = false,
    rendered = [],
    picker = null,
  }: Shown,
): Promise<Markup> {
  const { accountId } = frame.session
  const known = new Set(files.map(({ id }) => id))
  const media = partsOf(typed).flatMap((part) => part.media.filter(({ id }) => !known.has(id)))
  const rows = await freeUploads(ctx, accountId, { media, heldBy: typed.scheduled })
  const previews = new Map(
    [...files, ...rows.map(attachmentOf)].map((file) => [
      file.id,
      presentAttachment(ctx.config, file, accountId).preview_url,
    ]),
  )
  // A link may name any upload.
  const isLinked = startedWith !== null && typed.edited === null
  return (
    <WithErrors errors={problems.length > 0 ? { form: problems } : {}}>
      <Composer
        typed={isLinked ? { ...typed, media: typed.media.filter(({ id }) => previews.has(id)) } : typed}
        related={related === null ? null : postView(ctx.config, related, accountId)}
        context={contextOf(typed)}
        beside={beside}
        savedReplies={savedReplies}
        hasMenuOpen={hasMenuOpen}
        savedAt={savedAt}
        hasJustSaved={hasJustSaved}
        startedWith={startedWith}
        continues={continues}
        rendered={rendered}
        picker={picker}
        now={frame.now}
        previews={previews}
        mostCharacters={ctx.config.limits.statusCharacters}
      />
    </WithErrors>
  )
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
    return keepUntilSignIn(c, visit, { path: paths.publish, action: paths.publish, names, form })
  }
  const detour = await detourOf(c, visit, session)
  if (detour !== null) return detour
  const viewer = await memberViewer(ctx, session.accountId)
  const parent = isQuick(form) ? idIn(form('reply_to')) : null
  const press = form('press')
  const { answered, saved } = await execute(
    ctx.db,
    combineQueries({
      answered: relatedIfVisible(ctx, viewerById(viewer.id), parent),
      saved: isSavedPress(press) ? savedRepliesOf(ctx, viewerById(viewer.id)) : constant([]),
    }),
  )
  const usual = usualChoices(viewer, answered)
  // Of a post that is gone nobody knows any more for whom it was.
  const choices = parent !== null && answered === null ? { ...usual, visibility: 'direct' as const } : usual
  let typed = withSavedReply(withPressed(readTyped(form, choices), press), press, saved)
  const show = async (problems: readonly PageError[], rendered: Shown['rendered'] = []) => {
    const as = viewerById(viewer.id)
    const picked = pickerAfter(press)
    const found = combineQueries({
      related: relatedIfVisible(ctx, as, typed.published === null ? (typed.replyTo ?? typed.quoted) : null),
      beside: besideComposer(ctx, as, contextOf(typed)),
      savedReplies: savedRepliesFor(ctx, as, typed.replyTo),
      picker: picked === null ? constant(null) : findPicker(ctx, picked),
    })
    const hasJustSaved = problems.length === 0 && press === 'draft'
    const continues = problems.length === 0 && isToPublish(press) && typed.published !== null
    const hasMenuOpen = press === 'saved'
    const state = { typed, problems, rendered, hasJustSaved, continues, hasMenuOpen }
    const shown = { ...(await execute(ctx.db, found)), ...state }
    const frame = { session, now: ctx.clock.now() }
    const page = await composerPage(ctx, frame, shown)
    return showInShell(c, visit, page, { status: problems.length > 0 ? 422 : 200 })
  }
  try {
    for (const [at] of partsOf(typed).entries())
      for (const file of uploads(fieldName('file', at + 1))) {
        const parts = partsOf(typed)
        const part = parts[at] ?? emptyPart
        if (!hasRoom(part)) throw new Invalid('too_many_files', { max: mediaLimits.perStatus })
        await ctx.throttle.take('media', String(viewer.id))
        const { id } = await uploadMedia(ctx, viewer, { file })
        const media = [...part.media, { id, description: '', focus: '' }]
        typed = withParts(typed, parts.with(at, { ...part, media }))
      }
    if (press === 'discard') {
      await deleteDraft(ctx, viewer, contextOf(typed))
      return c.redirect(composerPath(contextOf(typed)), 303)
    }
    await removeBeside(ctx, viewer, press)
    if (press === 'draft') await keepTyped(ctx, viewer, formWith(form, typed))
    if (press === 'preview') return await show([], await renderPosts(ctx, viewer, typed))
    if (!isToPublish(press)) return await show(savedReplyGone(press, saved))
    if (press !== 'undescribed' && isToDescribe(viewer, typed)) return await show([undescribed])
    const sent = press === 'post_now' ? { ...typed, scheduledAt: '' } : typed
    const published = await publish(ctx, viewer, { typed: sent, timeZone: session.timeZone ?? 'UTC' })
    if (published.rest === null) {
      await deleteDraft(ctx, viewer, contextOf(typed))
      return c.redirect(published.path, 303)
    }
    typed = published.rest
    if (typed.published !== null) await keepTyped(ctx, viewer, formWith(form, typed))
    return await show(published.problems)
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

/** Whether a button publishes what was typed. */
function isToPublish(press: string): boolean {
  return press === 'post' || press === 'post_now' || press === 'undescribed'
}

/** Whether the member asked to be reminded of descriptions, and one is missing. */
function isToDescribe(viewer: Viewer, typed: Typed): boolean {
  if (!preferencesOf(viewer).remindsOfDescriptions) return false
  return partsOf(typed).some(({ media }) => media.some(({ description }) => description.trim() === ''))
}

/** Applies a press of one of the buttons of the form to what was typed. */
function withPressed(typed: Typed, press: string): Typed {
  const [name, argument] = press.split(':')
  const at = Number(argument ?? 1) - 1
  const parts = partsOf(typed)
  if (name === 'insert') return withEmoji(typed, press)
  if (name === 'add_post' && parts.length < mostPosts) return withParts(typed, [...parts, emptyPart])
  if (name === 'remove_post') return withParts(typed, parts.toSpliced(at, 1))
  const changed = parts.map((part, index) => {
    if (name === 'poll' && index === at) return { ...part, poll: part.poll === null ? emptyPoll : null }
    if (name === 'remove') return { ...part, media: without(part.media, Number(argument)) }
    if (name === 'up') return { ...part, media: movedUp(part.media, Number(argument)) }
    return part
  })
  return withParts(typed, changed)
}
