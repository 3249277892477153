import { Hono } from 'hono'
import { ask, together } from '../../db/query'
import { admitStranger } from '../../domain/flood'
import { pickSettings } from '../../domain/instance/settings'
import { ownAtAddress } from '../../domain/statuses/find-address'
import { nobody } from '../../domain/viewer'
import { statusUrl } from '../../lib/addresses'
import { loadStatuses } from '../../view/load/statuses'
import { presentOnlyStatus } from '../../view/present/status'
import { showFramed } from '../page'
import { EmbedPage } from '../public/embed'
import type { Served } from '../served'
import { shownStatus } from '../shown'
import { siteOf } from '../site-of'
import { type C, ipOf } from '../visit'
import { requireMember } from './members-only'

/** Statuses as other pages show them in a frame: to nobody in particular, so nobody's session is looked at. */
export function embedRoutes(): Hono<Served> {
  const app = new Hono<Served>()
  app.get('/:handle{@[\\w.-]+}/:id{[0-9]{1,16}}/embed', requireMember, (c) =>
    showEmbed(c, c.req.param('handle').slice(1), Number(c.req.param('id'))),
  )
  return app
}

async function showEmbed(c: C, username: string, id: number) {
  const ctx = c.get('ctx')
  const { config, clock, db } = ctx
  await admitStranger(ctx, ipOf(c))
  const url = statusUrl(config.origin, username, id)
  const { settings, found } = await ask(
    db,
    together({
      settings: pickSettings(ctx, ['title', 'termsOfService']),
      found: loadStatuses(ctx, nobody, ownAtAddress(ctx, url)),
    }),
  )
  const status = presentOnlyStatus({ config, now: clock.now() }, found)
  return showFramed(c, <EmbedPage site={siteOf(config, settings)} status={shownStatus(config, status)} />)
}
