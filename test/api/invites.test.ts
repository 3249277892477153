import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts, invites, users } from '../../src/db/schema'
import { runEffects } from '../../src/jobs/effects'
import { anonymous, as } from '../support/as'
import { Browser } from '../support/browser'
import { fakeMailer, linkIn } from '../support/fake-mailer'
import { given } from '../support/given'
import { invite } from '../support/given-invite'
import { tokenIn } from '../support/oauth'
import { withSettings } from '../support/settings'
import { apiForm, member, signUp } from '../support/sign-up'
import { clock, context } from '../support/test-app'

const json = { headers: { accept: 'application/json' } }
const ask = (code: string) => anonymous.get(`/invite/${code}`, json)
const ago = () => new Date(clock.now().getTime() - 1)
const later = () => new Date(clock.now().getTime() + 60_000)

async function usesOf(id: number) {
  const [row] = await context().db.select().from(invites).where(eq(invites.id, id))
  return row?.uses
}

async function relationship(token: string, id: number) {
  return (await as(token).get(`/api/v1/accounts/relationships?id[]=${id}`)).body
}

describe('GET /invite/:code for programs', () => {
  it('→ the code and where the API of this server is [T-359]', async () => {
    const { code } = await invite(await given.account(), { maxUses: 1, expiresAt: later() })
    const answer = await ask(code)
    expect(answer).toMatchObject({
      status: 200,
      body: { invite_code: code, instance_api_url: 'https://fieldfare.test/api/v2/instance' },
    })
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
  })

  it.each([
    ['expired', () => ({ expiresAt: ago() })],
    ['used up', () => ({ maxUses: 2, uses: 2 })],
  ])('→ 401 for one that is %s [T-360]', async (_name, options) => {
    const { code } = await invite(await given.account(), options())
    expect(await ask(code)).toMatchObject({
      status: 401,
      body: { error: 'This invite is not valid' },
    })
  })

  it.each([
    ['has been disabled', { user: { disabledAt: new Date(0) } }],
    ['has been suspended', { suspendedAt: new Date(0) }],
    ['is still waiting for approval', { user: { approved: false } }],
  ])('→ 401 when the inviter %s', async (_name, options) => {
    const { code } = await invite(await given.account(options))
    expect((await ask(code)).status).toBe(401)
  })

  it('→ 404 for an unknown code [T-361]', async () => {
    expect(await ask('nothing')).toMatchObject({ status: 404, body: { error: 'Record not found' } })
  })
})

