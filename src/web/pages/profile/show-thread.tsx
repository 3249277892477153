import type { Child } from 'hono/jsx'
import type { Status } from '../../../contract/entities/status'
import { parseHandle } from '../../../contract/handle'
import { combineQueries, constant } from '../../../db/query'
import { findRefresh, type Refresh, refreshId, refreshSubject } from '../../../domain/core/async-refreshes'
import { hasSavedReplies } from '../../../domain/drafts/saved-replies'
import { draftOf } from '../../../domain/drafts/store'
import { type Imported, importOf } from '../../../domain/statuses/archived/find-imports'
import { fetchThreadInBackground } from '../../../domain/statuses/remote/fetch-thread'
import { countHiddenInThread, threadSelection } from '../../../domain/timelines/thread'
import { type Translatable, translatable, translateFound } from '../../../domain/translations/translate'
import { AppError, Forbidden, NotFound } from '../../../errors'
import type { AppContext } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadStatuses, type StatusBundle, withoutHidden } from '../../../view/load/statuses'
import { presentStatuses } from '../../../view/present/status'
import { CsrfField } from '../../components/form'
import type { AboutLinks } from '../../components/head'
import { Icon } from '../../components/icon'
import { ImportedPost } from '../../components/import-note'
import { Problems } from '../../components/problems'
import { Shell, ViewHead } from '../../components/shell'
import type { PageError } from '../../error-texts'
import { useTranslation } from '../../i18n/context'
import { memberReader } from '../../i18n/reader'
import { type MemberFrame, showMemberView } from '../../member-view'
import { WithErrors } from '../../page-context'
import { paths } from '../../paths'
import { redraftPath } from '../../posts/acts'
import { type PostView, postView } from '../../posts/post-view'
import { Thread, type ThreadProps } from '../../posts/thread'
import { ThreadMenu } from '../../posts/thread-menu'
import { type TranslatedPost, translatedPost } from '../../posts/translation'
import { waitingDraft } from '../compose/draft-lines'
import { mentionsOf } from '../compose/start'

interface ThreadRequest {
  readonly handle: string
  readonly id: number
  readonly forVisitors: () => Promise<Response>
}

/** A status in its thread as a member sees it, of accounts of all servers. */
export function showThread(
  c: AppContext,
  { handle: text, id, forVisitors }: ThreadRequest,
): Promise<Response> {
  const { config } = c.get('ctx')
  const handle = parseHandle(text, config.ownDomains)
  if (handle === null) throw new NotFound()
  const isTranslated = c.req.query('translate') !== undefined
  const acct = handle.domain === null ? handle.username : `${handle.username}@${handle.domain}`
  return showMemberView(c, {
    forVisitors,
    read: (ctx, as) => {
      const wanted = { id, now: ctx.clock.now(), isShort: true }
      return combineQueries({
        bundle: loadStatuses(ctx, as, threadSelection(as, wanted)),
        hiddenPeople: countHiddenInThread(ctx, as, wanted),
        imported: importOf(ctx, id),
        original: isTranslated ? translatable(ctx, as, id) : constant(null),
        draft: draftOf(ctx, as, `reply:${id}`),
        hasSaved: hasSavedReplies(ctx, as),
        refresh: findRefresh(ctx, refreshSubject.context(id)),
      })
    },
    show: async (frame, { bundle, hiddenPeople, imported, original, draft, hasSaved, refresh }) => {
      const shown = new Set(withoutHidden(bundle, 'thread').ids)
      const ids = bundle.ids.filter((one) => one === id || shown.has(one))
      const thread = presentStatuses({ config, now: frame.now }, { ...bundle, ids })
      const at = thread.findIndex((one) => one.id === String(id))
      const status = thread[at]
      const isJustSent = c.req.query('sent') !== undefined
      if (status === undefined) throw new NotFound()
      if (status.account.acct.toLowerCase() !== acct.toLowerCase()) throw new NotFound()
      if (status.reblog !== null) return c.redirect(`/@${status.reblog.account.acct}/${status.reblog.id}`)
      const views = (some: readonly Status[]) =>
        some.map((one) => postView(config, one, frame.session.accountId))
      const post = postView(config, status, frame.session.accountId)
      const translation = original === null ? null : await translate(c, frame, { post, status, original })
      const fetching = await fetchReplies(c.get('ctx'), bundle, id, refresh)
      const page = (
        <ThreadPage
          about={{ url: status.url ?? status.uri, activityUri: status.uri }}
          ancestors={views(thread.slice(0, at))}
          post={post}
          translation={translation !== null && 'post' in translation ? translation : null}
          imported={imported}
          isJustSent={isJustSent && status.account.id === String(frame.session.accountId)}
          replies={views(thread.slice(at + 1))}
          replyBeginning={mentionsOf(status, frame.session.username)}
          draft={waitingDraft(draft)}
          hasSavedReplies={hasSaved}
          refreshId={fetching}
          hidden={{ byFilters: bundle.ids.length - ids.length, byBlocks: hiddenPeople }}
        />
      )
      if (translation === null || 'post' in translation) return page
      return <WithErrors errors={{ form: translation.reasons }}>{page}</WithErrors>
    },
  })
}

