import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { accounts } from '../../../src/db/schema'
import { as } from '../../support/as'
import { freshName, given } from '../../support/given'
import { knownPeer } from '../../support/given-peer'
import { followsLostBy, relation } from '../../support/given-relationships'
import { storedPicture, storedStatus } from '../../support/given-stored'
import { clock, context, settleLateWork } from '../../support/test-app'

const setup = as('a-setup-token-for-tests')
const path = '/api/v1/admin/domain_blocks'
const limit = async (body: Readonly<Record<string, unknown>>) =>
  z.object({ id: z.string() }).parse((await setup.post(path, body)).body).id
const freshDomain = () => `${freshName('server')}.test`

async function accountOf(id: number) {
  const [account] = await context().db.select().from(accounts).where(eq(accounts.id, id))
  return account
}

describe('the effects of a limit on a server', () => {
  it('silences a server with its subdomains and no other, until the limit is lifted', async () => {
    const domain = freshDomain()
    const [there, below, beside] = [
      await given.remoteAccount({ domain }),
      await given.remoteAccount({ domain: `social.${domain}` }),
      await given.remoteAccount({ domain: `not${domain}` }),
    ]
    const earlier = new Date(clock.now().getTime() - 1_000)
    const byHand = await given.remoteAccount({ domain, silencedAt: earlier })
    const id = await limit({ domain: domain.toUpperCase(), severity: 'silence' })
    expect((await accountOf(there.id))?.silencedAt).toEqual(clock.now())
    expect((await accountOf(below.id))?.silencedAt).toEqual(clock.now())
    expect((await accountOf(beside.id))?.silencedAt).toBeNull()
    await setup.delete(`${path}/${id}`)
    expect((await accountOf(there.id))?.silencedAt).toBeNull()
    expect((await accountOf(byHand.id))?.silencedAt).toEqual(earlier)
  })

  it('suspends a server: hides it, ends follows, and records who lost them', async () => {
    const domain = freshDomain()
    const alice = await given.account()
    const there = await given.remoteAccount({ domain, avatar: { remote: 'https://a.test/a.png' } })
    const status = await storedStatus({ accountId: there.id, visibility: 'public', local: false })
    await relation.follow(alice, there)
    await relation.follow(there, alice)
    await limit({ domain, severity: 'suspend', public_comment: 'spam' })
    expect((await as(alice).get(`/api/v1/statuses/${status}`)).status).toBe(404)
    expect(await followsLostBy(alice)).toEqual([
      { type: 'domain_block', other: there.id, followed: false },
      { type: 'domain_block', other: there.id, followed: true },
    ])
    expect(await accountOf(alice.id)).toMatchObject({ followersCount: 0, followingCount: 0 })
    expect(await accountOf(there.id)).toMatchObject({ followersCount: 0, followingCount: 0, avatar: null })
  })

  it('applies a milder limit in place of a stricter one', async () => {
    const domain = freshDomain()
    const there = await given.remoteAccount({ domain })
    const id = await limit({ domain, severity: 'suspend' })
    clock.advance(1_000)
    await setup.put(`${path}/${id}`, { severity: 'silence' })
    expect(await accountOf(there.id)).toMatchObject({ suspendedAt: null, silencedAt: clock.now() })
  })

  it('hides the pictures of a server whose media are rejected', async () => {
    const domain = freshDomain()
    const reader = await given.account()
    const there = await given.remoteAccount({ domain, avatar: { remote: 'https://a.test/a.png' } })
    const id = await storedStatus({ accountId: there.id, local: false, attachments: [storedPicture] })
    await limit({ domain, severity: 'noop', reject_media: true })
    const { body } = await as(reader).get(`/api/v1/statuses/${id}`)
    expect(body).toMatchObject({
      media_attachments: [],
      account: { avatar: expect.stringContaining('/assets/') },
    })
  })

  it('removes reactions with its pictures by any account, and no others', async () => {
    const [alice, there, beside] = [await given.account(), await knownPeer(), await knownPeer()]
    const { id } = await given.status({ by: alice })
    const address = `https://fieldfare.test/users/${alice.username}/statuses/${id}`
    for (const peer of [there, beside]) {
      const icon = { type: 'Image', url: `https://${peer.host}/owl.png` }
      await peer.send(peer.emojiReact(address, ':owl:', { tag: [{ type: 'Emoji', name: ':owl:', icon }] }))
      await peer.send(peer.emojiReact(address, '🔥'))
    }
    await as(alice).post(`/api/v1/statuses/${id}/react/owl@${there.host}`)
    await limit({ domain: there.host, severity: 'noop', reject_media: true })
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
})
