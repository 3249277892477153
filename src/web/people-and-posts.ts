import { isOpenToStrangers } from '../config'
import { map, type Query } from '../db/query'
import { selectDirectory } from '../domain/accounts/find-directory'
import type { Page } from '../domain/core/page'
import { nobody } from '../domain/core/viewer'
import { type FeedAccess, shownHalves } from '../domain/timelines/access'
import { publicSelection } from '../domain/timelines/public'
import type { AppContext } from '../platform/app-env'
import type { Ctx } from '../platform/ports'
import { loadAccounts } from '../view/load/accounts'
import { loadStatuses } from '../view/load/statuses'
import { presentAccounts } from '../view/present/account'
import { presentStatuses } from '../view/present/status'
import type { ShownPerson } from './components/person-card'
import { previewText, shownAuthor, shownStatus } from './shown'
import type { ShownStatus } from './shown-status'
import { memberOf, type Visit } from './visit'

/** People of this server who want to be found, as strangers may meet them, whoever posted last first. One statement. */
export function peopleHere(
  ctx: Ctx,
  part: { readonly limit: number; readonly offset: number },
): Query<readonly ShownPerson[]> {
  const { config, clock } = ctx
  const selection = selectDirectory(nobody, { ...part, order: 'active', local: true }, clock.now())
  return map(loadAccounts(ctx, selection), (found) =>
    presentAccounts(config, found).map((account) => ({
      author: shownAuthor(config, account),
      intro: previewText(account.note),
    })),
  )
}

export interface PostsHere {
  readonly statuses: readonly ShownStatus[]
  readonly cursors: readonly number[]
  /** The selection stopped before the page was full: more may follow however short it is. */
  readonly endsEarly: boolean
}

/** What people of this server post for everybody, as strangers may see it, newest first. One statement. */
export function postsHere(ctx: Ctx, page: Page): Query<PostsHere> {
  const { config, clock } = ctx
  const now = clock.now()
  const filter = { local: true, remote: false, onlyMedia: false }
  return map(loadStatuses(ctx, nobody, publicSelection(nobody, filter, page, now)), (bundle) => ({
    statuses: presentStatuses({ config, now }, bundle).map((status) => shownStatus(config, status)),
    cursors: bundle.cursors,
    endsEarly: bundle.endsEarly,
  }))
}

/** Whether the operator lets this visitor look around at all. */
export function mayLookAround(c: AppContext, visit: Visit): boolean {
  return memberOf(visit) !== null || isOpenToStrangers(c.get('ctx').config)
}

/** Whether the operator lets them read what people of this server post. */
export function mayReadPosts(c: AppContext, visit: Visit, access: FeedAccess): boolean {
  return mayLookAround(c, visit) && shownHalves(access, memberOf(visit)).local
}
