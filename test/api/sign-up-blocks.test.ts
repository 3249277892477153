import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { execute } from '../../src/db/query'
import { emailDomainAttempts, invites } from '../../src/db/schema'
import { operator } from '../../src/domain/policy/permissions'
import {
  createCanonicalEmailBlock,
  deleteCanonicalEmailBlock,
} from '../../src/domain/sign-up-blocks/canonical-email-blocks'
import {
  createEmailDomainBlock,
  findEmailDomainBlock,
  pruneAttempts,
} from '../../src/domain/sign-up-blocks/email-domain-blocks'
import { createIpBlock, deleteIpBlock, updateIpBlock } from '../../src/domain/sign-up-blocks/ip-blocks'
import { createUsernameBlock } from '../../src/domain/sign-up-blocks/username-blocks'
import { anonymous, as } from '../support/as'
import { fakeMailer } from '../support/fake-mailer'
import { freshName, given } from '../support/given'
import { invite } from '../support/given-invite'
import { givenStaff } from '../support/given-staff'
import { appToken, registerClient, tokenIn } from '../support/oauth'
import { apiForm, member, signUp } from '../support/sign-up'
import { clock, context, fetchApp } from '../support/test-app'

let addresses = 0
const freshAddress = () => `10.55.${addresses++}.7`
const block = (ip: string, severity: string, expiresIn: number | null = null) =>
  createIpBlock(context(), operator, { ip, severity, expiresIn })
const blockDomain = (domain: string, allowWithApproval = false) =>
  createEmailDomainBlock(context(), operator, { domain, allowWithApproval })
const blockName = (username: string, exact: boolean, allowWithApproval = false) =>
  createUsernameBlock(context(), operator, { username, exact, allowWithApproval })

async function signUpFrom(ip: string, body: Readonly<Record<string, unknown>> = apiForm()) {
  const token = await appToken(await registerClient())
  return as(token).post('/api/v1/accounts', body, { headers: { 'cf-connecting-ip': ip } })
}

const refused = (error: string, field: 'email' | 'username' = 'email') => ({
  status: 422,
  body: { details: { [field]: [{ error }] } },
})

describe('a blocked network', () => {
  it('sign_up_block refuses sign-ups from any part of it, and allows reading and sign-in [T-961]', async () => {
    const ip = freshAddress()
    const { id } = await block(`${ip}/24`, 'sign_up_block')
    const answer = await signUpFrom(ip)
    expect(answer).toMatchObject({ status: 403, body: { error: 'This action is not allowed' } })
    expect((await signUpFrom(`::ffff:${ip}`)).status).toBe(403)
    const headers = { 'cf-connecting-ip': ip }
    expect((await anonymous.get('/api/v2/instance', { headers })).status).toBe(200)
    const { code } = await invite(await given.account(), {})
    expect((await anonymous.get(`/invite/${code}`, { headers })).status).toBe(403)
    expect((await signUpFrom(ip, apiForm({ invite_code: code }))).status).toBe(403)
    await deleteIpBlock(context(), operator, id)
    expect((await signUpFrom(ip)).status).toBe(200)
  })

  it('sign_up_requires_approval requires approval, invited or not [T-962]', async () => {
    const ip = freshAddress()
    await block(ip, 'sign_up_requires_approval')
    const { code } = await invite(await given.account(), {})
    for (const body of [apiForm(), apiForm({ invite_code: code })]) {
      const answer = await signUpFrom(ip, body)
      expect(answer.status).toBe(200)
      expect(await member(body.username)).toMatchObject({ approved: false })
      expect((await as(tokenIn(answer.body)).get('/api/v1/timelines/home')).status).toBe(403)
    }
  })

  it('the strictest of several blocks applies, and no expired one', async () => {
    const ip = freshAddress()
    await block(ip, 'sign_up_requires_approval')
    await block(`${ip}/30`, 'sign_up_block', 60)
    expect((await signUpFrom(ip)).status).toBe(403)
    clock.advance(60_000)
    expect((await signUpFrom(ip)).status).toBe(200)
  })

  it('no_access answers 403 to every request, until the block is lifted or ends [T-963]', async () => {
    const ip = '2001:db8:55::9'
    const headers = { 'cf-connecting-ip': ip }
    const person = await given.account()
    const { id } = await block('2001:db8:55::/48', 'no_access', 90)
    for (const path of ['/api/v1/timelines/home', '/api/v2/instance', '/oauth/token', '/nothing'])
      expect(await as(person).get(path, { headers })).toMatchObject({
        status: 403,
        body: { error: 'This action is not allowed' },
        costs: { trips: 0 },
      })
    const page = await fetchApp(
      new Request('https://fieldfare.test/', { headers: { ...headers, accept: 'text/html' } }),
    )
    expect([page.response.status, page.costs.trips]).toEqual([403, 0])
    expect((await as(person).get('/api/v1/timelines/home')).status).toBe(200)
    const asked = () => as(person).get('/api/v1/timelines/home', { headers })
    await updateIpBlock(context(), operator, id, { severity: 'sign_up_block' })
    expect((await asked()).status).toBe(200)
    await updateIpBlock(context(), operator, id, { severity: 'no_access' })
    expect((await asked()).status).toBe(403)
    clock.advance(90_000)
    expect((await asked()).status).toBe(200)
  })

  it('other isolates reload it within a minute, once, and not while the database fails', async () => {
    const ip = freshAddress()
    const headers = { 'cf-connecting-ip': ip }
    const { id } = await block(ip, 'no_access')
    await context().db.run(`delete from ip_blocks where id = ${id}`)
    // A path whose responses are not cached.
    const asked = () => anonymous.get('/api/v1/peers/search?q=x', { headers })
    expect((await asked()).status).toBe(403)
    clock.advance(61_000)
    const first = await asked()
    const second = await asked()
    expect([first.status, second.status]).toEqual([200, 200])
    expect(first.costs.trips - second.costs.trips).toBe(1)
  })
})

