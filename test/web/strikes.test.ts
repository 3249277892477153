import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts, appeals, users } from '../../src/db/schema'
import { as } from '../support/as'
import { Browser } from '../support/browser'
import { given } from '../support/given'
import { givenStrike } from '../support/given-strike'
import { givenMember, password, signedIn } from '../support/members'
import { clock, context } from '../support/test-app'

const path = '/settings/strikes'

const appealsOf = ({ id }: { readonly id: number }) =>
  context().db.select().from(appeals).where(eq(appeals.accountId, id))

describe('the page of strikes', () => {
  it('shows decisions with reason and posts, to the member only', async () => {
    const { member, browser } = await signedIn()
    const status = await given.status({ by: member, text: 'Buy my <seeds>' })
    await givenStrike(member, { action: 'silence', text: 'No seeds\n\nhere', statusIds: [Number(status.id)] })
    await givenStrike(await given.account(), { text: 'Not hers' })
    await as(member).delete(`/api/v1/statuses/${status.id}`)
    const { html } = await browser.get(path)
    expect(html).toContain('Your account was limited')
    expect(html).toMatch(/<p dir="auto">No seeds<\/p><p dir="auto">here<\/p>/)
    expect(html).toContain('Buy my &lt;seeds&gt;')
    expect(html).toContain('deleted since')
    expect(html).not.toContain('Not hers')
  })

  it('accepts one appeal, and shows its state afterwards', async () => {
    const { member, browser } = await signedIn()
    await givenStrike(member)
    const refused = await browser.fill(path, { text: ' ' })
    expect(refused).toMatchObject({ status: 422 })
    expect(refused.html).toContain('can&#39;t be blank')
    const sent = await browser.fill(path, { text: 'I sold no seeds' })
    expect(sent.location).toBe(`${path}?done=appealed`)
    expect(await appealsOf(member)).toMatchObject([{ text: 'I sold no seeds' }])
    const { html } = await browser.get(`${path}?done=appealed`)
    expect(html).toContain('Your appeal has been sent to the moderators.')
    expect(html).toContain('have not decided about your appeal yet')
    expect(html).not.toContain('<textarea')
  })

  it('offers no appeal after twenty days, nor against a decision about another account', async () => {
    const { member, browser } = await signedIn()
    const strike = await givenStrike(await given.account())
    const own = await givenStrike(member)
    const hostile = await browser.fill(path, { strike: String(strike), text: 'Let them go' })
    expect(hostile.status).toBe(404)
    clock.advance(20 * 86_400_000 + 1)
    const again = new Browser()
    await again.signIn(member.username, password)
    const { html } = await again.get(path)
    expect(html).toContain('The time for an appeal is over.')
    expect(html).not.toContain('<textarea')
    expect(await appealsOf(member)).toEqual([])
    expect(own).toBeGreaterThan(0)
  })

  const states = {
    suspended: ({ id }: { readonly id: number }) =>
      context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, id)),
    disabled: ({ id }: { readonly id: number }) =>
      context().db.update(users).set({ disabledAt: clock.now() }).where(eq(users.accountId, id)),
  }
  for (const [state, restrict] of Object.entries(states))
    it(`the page of strikes is the only page of a ${state} account, signed in before or again`, async () => {
      const { member, browser } = await signedIn()
      await givenStrike(member, { action: state === 'suspended' ? 'suspend' : 'disable', text: 'No seeds' })
      await restrict(member)
      const fresh = new Browser()
      const page = await fresh.signIn(member.username, password, '/oauth/authorize?client_id=1')
      expect(page).toMatchObject({ status: 303, location: path })
      for (const one of [browser, fresh]) {
        const { html, status } = await one.get(path)
        expect(status).toBe(200)
        expect(html).toContain(`Your account has been ${state}.`)
        for (const other of ['/auth/edit', '/settings/preferences', '/settings/delete'])
          expect((await one.get(other)).location).toMatch(/^\/auth\/sign_in/)
      }
      expect((await as(member).get('/api/fieldfare/v1/strikes')).status).toBe(403)
      const sent = await fresh.fill(path, { text: 'I sold no seeds' })
      expect(sent.location).toBe(`${path}?done=appealed`)
      expect(await appealsOf(member)).toHaveLength(1)
      await fresh.fill('/auth/sign_out', {})
      expect((await fresh.get(path)).location).toMatch(/^\/auth\/sign_in/)
    })

  it('the page of strikes requires sign-in', async () => {
    expect((await new Browser().get(path)).location).toContain('/auth/sign_in')
    const member = await givenMember()
    expect((await new Browser().signIn(member.username, 'wrong password')).status).toBe(422)
  })
})
