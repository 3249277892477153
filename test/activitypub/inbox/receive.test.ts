import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import type { Doorway } from '../../../src/activitypub/inbox/receive'
import { inboxRoutes } from '../../../src/activitypub/inbox/routes'
import type { Verdict } from '../../../src/activitypub/keys'
import type { Ctx } from '../../../src/context'
import { context } from '../../support/world'

const origin = 'https://fieldfare.test'

function deliver(
  body: unknown,
  options: {
    readonly verdict?: Verdict
    readonly path?: string
    readonly headers?: Record<string, string>
    readonly ctx?: Ctx
  } = {},
) {
  const seen: string[] = []
  const doorway: Doorway = {
    verify: async () => options.verdict ?? { kind: 'unsigned' },
    seen: (_, signer) => void seen.push(signer.domain),
  }
  const app = new Hono<{ Variables: { ctx: Ctx } }>()
  app.use('*', async (c, next) => {
    c.set('ctx', options.ctx ?? context())
    await next()
  })
  app.route('/', inboxRoutes(doorway))
  const headers = { 'content-type': 'application/activity+json', signature: 'some', ...options.headers }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return app.request(`${origin}${options.path ?? '/inbox'}`, { method: 'POST', headers, body: text })
}

const farewell = (actor: string) => ({ id: `${actor}#delete`, type: 'Delete', actor, object: actor })

describe('an inbox', () => {
  it('takes both content types of ActivityPub, with their parameters, and no other', async () => {
    const answers: number[] = []
    for (const type of [
      'application/activity+json',
      'application/activity+json; charset=utf-8',
      'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
      'text/plain',
      'application/x-www-form-urlencoded',
    ])
      answers.push(
        (await deliver(farewell('https://a.test/1'), { headers: { 'content-type': type } })).status,
      )
    expect(answers).toEqual([202, 202, 202, 415, 415])
  })

  it('reads no more than one mebibyte', async () => {
    const answer = await deliver(JSON.stringify({ type: 'Create', text: 'x'.repeat(1_048_576) }))
    expect(answer.status).toBe(413)
    expect(await answer.json()).toEqual({ error: 'The request body is too large' })
  })

  it('answers 405 to readers and names the method', async () => {
    const app = inboxRoutes({
      verify: async () => ({ kind: 'unsigned' }),
      seen: () => undefined,
    })
    const answer = await app.request(`${origin}/users/somebody/inbox`)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('asks senders who flood it with bad signatures to come back later', async () => {
    const ctx = context()
    const flooded: Ctx = { ...ctx, throttle: { ...ctx.throttle, admits: async () => false } }
    const answer = await deliver('{}', { ctx: flooded })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60'])
  })
})