describe('a blocked e-mail domain', () => {
  it('refuses the domain with its subdomains, and counts the attempts [T-964]', async () => {
    const domain = `${freshName('bad')}.test`
    const { id } = await blockDomain(domain)
    const from = freshAddress()
    for (const email of [`a@${domain}`, `b@mx.${domain}`]) {
      const answer = await signUpFrom(from, apiForm({ email }))
      expect(answer).toMatchObject(refused('ERR_BLOCKED'))
      expect(answer.costs.trips).toBeLessThanOrEqual(4)
    }
    await signUpFrom(freshAddress(), apiForm({ email: `c@${domain}` }))
    expect((await signUpFrom(from, apiForm({ email: `a@not-${domain}` }))).status).toBe(200)
    const today = Math.floor(clock.now().getTime() / 86_400_000)
    const history = async () => (await execute(context().db, findEmailDomainBlock(context(), id)))?.history
    expect(await history()).toEqual({ [today]: [2, 3] })
    const attempts = () =>
      context().db.select().from(emailDomainAttempts).where(eq(emailDomainAttempts.blockId, id))
    expect(JSON.stringify(await attempts())).not.toContain('10.55')
    clock.advance(6 * 86_400_000)
    await signUpFrom(from, apiForm({ email: `d@${domain}` }))
    expect(await history()).toEqual({ [today]: [2, 3], [today + 6]: [1, 1] })
    await pruneAttempts(context())
    expect(await attempts()).toHaveLength(1)
    clock.advance(86_400_000)
    await signUpFrom(from, apiForm({ email: `e@${domain}` }))
    expect(await history()).toEqual({ [today + 6]: [1, 1], [today + 7]: [1, 1] })
  })

  it('blocks domains by their mail servers [T-965]', async () => {
    const host = `${freshName('host')}.test`
    await blockDomain(host)
    const { overrides } = fakeMailer({ hosts: [`in1.mx.${host}`] })
    expect(await signUp(apiForm(), { overrides })).toMatchObject(refused('ERR_BLOCKED'))
    const other = fakeMailer({ hosts: ['mx.other.test'] })
    expect((await signUp(apiForm(), { overrides: other.overrides })).status).toBe(200)
    const { code } = await invite(await given.account(), {})
    expect(await signUp(apiForm({ invite_code: code }), { overrides })).toMatchObject(refused('ERR_BLOCKED'))
  })

  it('requires approval where the block says so, and counts that as well [T-966]', async () => {
    const domain = `${freshName('free')}.test`
    const { id } = await blockDomain(domain, true)
    const body = apiForm({ email: `a@${domain}` })
    const answer = await signUp(body)
    expect(answer.status).toBe(200)
    expect(answer.costs.trips).toBeLessThanOrEqual(5)
    expect(await member(body.username)).toMatchObject({ approved: false })
    const found = await execute(context().db, findEmailDomainBlock(context(), id))
    expect(Object.values(found?.history ?? {})).toEqual([[1, 1]])
  })

  it('a blocked e-mail domain allows invited accounts', async () => {
    const domain = `${freshName('bad')}.test`
    await blockDomain(domain)
    const { code } = await invite(await given.account(), {})
    expect((await signUp(apiForm({ email: `a@${domain}`, invite_code: code }))).status).toBe(200)
    expect(await context().db.select().from(invites).where(eq(invites.code, code))).toMatchObject([
      { uses: 1 },
    ])
  })

  it('a blocked e-mail domain cannot be used by a change of address after sign-up', async () => {
    const [bad, free] = [`${freshName('bad')}.test`, `${freshName('free')}.test`]
    await blockDomain(bad)
    await blockDomain(free, true)
    const mailer = fakeMailer()
    const token = tokenIn((await signUp(apiForm(), { overrides: mailer.overrides })).body)
    for (const domain of [bad, free])
      expect(
        await as(token).post(
          '/api/v1/emails/confirmations',
          { email: `a@${domain}` },
          { overrides: mailer.overrides },
        ),
      ).toMatchObject(refused('ERR_BLOCKED'))
  })
})

