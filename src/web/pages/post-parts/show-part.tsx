import type { Status } from '../../../contract/entities/status'
import { type Handle, parseHandle } from '../../../contract/handle'
import { combineQueries, type Query } from '../../../db/query'
import { anonymousViewer } from '../../../domain/core/viewer'
import { NotFound } from '../../../errors'
import type { AppContext } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadStatuses, type StatusBundle, statusesById } from '../../../view/load/statuses'
import { presentOnlyStatus } from '../../../view/present/status'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { showMemberView } from '../../member-view'
import { type Markup, showPublicPage } from '../../page'
import { openPageWith } from '../../page-request'
import { isOpenToAll } from '../profile/account'
import { showStatusElsewhere } from '../profile/elsewhere'

/** A post that the reader may see, with the facts that a page about a part of it loads besides. */
export interface FoundPost<F> {
  readonly status: Status
  readonly bundle: StatusBundle
  readonly facts: F
  readonly now: Date
  /** Account of the member; null for visitors. */
  readonly readerId: number | null
}

export interface PartOfPost<F> {
  /** Facts of the post with this id; shown only to those who may see the post. */
  read(ctx: Ctx, id: number): Query<F>
  show(found: FoundPost<F>): Markup | Response
}

/**
 * Answers with a page about a part of the post in the path: for members of every post they may see, for visitors of posts
 * of this server visible to everyone. `NotFound` for all others.
 */
export function showPartOfPost<F>(c: AppContext, { read, show }: PartOfPost<F>): Promise<Response> {
  const { config } = c.get('ctx')
  const id = requireIdInPath(c)
  const handle = parseHandle(c.req.param('handle') ?? '', config.ownDomains)
  if (handle === null) throw new NotFound()
  return showMemberView(c, {
    forVisitors: () => showToVisitor(c, { id, handle, read, show }),
    read: (ctx, as) =>
      combineQueries({ bundle: loadStatuses(ctx, as, statusesById([id])), facts: read(ctx, id) }),
    show: (frame, { bundle, facts }) => {
      const status = presentOnlyStatus({ config, now: frame.now }, bundle)
      if (status.account.acct.toLowerCase() !== acctIn(handle)) throw new NotFound()
      if (status.reblog !== null) return c.redirect(`/@${status.reblog.account.acct}/${status.reblog.id}`)
      return show({ status, bundle, facts, now: frame.now, readerId: frame.session.accountId })
    },
  })
}

async function showToVisitor<F>(
  c: AppContext,
  { id, handle, read, show }: PartOfPost<F> & { readonly id: number; readonly handle: Handle },
): Promise<Response> {
  const ctx = c.get('ctx')
  if (handle.domain !== null) return showStatusElsewhere(c, id, acctIn(handle))
  const query = combineQueries({
    bundle: loadStatuses(ctx, anonymousViewer, statusesById([id])),
    facts: read(ctx, id),
  })
  const { visit, found } = await openPageWith(c, query)
  const now = ctx.clock.now()
  const status = presentOnlyStatus({ config: ctx.config, now }, found.bundle)
  // The loader has checked this; private statuses must not hang on a single condition.
  if (status.account.acct.toLowerCase() !== acctIn(handle) || !isOpenToAll(status)) throw new NotFound()
  if (status.reblog !== null) return c.redirect(`/@${status.account.acct}/${status.id}`)
  const shown = show({ status, bundle: found.bundle, facts: found.facts, now, readerId: null })
  if (shown instanceof Response) return shown
  return showPublicPage(c, visit, shown)
}

/** `name` here, `name@host` elsewhere, in lower case. */
function acctIn({ username, domain }: Handle): string {
  return (domain === null ? username : `${username}@${domain}`).toLowerCase()
}
