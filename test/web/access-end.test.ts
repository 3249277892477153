import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { openDb } from '../../src/db/query'
import { changePassword } from '../../src/domain/users/passwords'
import { as } from '../support/as'
import { Browser, hiddenFields, textOf } from '../support/browser'
import { countingDb } from '../support/costs'
import { fakeMailer } from '../support/fake-mailer'
import { given } from '../support/given'
import { numbers } from '../support/masses'
import { password, signedIn } from '../support/members'
import { clock, context } from '../support/test-app'

const next = 'another long enough one'
const isSignedIn = async (browser: Browser) => (await browser.get('/auth/edit')).status === 200

async function twoBrowsers() {
  const { member, browser } = await signedIn()
  const other = new Browser()
  await other.signIn(member.username, password)
  return { member, browser, other }
}

describe('ending all other sessions', () => {
  const path = '/auth/sessions/revoke_others'

  it('ends all other sessions with one button, and forgets their browsers', async () => {
    const { member, browser, other } = await twoBrowsers()
    await browser.post(path, hiddenFields((await browser.get('/auth/edit')).html, path))
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false])
    expect((await as(member).get('/api/v1/timelines/home')).status).toBe(200)
    const office = fakeMailer()
    const again = new Browser(office.overrides)
    for (const [name, value] of other.jar) again.plant(name, value)
    const headers = { 'cf-connecting-ip': '203.0.113.77' }
    const page = await again.fill('/auth/sign_in', { username: member.username, password }, { headers })
    expect(page.location).toBe('/auth/sign_in/verify')
  })

  it('shows no button where there are no other sessions', async () => {
    const { browser } = await signedIn()
    expect((await browser.get('/auth/edit')).html).not.toContain(path)
  })

  it('keeps sessions of other accounts', async () => {
    const [alice, bob] = [await signedIn(), await signedIn()]
    const { csrf_token = '' } = hiddenFields((await alice.browser.get('/auth/edit')).html, '/auth/sign_out')
    await alice.browser.post(path, { csrf_token })
    expect(await isSignedIn(bob.browser)).toBe(true)
  })
})

const changes = [
  [
    'password',
    '/auth/edit/password',
    { current_password: password, password: next, password_confirmation: next },
  ],
  ['e-mail address', '/auth/edit/email', { current_password: password, email: '' }],
] as const

describe.each(changes)('a change of the %s', (_, path, fields) => {
  const typed = (email: string) => ('email' in fields ? { ...fields, email: `new-${email}` } : { ...fields })

  it('the change is mailed to the old address, and ends all other sessions but no application', async () => {
    const { member, browser, other } = await twoBrowsers()
    const office = fakeMailer()
    await browser.fill(path, typed(member.email), { overrides: office.overrides })
    expect(JSON.stringify(office.queued)).not.toContain('@')
    const mail = (await office.deliver()).find(({ to }) => to === member.email)
    expect(mail?.to).toBe(member.email)
    expect(mail?.text).toMatch(
      /The password of your account .* was changed|Another e-mail address was entered/,
    )
    expect(mail?.text).not.toContain(next)
    expect(mail?.text).not.toContain('new-')
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false])
    expect((await as(member).get('/api/v1/timelines/home')).status).toBe(200)
  })

  it('ends applications where that is ticked', async () => {
    const { member, browser } = await signedIn()
    await browser.fill(path, { ...typed(member.email), sign_out_apps: 'true' })
    expect((await as(member).get('/api/v1/timelines/home')).status).toBe(401)
  })

  it('ends nothing and mails nobody when it is refused', async () => {
    const { member, browser, other } = await twoBrowsers()
    const office = fakeMailer()
    const wrong = { ...typed(member.email), current_password: 'wrong', sign_out_apps: 'true' }
    const page = await browser.fill(path, wrong, { overrides: office.overrides })
    expect([page.status, textOf(page.html).includes('Current password is wrong.')]).toEqual([422, true])
    expect([await isSignedIn(other), await office.deliver()]).toEqual([true, []])
    expect((await as(member).get('/api/v1/timelines/home')).status).toBe(200)
  })
})

describe('a member with very many sign-ins', () => {
  let made = 0

  /** A member with so many sessions, devices and tokens. */
  async function oftenSignedIn(count: number) {
    const { member } = await signedIn()
    await given.token({ accountId: member.id, scopes: 'read' })
    made += 1
    const now = clock.now().getTime()
    const many = numbers(count)
    const id = `${made * 1_000_000} + i`
    await env.DB.batch(
      [
        `insert into sessions (id, token_hash, account_id, created_at, last_seen_at, expires_at)
          select ${id}, 's${member.id}-' || i, ${member.id}, ${now}, ${now} - 1, ${now} + 1000000000 from ${many}`,
        `insert into known_devices (token_hash, account_id, last_used_at) select 'd' || i, ${member.id}, ${now} - 1 from ${many}`,
        `insert into access_tokens (id, token_hash, application_id, account_id, scopes, created_at)
          select ${id}, 't${member.id}-' || i,
            (select application_id from access_tokens where account_id = ${member.id}), ${member.id}, 'read', ${now} - 1
          from ${many}`,
      ].map((text) => env.DB.prepare(text)),
    )
    return member
  }

  const countOf = (table: string, accountId: number) =>
    env.DB.prepare(`select count(*) as count from ${table} where account_id = ?`)
      .bind(accountId)
      .first('count')

  it('keeps a hundred sessions and devices, and ends the longest unused ones', async () => {
    const member = await oftenSignedIn(150)
    const latest = new Browser()
    await latest.signIn(member.username, password)
    expect(await isSignedIn(latest)).toBe(true)
    expect([await countOf('sessions', member.id), await countOf('known_devices', member.id)]).toEqual([
      100, 100,
    ])
  })

  it('changes the password within the rows of a request, with three hundred tokens', async () => {
    const member = await oftenSignedIn(300)
    await new Browser().signIn(member.username, password)
    await new Browser().signIn(member.username, password)
    const counted = countingDb(env.DB)
    const ctx = context({ db: openDb(counted.db) })
    const change = { current: password, next, keepSessionId: 0, endsApplications: true }
    await changePassword(ctx, member.id, change)
    const { rowsRead, rowsWritten } = counted.read()
    expect([await countOf('sessions', member.id), await countOf('access_tokens', member.id)]).toEqual([0, 0])
    expect([rowsRead, rowsWritten].map((rows) => rows <= 2_000)).toEqual([true, true])
  })
})
