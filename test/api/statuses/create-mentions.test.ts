import { describe, expect, it } from 'vitest'
import { resolveHandles } from '../../../src/activitypub/resolve'
import { Status } from '../../../src/contract/entities/status'
import { as } from '../../support/as'
import { fediverse } from '../../support/fediverse'
import { given, type TestAccount } from '../../support/given'
import { clock, context, settleLateWork } from '../../support/test-app'

const { network } = fediverse

async function post(by: TestAccount, status: string) {
  return Status.parse((await as(by).post('/api/v1/statuses', { status })).body)
}

describe('a post that mentions unknown remote accounts', () => {
  it('links unknown remote accounts, once each, in the order of their names in the text', async () => {
    const alice = await given.account()
    const bob = await fediverse.actor()
    const carol = await fediverse.actor({ host: 'social.names.test', accountDomain: 'names.test' })

    const { content, mentions } = await post(
      alice,
      `@${bob.handle} and @${carol.username}@names.test and again @${bob.handle}`,
    )

    expect(mentions.map(({ acct, url }) => ({ acct, url }))).toEqual([
      { acct: bob.handle, url: bob.at.url },
      { acct: `${carol.username}@names.test`, url: carol.at.url },
    ])
    expect(content).toContain(`href="${bob.at.url}" class="u-url mention"`)
    expect([bob.fetched(), carol.fetched()]).toEqual([1, 1])
  })

  it('keeps unknown handles as text', async () => {
    const alice = await given.account()
    const bob = await fediverse.actor()
    network.fail(bob.at.origin, { status: 500 })

    const { content, mentions } = await post(alice, `Hello @${bob.handle} and @nobody@unreached-of-2.test`)

    expect(mentions).toEqual([])
    expect(content).toBe(`<p>Hello @${bob.handle} and @nobody@unreached-of-2.test</p>`)
  })

  it('looks up at most ten of them', async () => {
    const alice = await given.account()
    const names = Array.from({ length: 12 }, (_, index) => `@x@ten-${index}.test`)
    const mark = network.mark()

    await post(alice, names.join(' '))

    const fingers = network
      .since(mark)
      .filter(({ url }) => url.includes('webfinger?resource=acct%3Ax%40ten-'))
    expect(fingers).toHaveLength(10)
  })

  it('looks up nothing for refused statuses and local accounts', async () => {
    const alice = await given.account()
    const bob = await fediverse.actor()
    const mark = network.mark()

    const refused = await as(alice).post('/api/v1/statuses', {
      status: `@${bob.handle}`,
      in_reply_to_id: '999',
    })
    await post(alice, '@nobody-here and @nobody-here@fieldfare.test')

    expect(refused.status).toBe(404)
    expect(network.since(mark)).toEqual([])
  })

  it('costs no more when all accounts are known', async () => {
    const alice = await given.account()
    const bob = await given.peer()

    const { costs } = await as(alice).post('/api/v1/statuses', { status: `@${bob.handle}` })

    expect(costs.trips).toBeLessThanOrEqual(3)
  })
})

describe('handles looked for together', () => {
  it('waits for look-ups for a limited time, and a later result is known the next time', async () => {
    const [quick, slow] = [await fediverse.actor(), await fediverse.actor()]
    const { promise: held, resolve: answer } = Promise.withResolvers<void>()
    network.respond(slow.uri, async () => {
      await held
      return Response.json(slow.document, { headers: { 'content-type': 'application/activity+json' } })
    })
    const handles = [quick, slow].map(({ username, host }) => ({ username, domain: host }))
    const ctx = context()

    expect(await resolveHandles(ctx, handles, 100)).toBe(true)

    answer()
    await settleLateWork()
    clock.advance(1_000)
    expect(await ctx.resolver.accountByHandle({ username: slow.username, domain: slow.host })).not.toBeNull()
    expect(slow.fetched()).toBe(1)
  })
})
