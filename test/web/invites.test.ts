import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { invites, roles } from '../../src/db/schema'
import { Browser, hiddenFields, textOf } from '../support/browser'
import { given } from '../support/given'
import { invite } from '../support/given-invite'
import { signedIn } from '../support/members'
import { withSettings } from '../support/settings'
import { member, pageForm } from '../support/sign-up'
import { clock, context } from '../support/test-app'

async function madeBy(accountId: number) {
  return context().db.select().from(invites).where(eq(invites.accountId, accountId))
}

/** Runs while only accounts with a role may invite. */
async function withoutBasePermission(run: () => Promise<void>) {
  const { db } = context()
  const everybody = eq(roles.id, -99)
  await db.update(roles).set({ permissions: 0 }).where(everybody)
  try {
    await run()
  } finally {
    await db.update(roles).set({ permissions: 65_536 }).where(everybody)
  }
}

describe('the page of invitations', () => {
  it('creates an invitation as requested and shows its link', async () => {
    const { browser, member: alice } = await signedIn()
    expect((await browser.get('/auth/edit')).html).toContain('href="/invites"')
    const order = { max_uses: '5', expires_in: '86400', comment: ' For <birds> ', autofollow: 'true' }
    const done = await browser.fill('/invites', order)
    expect(done.location).toBe('/invites?done=created')
    const [made] = await madeBy(alice.id)
    expect(made).toMatchObject({
      code: expect.stringMatching(/^[A-Za-z0-9]{10}$/),
      maxUses: 5,
      uses: 0,
      comment: 'For <birds>',
      autofollow: true,
      expiresAt: new Date(clock.now().getTime() + 86_400_000),
    })
    const page = await browser.get('/invites?done=created')
    expect(textOf(page.html)).toContain(`https://fieldfare.test/invite/${made?.code}`)
    expect(textOf(page.html)).toContain('used 0 of 5 times')
    expect(page.html).not.toContain('<birds>')
  })

  it('creates an invitation that never expires when nothing is chosen', async () => {
    const { browser, member: alice } = await signedIn()
    await browser.fill('/invites', { max_uses: '', expires_in: '', comment: '' })
    expect(await madeBy(alice.id)).toMatchObject([{ maxUses: null, expiresAt: null, autofollow: false }])
  })

  it.each([
    ['a number of uses', { max_uses: '7' }],
    ['a time', { expires_in: '-1' }],
    ['a note', { comment: 'x'.repeat(421) }],
  ])('refuses %s that the form does not offer', async (_name, order) => {
    const { browser, member: alice } = await signedIn()
    expect((await browser.fill('/invites', order)).status).toBe(422)
    expect(await madeBy(alice.id)).toEqual([])
  })

  it('ends an invitation, which then no longer works', async () => {
    const { browser, member: alice } = await signedIn()
    const { id, code } = await invite({ ...alice })
    const done = await browser.fill('/invites', {}, { action: `/invites/${id}/revoke` })
    expect(done.location).toBe('/invites?done=revoked')
    const page = await new Browser().get(`/invite/${code}`)
    expect(textOf(page.html)).toContain('Your invitation no longer works.')
    expect(textOf((await browser.get('/invites')).html)).toContain('expired')
  })

  it('keeps the invitations of others', async () => {
    const { id } = await invite(await given.account())
    const { browser, member: mallory } = await signedIn()
    const own = await invite(mallory)
    const csrf = hiddenFields((await browser.get('/invites')).html, `/invites/${own.id}/revoke`)
    await browser.post(`/invites/${id}/revoke`, csrf)
    const [row] = await context().db.select().from(invites).where(eq(invites.id, id))
    expect(row?.expiresAt).toBeNull()
    expect((await browser.get('/invites')).html).not.toContain(`/invites/${id}/`)
  })

  it('requires the token of its own form', async () => {
    const { browser, member: alice } = await signedIn()
    expect((await browser.post('/invites', { max_uses: '1' })).status).toBe(422)
    expect(await madeBy(alice.id)).toEqual([])
  })

  it('the page of invitations requires sign-in', async () => {
    const page = await new Browser().get('/invites')
    expect(page.location).toBe('/auth/sign_in?return_to=%2Finvites')
  })

  it('refuses users whose role does not permit invitations, but never administrators', async () => {
    const { browser, member: alice } = await signedIn()
    const csrf = hiddenFields((await browser.get('/invites')).html, '/invites')
    const owner = await signedIn({ user: { roleId: 3 } })
    await withoutBasePermission(async () => {
      const page = await browser.get('/invites')
      const posted = await browser.post('/invites', csrf)
      const account = await browser.get('/auth/edit')
      expect(textOf(page.html)).toContain('You may not invite people')
      expect(account.html).not.toContain('href="/invites"')
      expect(posted.status).toBe(403)
      expect((await owner.browser.fill('/invites', {})).location).toBe('/invites?done=created')
    })
    expect(await madeBy(alice.id)).toEqual([])
  })

  it('refuses users who wait for approval', async () => {
    const { browser } = await signedIn({ user: { approved: false } })
    expect(textOf((await browser.get('/invites')).html)).toContain('You may not invite people')
  })
})

describe('GET /invite/:code in a browser', () => {
  it('shows the sign-up page, open while registrations are closed [T-769]', async () => {
    const alice = await given.account()
    const { code } = await invite(alice)
    await withSettings({ registrations: 'closed' }, async () => {
      const browser = new Browser()
      const page = await browser.get(`/invite/${code}`)
      const fields = pageForm()
      const wrong = await browser.post('/auth/sign_up', {
        ...hiddenFields(page.html, '/auth/sign_up'),
        ...fields,
        agreement: '',
      })
      const done = await browser.post('/auth/sign_up', {
        ...hiddenFields(wrong.html, '/auth/sign_up'),
        ...fields,
      })
      expect(textOf(page.html)).toContain(`@${alice.username}@fieldfare.test invited you.`)
      expect(textOf(wrong.html)).toContain('Agreement must be accepted.')
      expect(done.location).toBe('/start')
      expect(await member(fields.username)).toMatchObject({ approved: true })
    })
  })

  it('needs no reason where other sign-ups need one', async () => {
    const { code } = await invite(await given.account())
    await withSettings({ registrations: 'approval' }, async () => {
      const page = await new Browser().get(`/invite/${code}`)
      expect(page.html).not.toContain('name="reason"')
    })
  })

  it.each([
    ['expired', () => ({ expiresAt: clock.now() })],
    ['used up', () => ({ maxUses: 1, uses: 1 })],
  ])('shows that the invitation no longer works when it is %s', async (_name, options) => {
    const { code } = await invite(await given.account(), options())
    const open = await new Browser().get(`/invite/${code}`)
    const closed = await withSettings({ registrations: 'closed' }, () => new Browser().get(`/invite/${code}`))
    expect(textOf(open.html)).toContain('no longer works')
    expect(open.html).toContain('name="username"')
    expect(textOf(closed.html)).toContain('no longer works')
    expect(closed.html).not.toContain('name="username"')
  })

  it('GET /invite/:code in a browser has no effect for a signed-in user', async () => {
    const { code } = await invite(await given.account())
    const { browser } = await signedIn()
    expect((await browser.get(`/invite/${code}`)).location).toBe('/home')
  })
})
