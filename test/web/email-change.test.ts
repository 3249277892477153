import { describe, expect, it } from 'vitest'
import { execute } from '../../src/db/query'
import { saveSettings } from '../../src/domain/instance/save-settings'
import { operator } from '../../src/domain/policy/permissions'
import { requestConfirmation } from '../../src/domain/users/confirm'
import { findMemberById } from '../../src/domain/users/find'
import { Browser, textOf } from '../support/browser'
import { fakeMailer, linkIn } from '../support/fake-mailer'
import { freshName, given } from '../support/given'
import { password, signedIn } from '../support/members'
import { context } from '../support/test-app'

const path = '/auth/edit/email'

async function addressesOf({ id }: { readonly id: number }) {
  const ctx = context()
  const member = await execute(ctx.db, findMemberById(ctx, id))
  return { email: member?.email, unconfirmedEmail: member?.unconfirmedEmail }
}

describe('changing the e-mail address', () => {
  it('changes the address at once where the server sends no mail', async () => {
    const { member, browser } = await signedIn()
    const email = `new-${member.email}`
    const done = await browser.fill(path, { email, current_password: password })
    expect(done).toMatchObject({ status: 303, location: '/auth/edit?done=email' })
    expect(await addressesOf(member)).toEqual({ email, unconfirmedEmail: null })
    expect(textOf((await browser.get('/auth/edit?done=email')).html)).toContain('address is changed')
  })

  it('changes the address by the link sent to the new one where the server sends mail', async () => {
    const { member, browser } = await signedIn()
    const postOffice = fakeMailer()
    const email = `new-${member.email}`
    const done = await browser.fill(path, { email, current_password: password }, postOffice)
    const [mail] = await postOffice.deliver()
    expect(done.location).toBe('/auth/edit?done=email-sent')
    expect(mail).toMatchObject({ to: email })
    expect(await addressesOf(member)).toEqual({ email: member.email, unconfirmedEmail: email })
    expect(textOf((await browser.get('/auth/edit')).html)).toContain(`New e-mail ${email} not confirmed`)
    expect(textOf((await browser.get(linkIn(mail))).html)).toContain('Address changed')
    expect(await addressesOf(member)).toEqual({ email, unconfirmedEmail: null })
  })

  it('invalidates links sent to earlier addresses', async () => {
    const { member, browser } = await signedIn()
    const postOffice = fakeMailer()
    const send = async (email: string) => {
      await browser.fill(path, { email, current_password: password }, postOffice)
      return linkIn((await postOffice.deliver())[0])
    }
    const [first, second] = [await send(`a-${member.email}`), await send(`b-${member.email}`)]
    expect((await browser.get(first)).status).toBe(403)
    expect((await browser.get(second)).status).toBe(200)
    expect(await addressesOf(member)).toMatchObject({ email: `b-${member.email}` })
  })

  it('refuses a change without the password', async () => {
    const { member, browser } = await signedIn()
    const page = await browser.fill(path, { email: 'x@mail.test', current_password: 'wrong' })
    expect(page.status).toBe(422)
    expect(textOf(page.html)).toContain('Current password is wrong')
    expect(await addressesOf(member)).toEqual({ email: member.email, unconfirmedEmail: null })
  })

  it.each([
    ['', 'blank'],
    ['nonsense', 'is not valid'],
    ['me@mail.blocked.test', 'not allowed'],
  ])('refuses %j as an address', async (email, reason) => {
    await saveSettings(context(), operator, { blockedEmailDomains: ['blocked.test'] })
    const { member, browser } = await signedIn()
    const page = await browser.fill(path, { email, current_password: password })
    await saveSettings(context(), operator, { blockedEmailDomains: [] })
    expect(page.status).toBe(422)
    expect(textOf(page.html)).toContain(reason)
    expect(await addressesOf(member)).toMatchObject({ email: member.email })
  })

  it('refuses the address of another user, in any case of letters', async () => {
    const { member, browser } = await signedIn()
    const bob = await given.account()
    const page = await browser.fill(path, { email: bob.email.toUpperCase(), current_password: password })
    expect(page.status).toBe(422)
    expect(await addressesOf(member)).toMatchObject({ email: member.email })
  })

  it('changes the address when the link is requested again after the server stopped sending mail', async () => {
    const email = `pending-${freshName()}@mail.test`
    const { id } = await given.account({ user: { unconfirmedEmail: email } })
    const ctx = context({ mailer: null })
    const member = await execute(ctx.db, findMemberById(ctx, id))
    if (member === null) throw new Error('the member was made above')
    await requestConfirmation(ctx, member, null)
    expect(await addressesOf({ id })).toEqual({ email, unconfirmedEmail: null })
  })

  it('asks anonymous visitors to sign in', async () => {
    expect((await new Browser().get(path)).location).toContain('/auth/sign_in')
  })
})
