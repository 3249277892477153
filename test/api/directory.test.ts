import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Account } from '../../src/contract/entities/account'
import { accountDomainBlocks, accounts } from '../../src/db/schema'
import { anonymous, as } from '../support/as'
import { freshName, given, type TestAccount } from '../support/given'
import { discoverableAccount } from '../support/given-discoverable'
import { relation } from '../support/given-relationships'
import { withSettings } from '../support/settings'
import { clock, context } from '../support/test-app'

/** Ids of the accounts in the directory, in its order. */
async function listed(query = '', viewer: TestAccount | null = null): Promise<number[]> {
  const ids: number[] = []
  for (let offset = 0; ; offset += 80) {
    const { body } = await as(viewer).get(`/api/v1/directory?limit=80&offset=${offset}&${query}`)
    const page = z.array(Account).parse(body)
    ids.push(...page.map(({ id }) => Number(id)))
    if (page.length < 80) return ids
  }
}

const among = (people: readonly { readonly id: number }[], ids: readonly number[]) =>
  ids.filter((id) => people.some((person) => person.id === id))

describe('GET /api/v1/directory', () => {
  it('order=new by creation, order=active by last status, which is the default [T-284]', async () => {
    const [early, late, silent] = [
      await discoverableAccount(),
      await discoverableAccount(),
      await discoverableAccount(),
    ]
    const people = [early, late, silent]
    await given.status({ by: late })
    await given.status({ by: early })
    expect(among(people, await listed('order=active'))).toEqual([early.id, late.id, silent.id])
    expect(among(people, await listed())).toEqual([early.id, late.id, silent.id])
    expect(among(people, await listed('order=new'))).toEqual([silent.id, late.id, early.id])
    expect(among(people, await listed('order=new&local=1'))).toEqual([silent.id, late.id, early.id])
  })

  it('local=1 drops remote [T-285]', async () => {
    const own = await discoverableAccount()
    const remote = await given.remoteAccount({ discoverable: true })
    for (const order of ['new', 'active']) {
      expect(among([own, remote], await listed(`order=${order}`)), order).toHaveLength(2)
      expect(among([own, remote], await listed(`order=${order}&local=1`)), order).toEqual([own.id])
    }
  })

  it('pages by offset, and without a Link', async () => {
    for (let index = 0; index < 3; index += 1) await discoverableAccount()
    const page = async (query: string) => (await anonymous.get(`/api/v1/directory?order=new&${query}`)).body
    const both = z.array(Account).parse(await page('limit=2'))
    expect(z.array(Account).parse(await page('limit=1&offset=1'))).toEqual(both.slice(1))
    expect((await anonymous.get('/api/v1/directory?limit=1')).headers.get('link')).toBeNull()
  })

  it.each([
    ['does not want to be found', { discoverable: false }],
    ['never said', { discoverable: null }],
    ['is suspended', { suspendedAt: clock.now() }],
    ['is limited', { silencedAt: clock.now() }],
    ['has died', { memorial: true }],
    ['has not confirmed the address', { user: { confirmedAt: null } }],
    ['waits for approval', { user: { approved: false } }],
  ])('leaves out accounts that %s [T-286]', async (_, options) => {
    const hidden = await discoverableAccount(options)
    for (const query of ['', 'order=new', 'local=1', 'order=new&local=1'])
      expect(await listed(query), query).not.toContain(hidden.id)
  })

  it('GET /api/v1/directory leaves out moved accounts', async () => {
    const [old, now] = [await discoverableAccount(), await discoverableAccount()]
    await context().db.update(accounts).set({ movedToAccountId: now.id }).where(eq(accounts.id, old.id))
    expect(among([old, now], await listed())).toEqual([now.id])
  })

  it('leaves out accounts the viewer blocks or mutes, of blocked domains, or that block the viewer', async () => {
    const [viewer, blocked, muted, blocking] = [
      await given.account(),
      await discoverableAccount(),
      await discoverableAccount(),
      await discoverableAccount(),
    ]
    const domain = `${freshName('far')}.test`
    const far = await given.remoteAccount({ domain, discoverable: true })
    await relation.block(viewer, blocked)
    await relation.mute(viewer, muted)
    await relation.block(blocking, viewer)
    await context()
      .db.insert(accountDomainBlocks)
      .values({ accountId: viewer.id, domain, id: context().ids.next() })
    const hidden = [blocked, muted, blocking, far]
    const others = [await discoverableAccount(), await given.remoteAccount({ discoverable: true })]
    const shown = others.map(({ id }) => id).toReversed()
    expect(among([...hidden, ...others], await listed('order=new', viewer))).toEqual(shown)
    expect(among(hidden, await listed('order=new'))).toHaveLength(4)
  })

  it('GET /api/v1/directory is 404 where the operator turned it off [T-287]', async () => {
    await withSettings({ profileDirectory: false }, async () => {
      expect(await anonymous.get('/api/v1/directory')).toMatchObject({
        status: 404,
        body: { error: 'Record not found' },
      })
    })
  })
})
