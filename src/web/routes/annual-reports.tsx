import { Hono } from 'hono'
import { combineQueries, execute } from '../../db/query'
import { selectByHandle } from '../../domain/accounts/find'
import { sharedReport } from '../../domain/annual-reports/find'
import { anonymousViewer } from '../../domain/core/viewer'
import { Gone, NotFound } from '../../errors'
import { annualReportUrl } from '../../lib/addresses'
import { parseHandle } from '../../lib/handle'
import type { AppContext, AppEnv } from '../../platform/app-env'
import { loadAccounts } from '../../view/load/accounts'
import { loadStatuses, statusesById } from '../../view/load/statuses'
import { presentOnlyAccount } from '../../view/present/account'
import { presentStatuses } from '../../view/present/status'
import { showPublicPage } from '../page'
import { openPageWith } from '../page-request'
import { AnnualReportPage } from '../public/annual-report'
import { authorView, statusView } from '../status-view'
import { requireMember } from './require-member'

/** Reports of years that people share: under Mastodon's address, known to whom they gave it. */
export function annualReportRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/:handle{@[^/]+}/wrapstodon/:year{[0-9]{4}}/:key', requireMember, showReport)
  return app
}

async function showReport(c: AppContext) {
  const ctx = c.get('ctx')
  const { config } = ctx
  const handle = parseHandle(c.req.param('handle') ?? '', config.ownDomains)
  if (handle === null || handle.domain !== null) throw new NotFound()
  const [year, key] = [Number(c.req.param('year')), c.req.param('key') ?? '']
  const { visit, found } = await openPageWith(
    c,
    combineQueries({
      report: sharedReport(ctx, { handle, year, key }),
      account: loadAccounts(ctx, selectByHandle(handle)),
    }),
  )
  const { report } = found
  if (report === null) throw new NotFound()
  const account = presentOnlyAccount(config, found.account)
  if (account.suspended === true) throw new Gone('This account has been suspended.')
  const { topStatusId, months, archetype, topTag } = report.data
  const top =
    topStatusId === null
      ? null
      : await execute(ctx.db, loadStatuses(ctx, anonymousViewer, statusesById([topStatusId])))
  const [status] = top === null ? [] : presentStatuses({ config, now: ctx.clock.now() }, top)
  const total = (what: 'statuses' | 'followers') => months.reduce((sum, month) => sum + month[what], 0)
  const page = {
    ...{ site: visit.site, viewer: visit.viewer, author: authorView(config, account), year, archetype },
    url: annualReportUrl(config.origin, { username: account.username, year, key }),
    ...{ statuses: total('statuses'), followers: total('followers'), tag: topTag },
    top: status === undefined ? null : statusView(config, status),
  }
  return showPublicPage(c, visit, <AnnualReportPage {...page} />)
}