describe('a blocked e-mail address', () => {
  it('refuses a blocked e-mail address in every spelling [T-967]', async () => {
    const name = freshName('banned')
    const { id } = await createCanonicalEmailBlock(context(), operator, {
      email: `${name}@mail.test`,
      hash: '',
    })
    const email = `B.${name.slice(1)}+2@MAIL.test`
    expect(await signUp(apiForm({ email }))).toMatchObject(refused('ERR_BLOCKED'))
    await deleteCanonicalEmailBlock(context(), operator, id)
    expect((await signUp(apiForm({ email }))).status).toBe(200)
  })
})

describe('the address of a suspended account', () => {
  it('the address of a suspended account cannot sign up again in any spelling, until the suspension is lifted', async () => {
    const moderator = await givenStaff({ permissions: ['manageUsers'] })
    const alice = await given.account()
    const act = (verb: string, body = {}) =>
      as(moderator).post(`/api/v1/admin/accounts/${alice.id}/${verb}`, body)
    expect((await act('action', { type: 'suspend' })).status).toBe(200)
    const body = apiForm({ email: alice.email.replace('@', '+again@') })
    expect(await signUp(body)).toMatchObject(refused('ERR_BLOCKED'))
    expect((await act('unsuspend')).status).toBe(200)
    expect((await signUp(body)).status).toBe(200)
  })
})

describe('a blocked username', () => {
  it('refuses a blocked username alone or as a part, in similar letters', async () => {
    const part = `zq${freshName('x').replace(/\W/g, '').slice(-6)}o`
    await blockName(part, false)
    for (const username of [part, `my_${part.toUpperCase()}`, `${part.slice(0, -1)}0x`])
      expect(await signUp(apiForm({ username }))).toMatchObject(refused('ERR_RESERVED', 'username'))
    const exact = `${freshName('exactly')}`
    await blockName(exact, true)
    expect(await signUp(apiForm({ username: exact }))).toMatchObject(refused('ERR_RESERVED', 'username'))
    expect((await signUp(apiForm({ username: `${exact}x` }))).status).toBe(200)
  })

  it('requires approval for a username where the block says so', async () => {
    const username = freshName('brand')
    await blockName(username, true, true)
    expect((await signUp(apiForm({ username }))).status).toBe(200)
    expect(await member(username)).toMatchObject({ approved: false })
  })
})
