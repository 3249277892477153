import { Hono } from 'hono'
import { profileUrl, statusUrl } from '../../../contract/addresses'
import { NotFound } from '../../../errors'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import { wantsJson } from '../../error-response'
import { requireMember } from '../../require-member'
import { showProfile, showTagged } from './show-profile'
import { showStatus } from './show-status'
import type { ProfileTab } from './tabs'

/** Local accounts and statuses as visitors see them; authors see more of their own. */
export function profileRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const tab = (name: ProfileTab) => (c: AppContext) =>
    showProfile(c, c.req.param('handle') ?? '', { tab: name, tagged: null })
  app.get('/:handle{@[^/]+}', requireMember, tab('posts'))
  app.get('/:handle{@[^/]+}/with_replies', requireMember, tab('replies'))
  app.get('/:handle{@[^/]+}/media', requireMember, tab('media'))
  app.get('/:handle{@[^/]+}/tagged/:tag', requireMember, (c) =>
    showTagged(c, c.req.param('handle'), c.req.param('tag')),
  )
  app.get('/:handle{@[^/]+}/:id{[0-9]{1,16}}', requireMember, (c) =>
    showStatus(c, c.req.param('handle'), Number(c.req.param('id'))),
  )
  app.get('/users/:username', (c) =>
    redirectReader(c, (origin) => profileUrl(origin, c.req.param('username'))),
  )
  app.get('/users/:username/statuses/:id{[0-9]{1,16}}', (c) =>
    redirectReader(c, (origin) => statusUrl(origin, c.req.param('username'), Number(c.req.param('id')))),
  )
  return app
}

/** Redirects browsers from the address of an object to its page; programs request the object itself. */
function redirectReader(c: AppContext, target: (origin: string) => string) {
  if (wantsJson(c)) throw new NotFound()
  return c.redirect(target(c.get('ctx').config.origin), 301)
}
