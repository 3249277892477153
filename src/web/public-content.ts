import { map, type Query } from '../db/query'
import { selectDirectory } from '../domain/accounts/find-directory'
import type { Page } from '../domain/core/page'
import { anonymousViewer } from '../domain/core/viewer'
import { publicSelection } from '../domain/timelines/public'
import type { Ctx } from '../ports/ctx'
import { loadAccounts } from '../view/load/accounts'
import { loadStatuses } from '../view/load/statuses'
import { presentAccounts } from '../view/present/account'
import { presentStatuses } from '../view/present/status'
import type { Introduced } from './people/people-list'
import { type PostView, personView, postView } from './posts/post-view'
import { previewText } from './status-view'

/** Local accounts that want to be found, as visitors may see them, latest post first. One statement. */
export function listedPeople(
  ctx: Ctx,
  part: { readonly limit: number; readonly offset: number },
): Query<readonly Introduced[]> {
  const { config, clock } = ctx
  const selection = selectDirectory(anonymousViewer, { ...part, order: 'active', local: true }, clock.now())
  return map(loadAccounts(ctx, selection), (found) =>
    presentAccounts(config, found).map((account) => ({
      person: personView(config, account),
      intro: previewText(account.note),
    })),
  )
}

export interface PublicPosts {
  readonly posts: readonly PostView[]
  readonly cursors: readonly number[]
  /** The selection stopped before the page was full: more may follow however short it is. */
  readonly endsEarly: boolean
}

/** Public posts of local accounts, as visitors may see them, newest first. One statement. */
export function localPosts(ctx: Ctx, page: Page): Query<PublicPosts> {
  return publicPosts(ctx, { local: true, page })
}

/** Public posts of local accounts or of all, as visitors may see them, newest first. One statement. */
export function publicPosts(
  ctx: Ctx,
  { local, page }: { readonly local: boolean; readonly page: Page },
): Query<PublicPosts> {
  const { config, clock } = ctx
  const now = clock.now()
  const filter = { local, remote: false, onlyMedia: false }
  return map(
    loadStatuses(ctx, anonymousViewer, publicSelection(anonymousViewer, filter, page, now)),
    (bundle) => ({
      posts: presentStatuses({ config, now }, bundle).map((status) => postView(config, status, null)),
      cursors: bundle.cursors,
      endsEarly: bundle.endsEarly,
    }),
  )
}
