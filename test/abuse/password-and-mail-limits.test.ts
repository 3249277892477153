import { describe, expect, it } from 'vitest'
import { Browser } from '../support/browser'
import { fakeMailer } from '../support/fake-mailer'
import { given } from '../support/given'
import { password, signedIn } from '../support/members'
import { apiForm, signUp } from '../support/sign-up'
import { context } from '../support/test-app'

/** Known flaws of other servers in limits on guessed passwords and on mails that strangers can cause. */

const twice = { password: 'another long enough one', password_confirmation: 'another long enough one' }

describe('the password of a browser session left open', () => {
  it('the password can be guessed 25 times an hour in a session, by all forms together [T-017]', async () => {
    const vault = { ...context().vault, verifyPassword: async () => false }
    const { browser } = await signedIn()
    const forms = [
      ['/auth/edit/password', twice],
      ['/auth/edit/email', { email: 'thief@example.com' }],
      ['/settings/migration', { handle: 'thief@elsewhere.test' }],
      ['/settings/delete', {}],
    ] as const
    const guess = async ([path, fields]: (typeof forms)[number]) => {
      const overrides = { vault }
      return (await browser.fill(path, { current_password: 'wrong', ...fields }, { overrides })).status
    }
    const statuses: number[] = []
    for (let count = 0; count < 25; count += 1)
      statuses.push(await guess(forms[count % forms.length] ?? forms[0]))
    expect(statuses).toEqual(Array<number>(25).fill(422))
    for (const form of [forms[0], forms[1], forms[3]])
      expect([form[0], await guess(form)]).toEqual([form[0], 429])
  })
})

describe('mails to one address', () => {
  it.each([
    ['/auth/confirmation/new', { confirmedAt: null }],
    ['/auth/password/new', {}],
  ])(
    'sends five mails in half an hour to an address by %s, from any networks and in any spelling [T-018]',
    async (path, user) => {
      const [mailer, alice] = [fakeMailer(), await given.account({ user })]
      const spellings = [alice.email, alice.email.toUpperCase(), ` ${alice.email} `]
      const statuses: number[] = []
      for (let count = 0; count < 6; count += 1) {
        const email = spellings[count % spellings.length] ?? ''
        statuses.push((await new Browser(mailer.overrides).fill(path, { email })).status)
      }
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
      expect(new Set((await mailer.deliver()).map(({ to }) => to))).toEqual(new Set([alice.email]))
    },
  )

  it('mails to a new address count against the limit of the account that requests them [T-019]', async () => {
    const [mailer, { member, browser }] = [fakeMailer(), await signedIn()]
    const statuses: number[] = []
    for (let count = 0; count < 26; count += 1) {
      const fields = { email: `victim-${count}-${member.email}`, current_password: password }
      statuses.push((await browser.fill('/auth/edit/email', fields, mailer)).status)
    }
    expect([statuses.slice(0, 25), statuses[25]]).toEqual([Array<number>(25).fill(303), 429])
  })
})

describe('an address that mail programs read differently', () => {
  const addresses = [
    'victim%other.example@fieldfare.test',
    '"victim@other.example"@fieldfare.test',
    'victim@other.example,second@fieldfare.test',
    'victim@other.example;second@fieldfare.test',
    'victim@other.example\r\nBcc: second@fieldfare.test',
    '<victim@other.example>',
    'Victim <victim@other.example>',
    'victim@other.example (comment)',
    'victim!other.example@fieldfare.test',
    'victim@[127.0.0.1]',
    'victim@other.example@fieldfare.test',
    `${'v'.repeat(250)}@other.example`,
  ]

  it('an address that mail programs read differently is refused at sign-up [T-020]', async () => {
    const { overrides, queued } = fakeMailer()
    for (const email of addresses)
      expect([email, await signUp(apiForm({ email }), { overrides })]).toMatchObject([
        email,
        { status: 422, body: { details: { email: [{ error: 'ERR_INVALID' }] } } },
      ])
    expect(queued).toEqual([])
  })

  it('an address that mail programs read differently is refused as a new address [T-021]', async () => {
    const [mailer, { browser }] = [fakeMailer(), await signedIn()]
    for (const email of addresses) {
      const page = await browser.fill('/auth/edit/email', { email, current_password: password }, mailer)
      expect([email, page.status]).toEqual([email, 422])
      expect(page.html).toContain('is not valid')
    }
    expect(mailer.queued).toEqual([])
  })
})