/** Id by which scripts ask whether replies from other servers have come; null where none are fetched. */
async function fetchReplies(
  ctx: Ctx,
  { ids: [topId], statuses }: StatusBundle,
  id: number,
  refresh: Refresh | null,
): Promise<string | null> {
  const [status, top] = [statuses.get(id)?.status, statuses.get(topId ?? id)?.status]
  if (status === undefined || top === undefined) return null
  const running = await fetchThreadInBackground(ctx, { status, top, refresh })
  return running?.status === 'running' ? refreshId(ctx, running.subject) : null
}

interface Original {
  readonly post: PostView
  readonly status: Status
  readonly original: Translatable
}

/** The post in the language of the member, or the reasons why there is no translation. */
async function translate(
  c: AppContext,
  { session }: MemberFrame,
  { post, status, original }: Original,
): Promise<TranslatedPost | { readonly reasons: readonly PageError[] }> {
  const ctx = c.get('ctx')
  const language = session.locale === '' ? memberReader(c.req.raw, session).language : session.locale
  try {
    await ctx.throttle.take('translations', String(session.accountId))
    return translatedPost(post, status, await translateFound(ctx, original, language))
  } catch (failure) {
    if (failure instanceof Forbidden || failure instanceof NotFound)
      return { reasons: ['client.noTranslationForThisPost'] }
    if (!(failure instanceof AppError)) throw failure
    const isTooMuch = failure.status === 429
    return { reasons: [isTooMuch ? 'error.askedTooMuchShort' : 'client.translationServiceDoesNotAnswer'] }
  }
}

export interface ThreadPageProps extends ThreadProps {
  readonly about: AboutLinks
  /** Null for a post that was written here. */
  readonly imported: Imported | null
  /** The composer led here: the post can be taken back. */
  readonly isJustSent: boolean
  /** Null where no replies are being fetched. */
  readonly refreshId: string | null
  readonly hidden: HiddenPosts
}

/** Posts of a thread that the choices of the member leave out. */
interface HiddenPosts {
  readonly byFilters: number
  /** By blocks, mutes and blocked servers. */
  readonly byBlocks: number
}

export function ThreadPage({ about, imported, isJustSent, refreshId, hidden, ...thread }: ThreadPageProps) {
  const t = useTranslation()
  const { author, id } = thread.post
  const title = t('status.postByName', { name: author.name })
  return (
    <Shell about={about} title={title} place={null} isPrivate>
      <ViewHead title={t('client.post')} back={paths.home}>
        <ThreadMenu post={thread.post} />
      </ViewHead>
      {isJustSent && <PostSent id={id} />}
      {imported !== null && <ImportedPost source={imported.source} />}
      <Problems />
      <Thread {...thread} />
      <HiddenHere {...hidden} />
      {refreshId !== null && <MissingReplies id={refreshId} path={thread.post.path} />}
    </Shell>
  )
}

/** Says how many posts are missing because of the member's own choices, and where these are. */
function HiddenHere({ byFilters, byBlocks }: HiddenPosts) {
  const t = useTranslation()
  const linkTo = (href: string) => (words: Child[]) => <a href={href}>{words}</a>
  if (byFilters + byBlocks === 0) return null
  return (
    <p class="pad quiet">
      {byFilters > 0 && (
        <span>{t.rich('client.hiddenByFilters', { count: byFilters, link: linkTo(paths.filters) })}</span>
      )}
      {byFilters > 0 && byBlocks > 0 && <br />}
      {byBlocks > 0 && (
        <span>{t.rich('client.hiddenByBlocks', { count: byBlocks, link: linkTo(paths.blocks) })}</span>
      )}
    </p>
  )
}

/** Says that more replies are being fetched; scripts say what was found. */
function MissingReplies({ id, path }: { readonly id: string; readonly path: string }) {
  const t = useTranslation()
  return (
    <p
      class="waiting"
      role="status"
      data-refresh={id}
      data-found={t('client.moreRepliesFound')}
      data-none={t('client.noMoreReplies')}
    >
      <span class="spin" />
      <span class="said">{t('client.fetchingMoreReplies')}</span>
      <a href={path}>{t('client.reload')}</a>
    </p>
  )
}

/** Says that a post was sent, with the button that takes it back and opens its text again. */
function PostSent({ id }: { readonly id: string }) {
  const t = useTranslation()
  return (
    <form class="pad" method="post" action={redraftPath(id)}>
      <CsrfField />
      <input type="hidden" name="return_to" value={paths.publish} />
      <div class="note" role="status">
        <Icon name="check" />
        <div>
          {t('client.postSent')}{' '}
          <button type="submit" class="button low">
            {t('client.undo')}
          </button>
        </div>
      </div>
    </form>
  )
}