describe('POST /api/v1/accounts with an invite_code', () => {
  it('→ 200 while registrations are closed; the account is linked to the invitation, which counts the use [T-362]', async () => {
    const { id, code } = await invite(await given.account(), { maxUses: 2 })
    const body = apiForm({ invite_code: code })
    const answer = await withSettings({ registrations: 'closed' }, () => signUp(body))
    expect(answer.status).toBe(200)
    const [user] = await context().db.select().from(users).where(eq(users.email, body.email))
    expect(user).toMatchObject({ inviteId: id, approved: true })
    expect(await usesOf(id)).toBe(1)
  })

  it('skips approval, and needs no reason', async () => {
    const { code } = await invite(await given.account())
    const body = apiForm({ invite_code: code })
    const answer = await withSettings({ registrations: 'approval' }, () => signUp(body))
    expect(await member(body.username)).toMatchObject({ approved: true })
    expect((await as(tokenIn(answer.body)).get('/api/v1/timelines/home')).status).toBe(200)
  })

  it.each([
    ['expired', () => ({ expiresAt: ago() })],
    ['used up', () => ({ maxUses: 1, uses: 1 })],
  ])('→ 403 while registrations are closed and the invitation is %s', async (_name, options) => {
    const { code } = await invite(await given.account(), options())
    const body = apiForm({ invite_code: code })
    expect((await withSettings({ registrations: 'closed' }, () => signUp(body))).status).toBe(403)
    expect(await member(body.username)).toBeNull()
  })

  it('ignores an invalid invitation where registrations are open', async () => {
    const { id, code } = await invite(await given.account(), { expiresAt: ago() })
    expect((await signUp(apiForm({ invite_code: code }))).status).toBe(200)
    expect(await usesOf(id)).toBe(0)
  })

  it('gives the last use to one of two concurrent sign-ups', async () => {
    const { id, code } = await invite(await given.account(), { maxUses: 1 })
    const bodies = [apiForm({ invite_code: code }), apiForm({ invite_code: code })]
    const answers = await withSettings({ registrations: 'closed' }, () =>
      Promise.all(bodies.map((body) => signUp(body))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    const made = await Promise.all(bodies.map(({ username }) => member(username)))
    expect(made.filter((person) => person !== null)).toHaveLength(1)
    expect(await usesOf(id)).toBe(1)
  })

  it('a refused sign-up does not use the invitation', async () => {
    const { id, code } = await invite(await given.account(), { maxUses: 1 })
    expect((await signUp(apiForm({ invite_code: code, password: 'short' }))).status).toBe(422)
    expect(await usesOf(id)).toBe(0)
  })
})

describe('an invitation with autofollow', () => {
  it('makes the new account follow the inviter', async () => {
    const alice = await given.account()
    const { code } = await invite(alice, { autofollow: true })
    const token = tokenIn((await signUp(apiForm({ invite_code: code }))).body)
    expect(await relationship(token, alice.id)).toMatchObject([{ following: true }])
  })

  it('sends a follow request where the inviter approves followers', async () => {
    const alice = await given.account({ locked: true })
    const { code } = await invite(alice, { autofollow: true })
    const token = tokenIn((await signUp(apiForm({ invite_code: code }))).body)
    expect(await relationship(token, alice.id)).toMatchObject([{ following: false, requested: true }])
  })

  it('an invitation with autofollow follows nobody unless set', async () => {
    const alice = await given.account()
    const { code } = await invite(alice)
    const token = tokenIn((await signUp(apiForm({ invite_code: code }))).body)
    expect(await relationship(token, alice.id)).toMatchObject([{ following: false, requested: false }])
  })

  it('follows once the address is confirmed', async () => {
    const alice = await given.account()
    const { code } = await invite(alice, { autofollow: true })
    const mailer = fakeMailer()
    const { body } = await signUp(apiForm({ invite_code: code }), { overrides: mailer.overrides })
    const followers = async () =>
      (await context().db.select().from(accounts).where(eq(accounts.id, alice.id)))[0]?.followersCount
    expect(await followers()).toBe(0)
    const [mail] = await mailer.deliver()
    await new Browser(mailer.overrides).get(linkIn(mail))
    await mailer.deliver()
    expect(await followers()).toBe(1)
    expect(await relationship(tokenIn(body), alice.id)).toMatchObject([{ following: true }])
  })

  it('changes nothing when the inviter was suspended in the meantime, or when it runs twice', async () => {
    const alice = await given.account()
    const bob = await given.account()
    const { id } = await invite(alice, { autofollow: true })
    const ctx = context()
    await ctx.db.update(users).set({ inviteId: id }).where(eq(users.accountId, bob.id))
    await ctx.db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, alice.id))
    await runEffects(ctx, { kind: 'member.joined', accountId: bob.id }, 1)
    await ctx.db.update(accounts).set({ suspendedAt: null }).where(eq(accounts.id, alice.id))
    expect(await relationship(bob.token, alice.id)).toMatchObject([{ following: false }])
    await runEffects(ctx, { kind: 'member.joined', accountId: bob.id }, 1)
    await runEffects(ctx, { kind: 'member.joined', accountId: bob.id }, 1)
    const [row] = await ctx.db.select().from(accounts).where(eq(accounts.id, alice.id))
    expect(row?.followersCount).toBe(1)
  })
})
