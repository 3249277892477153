import { type Context, Hono } from 'hono'
import { actorUri } from '../../contract/addresses'
import { execute } from '../../db/query'
import { localAccountExists } from '../../domain/accounts/find'
import { admitAnonymous } from '../../domain/sessions/flood'
import { tombstonesAmong } from '../../domain/statuses/find-federated'
import { AppError, RateLimited } from '../../errors'
import { secondsUntilNextDay } from '../../lib/days'
import { clientAddress } from '../../lib/network'
import { readSignature } from '../../lib/signatures/verify'
import type { AppEnv } from '../../ports/app-env'
import type { Ctx } from '../../ports/ctx'
import { type InboxResult, receive } from './receive'

const floodSeconds = 60

/** Plain JSON is accepted too: some servers send it, and the same checks apply. */
const contentTypes = /^\s*application\/(activity\+json|ld\+json|json)\s*(;|$)/i

const headers = { 'Cache-Control': 'private, no-store' }

/** Inbox endpoints: the shared inbox, one per account, one for the instance actor. */
export function inboxRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.on('POST', ['/inbox', '/actor/inbox'], (c) => deliver(c, null))
  app.post('/users/:username/inbox', (c) => deliver(c, c.req.param('username')))
  app.on(['GET', 'HEAD'], ['/inbox', '/actor/inbox', '/users/:username/inbox'], (c) =>
    c.json({ error: 'Deliver here by POST' }, 405, { ...headers, Allow: 'POST' }),
  )
  app.onError((failure, c) => {
    // Senders understand status codes and Retry-After; a page would be lost on them.
    if (!(failure instanceof AppError)) throw failure
    c.get('ctx').log.info('A delivery was refused', { reason: failure.message })
    const late = failure instanceof RateLimited ? { 'Retry-After': String(floodSeconds) } : {}
    return c.json({ error: failure.message }, failure.status, { ...headers, ...failure.headers, ...late })
  })
  return app
}

async function deliver(c: Context<AppEnv>, inbox: string | null): Promise<Response> {
  const ctx = c.get('ctx')
  const request = c.req.raw
  // Before anything is read: servers deliver again, for days, and nothing is lost.
  if (ctx.usage.isPaused('inbox')) return later(c, secondsUntilNextDay(ctx.clock.now()))
  if (!contentTypes.test(request.headers.get('content-type') ?? '')) {
    const error = 'The content type is none of ActivityPub'
    ctx.log.info('A delivery was refused', { reason: error })
    return c.json({ error }, 415, headers)
  }
  const result = await read(ctx, request, inbox)
  logResult(ctx, result)
  if (result.kind === 'unverified' || result.kind === 'unproven')
    await admitAnonymous(ctx, clientAddress(request.headers))
  // Checked last, for almost every delivery goes to an existing inbox.
  if (result.kind === 'ignored' && inbox !== null && !(await execute(ctx.db, localAccountExists(ctx, inbox))))
    return answerWithoutAccount(c, inbox)
  return answer(c, result)
}

/** 410 for a deleted account: the sender may forget this inbox. */
async function answerWithoutAccount(c: Context<AppEnv>, username: string): Promise<Response> {
  const ctx = c.get('ctx')
  const deleted = await execute(ctx.db, tombstonesAmong(ctx, [actorUri(ctx.config.origin, username)]))
  return deleted === null
    ? c.json({ error: 'Nobody has this inbox' }, 404, headers)
    : c.json({ error: 'The account of this inbox was deleted' }, 410, headers)
}

/** Reads and verifies a delivery. Bodies of unsigned requests are not read. */
async function read(ctx: Ctx, request: Request, inbox: string | null): Promise<InboxResult> {
  const claim = readSignature(request.headers)
  if (claim.kind === 'unsigned') return { kind: 'unverified', reason: 'not signed' }
  if (claim.kind === 'malformed') return { kind: 'unverified', reason: claim.reason }
  return receive(ctx, request, await ctx.bodies.read(request, 'delivery'), inbox)
}

function logResult(ctx: Ctx, result: InboxResult): void {
  if ('reason' in result) ctx.log.info(`A delivery was ${result.kind}`, { reason: result.reason })
}

function later(c: Context<AppEnv>, seconds: number): Response {
  return c.json({ error: 'Please deliver again later' }, 503, { ...headers, 'Retry-After': String(seconds) })
}

function answer(c: Context<AppEnv>, result: InboxResult): Response {
  switch (result.kind) {
    // Rejections by local rules are logged, not explained: a refusal would reveal blocks.
    case 'done':
    case 'ignored':
    case 'rejected':
      return c.body(null, 202, headers)
    case 'malformed':
      return c.json({ error: 'The body is no activity' }, 400, headers)
    case 'unverified':
      return c.json({ error: `The signature does not hold: ${result.reason}` }, 401, headers)
    case 'barred':
      return c.json({ error: 'This server does not listen to yours' }, 403, headers)
    case 'over-budget':
      return c.json({ error: 'Please deliver more slowly' }, 429, {
        ...headers,
        'Retry-After': String(result.afterSeconds),
      })
    case 'unproven':
      return later(c, floodSeconds)
    case 'retry':
      return later(c, result.afterSeconds)
  }
}
