import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { accounts } from '../../src/db/schema'
import { as } from '../support/as'
import { freshName, given } from '../support/given'
import { knownPeer } from '../support/given-peer'
import { followsLostBy, relation } from '../support/given-relationships'
import { storedPicture, storedStatus } from '../support/given-stored'
import { clock, context, settleLateWork } from '../support/test-app'

const setup = as('a-setup-token-for-tests')
const decide = (what: string, body: Record<string, unknown>) => setup.post(`/setup/domains/${what}`, body)
const freshDomain = () => `${freshName('server')}.test`

async function accountOf(id: number) {
  const [account] = await context().db.select().from(accounts).where(eq(accounts.id, id))
  return account
}

describe('the set-up routes about other servers', () => {
  it('refuse members, and what is no host', async () => {
    const alice = await given.account()
    expect(
      (await as(alice).post('/setup/domains/limit', { domain: 'a.test', severity: 'suspend' })).status,
    ).toBe(403)
    expect((await decide('limit', { domain: 'a b', severity: 'suspend' })).status).toBe(422)
    expect((await decide('limit', { domain: freshDomain(), severity: 'worse' })).status).toBe(422)
    expect((await decide('limit', { domain: 'fieldfare.test', severity: 'silence' })).status).toBe(422)
    expect((await decide('lift', { domain: freshDomain() })).status).toBe(404)
    expect((await decide('disallow', { domain: freshDomain() })).status).toBe(404)
  })

  it('silence a server with its subdomains and no other, until the limit is lifted', async () => {
    const domain = freshDomain()
    const [there, below, beside] = [
      await given.remoteAccount({ domain }),
      await given.remoteAccount({ domain: `social.${domain}` }),
      await given.remoteAccount({ domain: `not${domain}` }),
    ]
    const earlier = new Date(clock.now().getTime() - 1_000)
    const byHand = await given.remoteAccount({ domain, silencedAt: earlier })
    await decide('limit', { domain: domain.toUpperCase(), severity: 'silence' })
    expect((await accountOf(there.id))?.silencedAt).toEqual(clock.now())
    expect((await accountOf(below.id))?.silencedAt).toEqual(clock.now())
    expect((await accountOf(beside.id))?.silencedAt).toBeNull()
    await decide('lift', { domain })
    expect((await accountOf(there.id))?.silencedAt).toBeNull()
    expect((await accountOf(byHand.id))?.silencedAt).toEqual(earlier)
  })

  it('suspend a server: nothing of it is shown, follows end, and who lost them is kept', async () => {
    const domain = freshDomain()
    const alice = await given.account()
    const there = await given.remoteAccount({ domain, avatar: { remote: 'https://a.test/a.png' } })
    const status = await storedStatus({ accountId: there.id, visibility: 'public', local: false })
    await relation.follow(alice, there)
    await relation.follow(there, alice)
    await decide('limit', { domain, severity: 'suspend', public_comment: 'spam' })
    expect((await as(alice).get(`/api/v1/statuses/${status}`)).status).toBe(404)
    expect(await followsLostBy(alice)).toEqual([
      { type: 'domain_block', other: there.id, followed: false },
      { type: 'domain_block', other: there.id, followed: true },
    ])
    expect(await accountOf(alice.id)).toMatchObject({ followersCount: 0, followingCount: 0 })
    expect(await accountOf(there.id)).toMatchObject({ followersCount: 0, followingCount: 0, avatar: null })
    const { body } = await decide('list', {})
    const { limits } = z.object({ limits: z.array(z.looseObject({ domain: z.string() })) }).parse(body)
    expect(limits.find((limit) => limit.domain === domain)).toMatchObject({
      severity: 'suspend',
      public_comment: 'spam',
    })
  })

  it('change a limit to a milder one', async () => {
    const domain = freshDomain()
    const there = await given.remoteAccount({ domain })
    await decide('limit', { domain, severity: 'suspend' })
    clock.advance(1_000)
    await decide('limit', { domain, severity: 'silence' })
    expect(await accountOf(there.id)).toMatchObject({ suspendedAt: null, silencedAt: clock.now() })
  })

  it('take the pictures of a server whose media are rejected', async () => {
    const domain = freshDomain()
    const reader = await given.account()
    const there = await given.remoteAccount({ domain, avatar: { remote: 'https://a.test/a.png' } })
    const id = await storedStatus({ accountId: there.id, local: false, attachments: [storedPicture] })
    await decide('limit', { domain, severity: 'noop', reject_media: true })
    const { body } = await as(reader).get(`/api/v1/statuses/${id}`)
    expect(body).toMatchObject({
      media_attachments: [],
      account: { avatar: expect.stringContaining('/assets/') },
    })
  })

  it('take reactions with its pictures off statuses, of any account, and leave all others', async () => {
    const [alice, there, beside] = [await given.account(), await knownPeer(), await knownPeer()]
    const { id } = await given.status({ by: alice })
    const address = `https://fieldfare.test/users/${alice.username}/statuses/${id}`
    for (const peer of [there, beside]) {
      const icon = { type: 'Image', url: `https://${peer.host}/owl.png` }
      await peer.send(peer.emojiReact(address, ':owl:', { tag: [{ type: 'Emoji', name: ':owl:', icon }] }))
      await peer.send(peer.emojiReact(address, '🔥'))
    }
    await as(alice).post(`/api/v1/statuses/${id}/react/owl@${there.host}`)
    await decide('limit', { domain: there.host, severity: 'noop', reject_media: true })
    await settleLateWork()
    const { body } = await as(alice).get(`/api/v1/statuses/${id}`)
    expect(body).toMatchObject({
      reactions: [
        { name: '🔥', count: 2 },
        { name: `owl@${beside.host}`, count: 1, me: false },
      ],
    })
    expect(await as(alice).post(`/api/v1/statuses/${id}/react/owl@${there.host}`)).toMatchObject({
      status: 422,
    })
  })

  it('count what a limit would affect, and restore what a suspension ended', async () => {
    const domain = freshDomain()
    const [alice, there] = [await given.account(), await given.remoteAccount({ domain })]
    await relation.follow(there, alice)
    expect((await decide('preview', { domain })).body).toMatchObject({
      domain,
      accounts_count: 1,
      followers_count: 1,
      existing: [],
    })
    expect((await decide('preview', { domain: 'co.uk' })).status).toBe(422)
    await decide('limit', { domain, severity: 'suspend' })
    const listed = async () => {
      const { body } = await decide('severances', {})
      const { severances } = z
        .object({ severances: z.array(z.looseObject({ id: z.string(), domain: z.string() })) })
        .parse(body)
      return severances.find((one) => one.domain === domain)
    }
    const id = Number((await listed())?.id)
    expect((await decide('restore', { id })).status).toBe(422)
    await decide('lift', { domain })
    expect((await decide('restore', { id })).status).toBe(200)
    expect(await listed()).toMatchObject({ restore_started_at: clock.now().toISOString() })
  })

  it('keep what a changed limit leaves out', async () => {
    const domain = freshDomain()
    await decide('limit', { domain, severity: 'silence', public_comment: 'spam', reject_media: true })
    await decide('limit', { domain, severity: 'suspend' })
    const { body } = await decide('list', {})
    const { limits } = z.object({ limits: z.array(z.looseObject({ domain: z.string() })) }).parse(body)
    expect(limits.find((limit) => limit.domain === domain)).toMatchObject({
      severity: 'suspend',
      public_comment: 'spam',
      reject_media: true,
    })
  })

  it('keep the list of allowed servers', async () => {
    const domain = freshDomain()
    await decide('allow', { domain })
    await decide('allow', { domain })
    expect((await decide('list', {})).body).toMatchObject({ allowed: expect.arrayContaining([domain]) })
    await decide('disallow', { domain })
    expect((await decide('list', {})).body).toMatchObject({ allowed: expect.not.arrayContaining([domain]) })
  })
})
