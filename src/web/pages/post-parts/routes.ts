import { Hono } from 'hono'
import type { AppEnv } from '../../../ports/app-env'
import { requireMember } from '../../require-member'
import { showHistory } from './history'
import { showPhoto } from './photo'

/** Pages about a part of one post. */
export function postPartRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/:handle{@[^/]+}/:id{[0-9]{1,16}}/history', requireMember, showHistory)
  app.get('/:handle{@[^/]+}/:id{[0-9]{1,16}}/photo/:number{[0-9]{1,2}}', requireMember, showPhoto)
  return app
}
