import { oembedUrl } from '../../../contract/addresses'
import type { Status } from '../../../contract/entities/status'
import { parseHandle } from '../../../contract/handle'
import { combineQueries } from '../../../db/query'
import { selectByHandle } from '../../../domain/accounts/find'
import { anonymousViewer } from '../../../domain/core/viewer'
import { importOf } from '../../../domain/statuses/archived/find-imports'
import { authorBySession } from '../../../domain/statuses/find-author'
import { threadSelection } from '../../../domain/timelines/thread'
import { NotFound } from '../../../errors'
import type { AppContext } from '../../../ports/app-env'
import { loadAccounts } from '../../../view/load/accounts'
import { loadStatuses } from '../../../view/load/statuses'
import { presentStatuses } from '../../../view/present/status'
import { showPublicPage } from '../../page'
import { memberOf, openPageAs } from '../../page-request'
import { postView } from '../../posts/post-view'
import { redirectOrWarn } from '../../redirect'
import { contentOf, previewText, titleOf } from '../../status-view'
import { isOpenToAll, knownAccount, linkHeader } from './account'
import { showStatusElsewhere } from './elsewhere'
import { showThread } from './show-thread'
import { StatusPage } from './status'

/** Page of a status in its thread, for members and for visitors. */
export function showStatus(c: AppContext, text: string, id: number): Promise<Response> {
  return showThread(c, { handle: text, id, forVisitors: () => showStatusToVisitor(c, text, id) })
}

/** Page of a status as visitors see it; authors who wait for approval open all statuses they wrote. */
async function showStatusToVisitor(c: AppContext, text: string, id: number): Promise<Response> {
  const ctx = c.get('ctx')
  const { config, clock } = ctx
  const handle = parseHandle(text, config.ownDomains)
  if (handle === null) throw new NotFound()
  if (handle.domain !== null)
    return showStatusElsewhere(c, id, `${handle.username}@${handle.domain}`.toLowerCase())
  const now = clock.now()
  const { visit, found } = await openPageAs(c, (sessionHash) => {
    const reader = sessionHash === null ? anonymousViewer : authorBySession(sessionHash, id, now)
    return combineQueries({
      account: loadAccounts(ctx, selectByHandle(handle)),
      imported: importOf(ctx, id),
      thread: loadStatuses(ctx, reader, threadSelection(reader, { id, now, isShort: true })),
    })
  })
  const account = knownAccount(config, found.account)
  const thread = presentStatuses({ config, now }, found.thread)
  const middle = thread.findIndex((one) => one.id === String(id))
  const status = thread[middle]
  if (status === undefined || status.account.id !== account.id) throw new NotFound()
  const isForAll = isOpenToAll(status)
  // The query has checked this; private statuses must not hang on a single condition.
  if (!isForAll && memberOf(visit)?.accountId !== Number(account.id)) throw new NotFound()
  if (status.reblog !== null) return redirectOrWarn(c, status.reblog.url ?? status.reblog.uri)
  const shown = postView(config, status, null)
  const page = {
    isForAll,
    about: {
      url: shown.url,
      activityUri: status.uri,
      ...(isForAll ? { oembedUrl: oembedUrl(config.origin, shown.url) } : {}),
    },
    post: shown,
    imported: found.imported,
    ancestors: thread.slice(0, middle).map((one) => postView(config, one, null)),
    replies: thread.slice(middle + 1).map((one) => postView(config, one, null)),
    headline: titleOf(status),
    text: previewText(contentOf(status), shown.warning),
    imageUrl: previewImage(status) ?? shown.author.avatarUrl,
    isIndexable: account.indexable && account.limited !== true && isForAll && status.visibility === 'public',
  }
  return showPublicPage(c, visit, <StatusPage {...page} />, { Link: linkHeader(config, account, status.uri) })
}

function previewImage({ sensitive, spoiler_text: warning, media_attachments: media }: Status): string | null {
  if (sensitive || warning !== '') return null
  return media.find(({ type }) => type === 'image')?.preview_url ?? null
}
