import type { Status } from '../../../contract/entities/status'
import { parseHandle } from '../../../contract/handle'
import { combineQueries } from '../../../db/query'
import { type Imported, importOf } from '../../../domain/statuses/archived/find-imports'
import { threadSelection } from '../../../domain/timelines/thread'
import { NotFound } from '../../../errors'
import type { AppContext } from '../../../ports/app-env'
import { loadStatuses } from '../../../view/load/statuses'
import { withoutHidden } from '../../../view/present/filter'
import { presentStatuses } from '../../../view/present/status'
import { CsrfField } from '../../components/form'
import { Icon } from '../../components/icon'
import { ImportedPost } from '../../components/import-note'
import type { AboutLinks } from '../../components/layout'
import { Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { showMemberView } from '../../member-view'
import { paths } from '../../paths'
import { redraftPath } from '../../posts/acts'
import { type PostView, postView } from '../../posts/post-view'
import { Thread } from '../../posts/thread'

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
  const acct = handle.domain === null ? handle.username : `${handle.username}@${handle.domain}`
  return showMemberView(c, {
    forVisitors,
    read: (ctx, as) =>
      combineQueries({
        bundle: loadStatuses(ctx, as, threadSelection(as, { id, now: ctx.clock.now(), isShort: true })),
        imported: importOf(ctx, id),
      }),
    show: (frame, { bundle, imported }) => {
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
      return (
        <ThreadPage
          about={{ url: status.url ?? status.uri, activityUri: status.uri }}
          ancestors={views(thread.slice(0, at))}
          post={postView(config, status, frame.session.accountId)}
          imported={imported}
          isJustSent={isJustSent && status.account.id === String(frame.session.accountId)}
          replies={views(thread.slice(at + 1))}
        />
      )
    },
  })
}

export interface ThreadPageProps {
  readonly ancestors: readonly PostView[]
  readonly about: AboutLinks
  readonly post: PostView
  /** Null for a post that was written here. */
  readonly imported: Imported | null
  /** The composer led here: the post can be taken back. */
  readonly isJustSent: boolean
  readonly replies: readonly PostView[]
}

export function ThreadPage(props: ThreadPageProps) {
  const { ancestors, post, imported, isJustSent, replies } = props
  const t = useTranslation()
  const title = t('status.postByName', { name: post.author.name })
  return (
    <Shell about={props.about} title={title} place={null} isPrivate>
      <ViewHead title={t('client.post')} back={paths.home} />
      {isJustSent && <PostSent id={post.id} />}
      {imported !== null && <ImportedPost source={imported.source} />}
      <Thread ancestors={ancestors} post={post} replies={replies} />
    </Shell>
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
