import { Hono } from 'hono'
import type { AppEnv } from '../../../ports/app-env'
import { requireMember } from '../../require-member'
import { showHistory } from './history'

/** Pages about a part of one post. */
export function postPartRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/:handle{@[^/]+}/:id{[0-9]{1,16}}/history', requireMember, showHistory)
  return app
}
