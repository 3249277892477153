import { Hono } from 'hono'
import { combineQueries, execute } from '../../db/query'
import { anonymousViewer } from '../../domain/core/viewer'
import { pickSettings } from '../../domain/instance/settings'
import { admitAnonymous } from '../../domain/sessions/flood'
import { ownAtAddress } from '../../domain/statuses/find-address'
import { statusUrl } from '../../lib/addresses'
import type { AppEnv } from '../../platform/app-env'
import { type AppContext, clientIp } from '../../platform/app-env'
import { loadStatuses } from '../../view/load/statuses'
import { presentOnlyStatus } from '../../view/present/status'
import { showFramed } from '../page'
import { EmbedPage } from '../public/embed'
import { siteOf } from '../site-of'
import { statusView } from '../status-view'
import { requireMember } from './require-member'

/** Statuses as other pages show them in a frame: to nobody in particular, so nobody's session is looked at. */
export function embedRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/:handle{@[\\w.-]+}/:id{[0-9]{1,16}}/embed', requireMember, (c) =>
    showEmbed(c, c.req.param('handle').slice(1), Number(c.req.param('id'))),
  )
  return app
}

async function showEmbed(c: AppContext, username: string, id: number) {
  const ctx = c.get('ctx')
  const { config, clock, db } = ctx
  await admitAnonymous(ctx, clientIp(c))
  const url = statusUrl(config.origin, username, id)
  const { settings, found } = await execute(
    db,
    combineQueries({
      settings: pickSettings(ctx, ['title', 'termsOfService']),
      found: loadStatuses(ctx, anonymousViewer, ownAtAddress(ctx, url)),
    }),
  )
  const status = presentOnlyStatus({ config, now: clock.now() }, found)
  return showFramed(c, <EmbedPage site={siteOf(config, settings)} status={statusView(config, status)} />)
}
