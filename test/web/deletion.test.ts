import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountKeys, accounts, follows, mediaAttachments, statuses, users } from '../../src/db/schema'
import { as } from '../support/as'
import { textOf } from '../support/browser'
import { runCourierAlarms } from '../support/courier'
import { given } from '../support/given'
import { uploaded } from '../support/given-media'
import { knownPeer } from '../support/given-peer'
import { relation } from '../support/given-relationships'
import { password, signedIn } from '../support/members'
import { context, settleLateWork } from '../support/test-app'

const page = '/settings/delete'
const leave = { current_password: password }

async function rowsOf(id: number) {
  const { db } = context()
  return {
    account: (await db.select().from(accounts).where(eq(accounts.id, id)))[0],
    user: (await db.select().from(users).where(eq(users.accountId, id)))[0],
    key: (await db.select().from(accountKeys).where(eq(accountKeys.accountId, id)))[0],
    posts: await db.select().from(statuses).where(eq(statuses.accountId, id)),
    uploads: await db.select().from(mediaAttachments).where(eq(mediaAttachments.accountId, id)),
    followers: await db.select().from(follows).where(eq(follows.targetAccountId, id)),
  }
}

describe('deleting the own account', () => {
  it('deleting the own account requires the right password', async () => {
    const { member, browser } = await signedIn()
    const wrong = await browser.fill(page, { current_password: 'something else' })
    expect(wrong.status).toBe(422)
    expect(textOf(wrong.html)).toContain('Current password is wrong.')
    expect((await browser.post(page, leave)).status).toBe(422)
    expect((await rowsOf(member.id)).user).toBeDefined()
  })

  it('deletes profile, posts, uploads, follows and every session, and keeps the name reserved', async () => {
    const { member, browser } = await signedIn({ displayName: 'Alice', note: 'Small birds' })
    const friend = await given.account()
    await relation.follow(friend, member)
    const file = await uploaded(member, 'rgb.png')
    await as(member).post('/api/v1/statuses', { status: 'One with a picture', media_ids: [file.id] })
    const shared = await given.status({ by: friend })
    await as(member).post(`/api/v1/statuses/${shared.id}/favourite`)
    expect((await browser.fill(page, leave)).location).toBe('/auth/sign_in?done=deleted')
    await settleLateWork()
    const left = await rowsOf(member.id)
    expect(left).toMatchObject({ posts: [], uploads: [], followers: [] })
    expect(left.user).toBeUndefined()
    expect(left.account).toMatchObject({ username: member.username, displayName: '', note: '' })
    expect((await as(member).get('/api/v1/accounts/verify_credentials')).status).toBe(401)
    expect((await browser.get('/auth/edit')).status).toBe(302)
    expect((await as(friend).get(`/api/v1/accounts/${member.id}`)).status).toBe(404)
    expect(await as(friend).get(`/api/v1/statuses/${shared.id}`)).toMatchObject({
      body: { favourites_count: 0 },
    })
    const { body } = await as(friend).get('/api/v1/accounts/verify_credentials')
    expect(body).toMatchObject({ following_count: 0 })
  })

  it('the deletion is delivered to every known server, signed, and the actor answers 410 (pitfall 66)', async () => {
    const { member, browser } = await signedIn()
    const { id } = await given.status({ by: member })
    const [follower, stranger] = [await knownPeer(), await knownPeer()]
    await relation.follow(follower, member)
    await browser.fill(page, leave)
    await settleLateWork()
    await runCourierAlarms()
    const actor = `https://fieldfare.test/users/${member.username}`
    for (const peer of [follower, stranger]) {
      const farewells = peer.deliveries().filter(({ body }) => JSON.parse(body).type === 'Delete')
      expect(farewells.map(({ body }) => JSON.parse(body))).toMatchObject([{ actor, object: actor }])
      expect(farewells[0]?.headers.get('signature')).toContain(`keyId="${actor}#main-key"`)
    }
    expect((await rowsOf(member.id)).key).toBeDefined()
    for (const path of [`/users/${member.username}`, `/users/${member.username}/statuses/${id}`]) {
      const gone = await stranger.get(path)
      expect(gone.status).toBe(410)
      expect(JSON.parse(gone.text)).toMatchObject({ type: 'Tombstone', id: `https://fieldfare.test${path}` })
    }
  })

  it('does not reveal that a pending account existed', async () => {
    const { member, browser } = await signedIn({ user: { approved: false } })
    const stranger = await knownPeer()
    const never = await stranger.get('/users/nobody_at_all')
    expect((await browser.fill(page, leave)).location).toBe('/auth/sign_in?done=deleted')
    await settleLateWork()
    await runCourierAlarms()
    expect(stranger.deliveries()).toEqual([])
    expect(await stranger.get(`/users/${member.username}`)).toMatchObject({ status: 404, text: never.text })
  })

  it('the deletion is refused to the owner of the server', async () => {
    const { member, browser } = await signedIn({ user: { roleId: 3 } })
    const answer = await browser.fill(page, leave)
    expect(answer.status).toBe(422)
    expect((await rowsOf(member.id)).user).toBeDefined()
  })
})
