import { Hono } from 'hono'
import { execute } from '../../db/query'
import { viewerById } from '../../domain/core/viewer'
import { findScheduled, type Scheduled, scheduledPage } from '../../domain/statuses/scheduled/find-scheduled'
import { cancelScheduled } from '../../domain/statuses/scheduled/schedule'
import { NotFound } from '../../errors'
import type { AppContext, AppEnv } from '../../platform/app-env'
import { csrfTokenFor } from '../csrf'
import { showPage } from '../page'
import { openPage } from '../page-request'
import { paths } from '../paths'
import { ScheduledPage, type ScheduledPost } from '../settings/scheduled'
import { revoking } from './account'
import { toSignIn } from './sign-in'

const pageLength = 40

export function scheduledRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.scheduled, showScheduled)
  app.post(
    `${paths.scheduled}/:id/cancel`,
    revoking(`${paths.scheduled}?done=cancelled`, (c, { accountId }, id) =>
      // Posted meanwhile, or never theirs: the list that follows shows it.
      cancelScheduled(c.get('ctx'), { id: accountId }, id).catch((failure: unknown) => {
        if (!(failure instanceof NotFound)) throw failure
      }),
    ),
  )
  return app
}

async function showScheduled(c: AppContext) {
  const ctx = c.get('ctx')
  const visit = await openPage(c)
  const { site, viewer, session } = visit
  if (viewer === null || session === null) return toSignIn(c)
  const sent = Number(c.req.query('max_id'))
  const maxId = Number.isSafeInteger(sent) && sent > 0 ? sent : undefined
  const selection = scheduledPage(viewerById(session.accountId), { limit: pageLength, maxId })
  const found = await execute(ctx.db, findScheduled(ctx, selection))
  const last = found.length < pageLength ? undefined : found.at(-1)
  const page = {
    ...{ site, viewer, csrfToken: await csrfTokenFor(c, visit) },
    message: c.req.query('done') === 'cancelled' ? 'The post is deleted.' : null,
    posts: found.map(shown),
    nextPath: last === undefined ? null : `${paths.scheduled}?max_id=${last.row.id}`,
  }
  return showPage(c, <ScheduledPage {...page} />)
}

function shown({ row: { id, params, scheduledAt: at, failure }, media }: Scheduled): ScheduledPost {
  return { ...{ id, at, failure, files: media.length }, text: params.spoilerText || params.text }
}
