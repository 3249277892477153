import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts, auditLog, counters, users } from '../../src/db/schema'
import { as } from '../support/as'
import { Browser, textOf } from '../support/browser'
import { fakeMailer } from '../support/fake-mailer'
import { given } from '../support/given'
import { invite } from '../support/given-invite'
import { storedUpload } from '../support/given-upload'
import { givenMember, password } from '../support/members'
import { clock, context } from '../support/test-app'
import { givenTotp, signInStep } from '../support/two-factor'

const setup = as('a-setup-token-for-tests')
const decide = (what: string, body: Record<string, unknown>, overrides = {}) =>
  setup.post(`/setup/members/${what}`, body, { overrides })

const waiting = (reason = 'I watch birds') =>
  given.account({ user: { approved: false, signUpReason: reason } })

async function userOf(id: number) {
  const [user] = await context().db.select().from(users).where(eq(users.accountId, id))
  return user
}

async function countedUsers() {
  const [row] = await context().db.select().from(counters).where(eq(counters.name, 'users'))
  return row?.value ?? 0
}

describe('the set-up routes about members', () => {
  it('refuse members', async () => {
    const alice = await waiting()
    const answer = await as(alice).post('/setup/members/approve', { username: alice.username })
    expect(answer.status).toBe(403)
    expect(await userOf(alice.id)).toMatchObject({ approved: false })
  })

  it('list members newest first, with state, role and reason', async () => {
    const moderator = await given.account({ user: { roleId: 1 } })
    const bird = await waiting()
    const { body } = await decide('list', {})
    expect(body).toMatchObject({
      members: expect.arrayContaining([
        {
          username: bird.username,
          email: bird.email,
          state: 'waiting',
          role: null,
          reason: 'I watch birds',
          created_at: clock.now().toISOString(),
        },
        expect.objectContaining({ username: moderator.username, state: 'active', role: 'Moderator' }),
      ]),
    })
    const { members } = body as { members: { username: string }[] }
    const names = members.map(({ username }) => username)
    expect(names.indexOf(bird.username)).toBeLessThan(names.indexOf(moderator.username))
  })

  it('list only who waits, where that is asked', async () => {
    const bird = await waiting()
    const member = await given.account()
    const { body } = await decide('list', { only_waiting: true })
    const { members } = body as { members: { username: string }[] }
    const names = members.map(({ username }) => username)
    expect(names).toContain(bird.username)
    expect(names).not.toContain(member.username)
  })

  it('go on after the oldest of a page', async () => {
    const older = await given.account()
    const newer = await given.account()
    const { body } = await decide('list', { before: newer.id })
    const { members } = body as { members: { username: string }[] }
    expect(members[0]?.username).toBe(older.username)
  })

  it('approve a waiting member, who may then use the API and gets a mail', async () => {
    const bird = await waiting()
    const mailer = fakeMailer()
    const before = await as(bird).get('/api/v1/timelines/home')
    const answer = await decide('approve', { username: bird.username }, mailer.overrides)
    const [mail] = await mailer.deliver()
    expect([before.status, answer.status]).toEqual([403, 200])
    expect((await as(bird).get('/api/v1/timelines/home')).status).toBe(200)
    expect(mail).toMatchObject({ to: bird.email, subject: 'Welcome to fieldfare.test' })
  })

  it('have an approved member follow the inviter', async () => {
    const alice = await given.account()
    const { id: inviteId } = await invite(alice, { autofollow: true })
    const bird = await given.account({ user: { approved: false, inviteId } })
    await decide('approve', { username: bird.username })
    const { body } = await as(bird).get(`/api/v1/accounts/relationships?id[]=${alice.id}`)
    expect(body).toMatchObject([{ following: true }])
  })

  it('approve and reject no approved member', async () => {
    const alice = await given.account()
    const approved = await decide('approve', { username: alice.username })
    const rejected = await decide('reject', { username: alice.username })
    expect([approved.status, rejected.status]).toEqual([403, 403])
    expect(approved.body).toEqual({ error: `${alice.username} is not waiting for approval` })
    expect(await userOf(alice.id)).toBeDefined()
  })

  it('remove rejected members, free the name, count nobody and say so by mail', async () => {
    const bird = await waiting()
    const mailer = fakeMailer()
    const before = await countedUsers()
    const answer = await decide('reject', { username: bird.username.toUpperCase() }, mailer.overrides)
    const { db } = context()
    expect(answer.status).toBe(200)
    expect(await db.select().from(accounts).where(eq(accounts.id, bird.id))).toEqual([])
    expect(await userOf(bird.id)).toBeUndefined()
    expect((await as(bird).get('/api/v1/timelines/home')).status).toBe(401)
    expect(await countedUsers()).toBe(before)
    expect(await mailer.deliver()).toMatchObject([
      { to: bird.email, subject: 'Your request to join fieldfare.test' },
    ])
  })

  it('decide once when two decide at the same moment', async () => {
    const bird = await waiting()
    const { username } = bird
    const answers = await Promise.all([decide('approve', { username }), decide('reject', { username })])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('lock a member out, and let them in again', async () => {
    const alice = await givenMember()
    await decide('disable', { username: alice.username })
    const token = await as(alice).get('/api/v1/timelines/home')
    const browser = new Browser()
    await browser.signIn(alice.username, password)
    const page = await browser.get('/settings/strikes')
    const account = await browser.get('/auth/edit')
    await decide('enable', { username: alice.username })
    expect(token.status).toBe(403)
    expect(textOf(page.html)).toContain('Your account has been disabled.')
    expect(account.location).toContain('/auth/sign_in')
    expect((await as(alice).get('/api/v1/timelines/home')).status).toBe(200)
  })

  it.each([
    ['sensitive', 'unsensitive'],
    ['silence', 'unsilence'],
    ['suspend', 'unsuspend'],
  ])('put accounts here and elsewhere into a state and back: %s', async (what, undo) => {
    const alice = await given.account()
    const { username, domain, id } = await given.remoteAccount()
    for (const [name, target] of [
      [alice.username, alice.id],
      [`@${username}@${domain}`, id],
    ] as const) {
      expect((await decide(what, { username: name, text: 'Enough' })).status).toBe(200)
      expect((await decide(what, { username: name })).status).toBe(409)
      expect((await decide(undo, { username: name })).status).toBe(200)
      const acts = await context().db.select().from(auditLog).where(eq(auditLog.targetId, target))
      expect(acts.map(({ action, accountId }) => [action, accountId])).toEqual([
        [what, null],
        [undo, null],
      ])
    }
  })

  it('delete who is suspended, and nobody else', async () => {
    const alice = await given.account()
    expect((await decide('delete', { username: alice.username })).status).toBe(403)
    await decide('suspend', { username: alice.username, send_email: false })
    expect((await decide('delete', { username: alice.username })).status).toBe(200)
    expect(await userOf(alice.id)).toBeUndefined()
  })

  it('mark posts of an account as sensitive, by their ids', async () => {
    const alice = await given.account()
    const status = await given.status({ by: alice, mediaIds: [Number(await storedUpload(alice))] })
    const body = { username: alice.username, status_ids: [status.id], text: 'Warn first' }
    expect((await decide('statuses/mark_as_sensitive', body)).status).toBe(200)
    expect((await as(alice).get(`/api/v1/statuses/${status.id}`)).body).toMatchObject({ sensitive: true })
    expect((await decide('statuses/delete', { ...body, status_ids: [] })).status).toBe(422)
    expect((await decide('statuses/delete', { ...body, status_ids: ['7'] })).status).toBe(422)
  })

  it('warn with a text alone', async () => {
    const alice = await given.account()
    expect((await decide('warn', { username: alice.username, text: ' ' })).status).toBe(422)
    expect((await decide('warn', { username: alice.username, text: 'Mind the rules' })).status).toBe(200)
  })

  it('give a role by its name, and take it away', async () => {
    const alice = await given.account()
    await decide('role', { username: alice.username, role: 'admin' })
    const roleGiven = (await userOf(alice.id))?.roleId
    await decide('role', { username: alice.username, role: null })
    expect([roleGiven, (await userOf(alice.id))?.roleId]).toEqual([2, null])
  })

  it('refuse a role that is not there, and the base role, which everybody has', async () => {
    const { username } = await given.account()
    const unknown = await decide('role', { username, role: 'king' })
    const base = await decide('role', { username, role: '' })
    expect([unknown.status, base.status]).toEqual([422, 422])
  })

  it.each(['approve', 'reject', 'disable', 'enable', 'role'])(
    'answer 404 to %s for an unknown name',
    async (what) => {
      const answer = await decide(what, { username: 'nobody_at_all', role: 'admin' })
      expect(answer).toMatchObject({ status: 404, body: { error: 'Nobody here is called nobody_at_all' } })
    },
  )
})

describe('the set-up routes about signing in', () => {
  it('remove the second factors of somebody who lost them, and mail them', async () => {
    const { member } = await givenTotp()
    const office = fakeMailer()
    expect((await new Browser().signIn(member.username, password)).location).toBe(signInStep)
    const answer = await decide('disable-2fa', { username: member.username }, office.overrides)
    expect(answer.status).toBe(200)
    expect((await new Browser().signIn(member.username, password)).location).toBe('/home')
    expect((await office.deliver()).map(({ to }) => to)).toEqual([member.email])
  })

  it('spare a member the code by mail, and ask for it again', async () => {
    const alice = await givenMember()
    for (const skip of [true, false]) {
      await decide('skip-sign-in-token', { username: alice.username, skip })
      expect(await userOf(alice.id)).toMatchObject({ skipSignInToken: skip })
    }
  })

  it('know no second factor of nobody', async () => {
    expect((await decide('disable-2fa', { username: 'nobody_at_all' })).status).toBe(404)
    expect((await decide('skip-sign-in-token', { username: 'nobody_at_all', skip: true })).status).toBe(404)
  })
})
