import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import worker from '../../src/index'
import { hiddenFields, textOf } from '../support/browser'
import { countingDb } from '../support/costs'
import { fediverse } from '../support/fediverse'
import { freshIp } from '../support/oauth'
import { migrateBy, type OwnInstallation, ownInstallation } from '../support/own-installation'

const { network } = fediverse
const host = 'https://fieldfare.workers.dev'
const origin = 'https://new.example.org'
const password = 'correct horse battery'

/** Accounts of other tests own no server of these. */
afterEach(async () => {
  await env.DB.prepare('update users set role_id = null').run()
})

const logged: string[] = []
beforeEach(() => {
  logged.length = 0
  vi.spyOn(console, 'error').mockImplementation((line: string) => void logged.push(line))
})
afterEach(() => void vi.restoreAllMocks())

interface Sent {
  readonly method?: string
  readonly body?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** A browser that is at the address that the Worker has before it has a domain. */
class Operator {
  readonly #jar = new Map<string, string>()
  readonly #ip = freshIp()
  readonly #server: OwnInstallation

  constructor(server: OwnInstallation) {
    this.#server = server
  }

  get jar(): ReadonlyMap<string, string> {
    return this.#jar
  }

  plant(name: string, value: string): void {
    this.#jar.set(name, value)
  }

  async request(path: string, { method = 'GET', body = null, ...init }: Sent = {}, accept = 'text/html') {
    const headers = new Headers({ accept, 'cf-connecting-ip': this.#ip, ...init.headers })
    headers.set('cookie', [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; '))
    const lifetime = createExecutionContext()
    const response = await worker.fetch(
      new Request(`${host}${path}`, { method, body, headers }),
      this.#server.own,
      lifetime,
    )
    const html = await response.text()
    await waitOnExecutionContext(lifetime)
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';')[0]?.split('=') ?? []
      this.#jar.set(name, value)
    }
    return { status: response.status, headers: response.headers, html, text: textOf(html) }
  }

  get(path = '/setup', accept?: string) {
    return this.request(path, {}, accept)
  }

  /** Opens set-up, or a page of it, and sends a form of it with its hidden fields. */
  async fill(step: string, fields: Readonly<Record<string, string>> = {}, page = '/setup') {
    const { html } = await this.get(page)
    return this.post(step, { ...hiddenFields(html, `/setup/${step}`), ...fields })
  }

  post(step: string, fields: Readonly<Record<string, string>>) {
    const headers = { origin: host, 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams(fields).toString()
    return this.request(`/setup/${step}`, { method: 'POST', headers, body })
  }

  enter(secret = this.#server.secret) {
    return this.fill('enter', { secret })
  }
}

async function entered() {
  const server = ownInstallation({ EMAIL: 'bound' })
  const { ORIGIN: _, ...rest } = server.own
  const own: Env = Object.assign({}, { ORIGIN: '' }, rest)
  Reflect.deleteProperty(own, 'ORIGIN')
  const without = { ...server, own }
  const operator = new Operator(without)
  expect((await operator.enter()).status).toBe(303)
  return { server: without, operator }
}

/** A server whose set-up came to a step. */
async function arrivedAt(step: 'domain' | 'server' | 'secrets' | 'owner') {
  const { server, operator } = await entered()
  await migrateBy(server.object)
  const before: readonly (readonly [typeof step, () => Promise<unknown>])[] = [
    ['domain', () => operator.fill('domain', { domain: 'new.example.org' })],
    [
      'server',
      async () => {
        await operator.fill('server', { title: 'The hedge', registrations: 'closed' })
        await operator.fill('services', { plan: 'paid', email: 'post@new.example.org' })
      },
    ],
    [
      'secrets',
      async () => {
        await operator.fill('secrets', { agreement: 'true' })
        await operator.fill('checks')
      },
    ],
  ]
  for (const [name, work] of before) {
    if (name === step) break
    await work()
  }
  return { server, operator }
}

const owner = {
  username: 'alice',
  email: 'alice@new.example.org',
  password,
  password_confirmation: password,
}

const File = z.object({ INSTANCE_SECRET: z.string(), ORIGIN: z.string() })

describe('a server without an owner', () => {
  it('a server without an owner leads pages to set-up, and answers programs with one sentence', async () => {
    const operator = new Operator(ownInstallation())
    const page = await operator.get('/')
    expect([page.status, page.headers.get('location')]).toEqual([303, '/setup'])
    const sentence = 'This server is not set up yet: open /setup in a browser.'
    for (const path of ['/api/v2/instance', '/health', '/.well-known/nodeinfo', '/inbox']) {
      const answer = await operator.get(path, 'application/json')
      expect([path, answer.status, answer.html]).toEqual([path, 503, JSON.stringify({ error: sentence })])
    }
  })

  it('a server without an owner asks for the set-up secret, counts and logs wrong ones, and tells neither them nor the secret', async () => {
    const server = ownInstallation()
    const operator = new Operator(server)
    const wrong = await operator.enter('a guess of somebody who was sent the address')
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('That is not the set-up secret of this server.')
    expect(logged.join()).toContain('A wrong set-up secret was entered')
    expect(logged.join()).not.toContain('a guess of somebody')
    expect((await operator.get('/setup?step=owner')).text).toContain('Enter the set-up secret')
    await operator.enter()
    expect((await operator.get()).text).toContain('Wrong set-up secrets entered so far: 1')
  })

  it('a server without an owner limits guesses of one network', async () => {
    const operator = new Operator(ownInstallation())
    const { html } = await operator.get()
    const fields = { ...hiddenFields(html, '/setup/enter'), secret: 'wrong' }
    const statuses: number[] = []
    for (let guess = 0; guess < 27; guess++) statuses.push((await operator.post('enter', fields)).status)
    expect(statuses.slice(0, 25)).toEqual(Array.from({ length: 25 }, () => 422))
    expect(statuses.slice(25)).toEqual([429, 429])
  })

  it('a server without an owner refuses forms without their token, and of other sites', async () => {
    const { server, operator } = await arrivedAt('domain')
    const { html } = await operator.get()
    const fields = { ...hiddenFields(html, '/setup/domain'), domain: 'new.example.org' }
    expect((await operator.post('domain', { domain: 'new.example.org' })).status).toBe(422)
    const headers = { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams(fields).toString()
    expect((await operator.request('/setup/domain', { method: 'POST', headers, body })).status).toBe(403)
    expect((await server.object.state(server.secret, null, 0)).chosen).toEqual({})
  })

  it('a server without an owner tells a second browser that another one is at work, which may take over', async () => {
    const { server, operator: first } = await arrivedAt('domain')
    const second = new Operator(server)
    const held = await second.enter()
    expect(held.status).toBe(409)
    expect(held.text).toContain('Another browser is setting up this server')
    expect((await second.get()).text).toContain('Enter the set-up secret')
    const { html } = await first.get()
    const taken = await second.post('take-over', hiddenFields(held.html, '/setup/take-over'))
    expect(taken.status).toBe(303)
    const late = await first.post('domain', {
      ...hiddenFields(html, '/setup/domain'),
      domain: 'first.example.org',
    })
    expect(late.status).toBe(409)
    expect(late.text).toContain('Set-up was continued in another browser')
    await second.fill('domain', { domain: 'second.example.org' })
    const { chosen } = await server.object.state(server.secret, null, 0)
    expect(chosen).toEqual({ ORIGIN: 'https://second.example.org' })
  })

  it('a server without an owner lets no browser take over by a proof of its own making', async () => {
    const { server } = await arrivedAt('domain')
    const second = new Operator(server)
    const { html } = await second.get()
    const fields = { ...hiddenFields(html, '/setup/enter'), proof: `${Date.now()}.made-up` }
    expect((await second.post('take-over', fields)).status).toBe(422)
  })
})

describe('the steps of set-up', () => {
  it('the steps of set-up show how far the database is, and go on once it is ready', async () => {
    const { server, operator } = await entered()
    expect((await operator.get()).text).toContain('The server makes its tables by itself')
    await operator.fill('database')
    const running = await operator.get()
    if (running.headers.get('refresh') !== null)
      expect(running.text).toMatch(/\d+ of \d+ statements are done/)
    await migrateBy(server.object)
    expect((await operator.get()).html).toContain('action="/setup/domain"')
  })

  it('the steps of set-up ask the database for nothing but an owner, and not before it has tables', async () => {
    const { server, operator } = await entered()
    const counted = countingDb(env.DB)
    const own: Env = { ...server.own, DB: counted.db }
    const counting = new Operator({ ...server, own })
    for (const [name, value] of operator.jar) counting.plant(name, value)
    await counting.get()
    expect(counted.read()).toMatchObject({ trips: 0, statements: 0 })
    await migrateBy(server.object)
    await counting.get()
    expect(counted.read()).toMatchObject({ trips: 1, statements: 1, rowsWritten: 0 })
  })

  it('the steps of set-up are shown in their order: a later one leads to the next', async () => {
    const { operator } = await arrivedAt('domain')
    expect((await operator.get('/setup?step=owner')).html).toContain('action="/setup/domain"')
    const { html } = await operator.get()
    await operator.post('owner', { ...hiddenFields(html, '/setup/domain'), ...owner })
    expect((await operator.get()).html).toContain('action="/setup/domain"')
    expect((await operator.get('/setup?step=database')).text).toContain('The database is up to date.')
  })

  it.each([
    ['nodeinfo', 'mastodon'],
    ['an actor', 'ActivityPub'],
  ])('refuse a domain where another server answers by %s', async (kind, software) => {
    const { operator } = await arrivedAt('domain')
    const domain = kind === 'nodeinfo' ? 'taken.example.org' : 'actors.example.org'
    const json = (body: unknown) => () => Response.json(body)
    if (kind === 'nodeinfo') {
      const rel = 'http://nodeinfo.diaspora.software/ns/schema/2.0'
      const href = `https://${domain}/nodeinfo/2.0`
      network.respond(`https://${domain}/.well-known/nodeinfo`, json({ links: [{ rel, href }] }))
      network.respond(href, json({ software: { name: software, version: '4.4.0' } }))
    } else
      network.respond(
        `https://${domain}/actor`,
        json({ type: 'Application', inbox: `https://${domain}/inbox` }),
      )
    const refused = await operator.fill('domain', { domain })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(`${domain} is a fediverse server already (${software}).`)
    expect(refused.html).toContain(`value="${domain}"`)
  })

  it('the steps of set-up take a domain that the environment has, and ask for none', async () => {
    const { server, operator } = await entered()
    const given = new Operator({ ...server, own: Object.assign({ ...server.own }, { ORIGIN: origin }) })
    for (const [name, value] of operator.jar) given.plant(name, value)
    await migrateBy(server.object)
    expect((await given.get()).html).toContain('action="/setup/server"')
  })

  it('the steps of set-up refuse what is no domain, and let a chosen one be corrected', async () => {
    const { server, operator } = await arrivedAt('domain')
    expect((await operator.fill('domain', { domain: 'no domain' })).status).toBe(422)
    for (const domain of ['misspelt.example.org', 'https://new.example.org/'])
      expect((await operator.fill('domain', { domain }, '/setup?step=domain')).status).toBe(303)
    expect((await server.object.state(server.secret, null, 0)).chosen.ORIGIN).toBe(origin)
  })

  it('the steps of set-up offer the file of secrets until it was stored', async () => {
    const { operator } = await arrivedAt('secrets')
    const file = await operator.fill('secrets/file')
    expect(file.headers.get('content-disposition')).toContain('attachment')
    expect(File.parse(JSON.parse(file.html)).ORIGIN).toBe(origin)
    expect((await operator.fill('secrets')).status).toBe(422)
    const { html } = await operator.get()
    await operator.fill('secrets', { agreement: 'true' })
    const again = await operator.post('secrets/file', hiddenFields(html, '/setup/secrets/file'))
    expect([again.status, again.html]).toEqual([303, ''])
    expect((await operator.get('/setup?step=secrets')).text).toContain('It is not offered again.')
  })

  it('the steps of set-up check the server, and say who asked', async () => {
    const { operator } = await arrivedAt('secrets')
    await operator.fill('secrets', { agreement: 'true' })
    network.respond('https://mastodon.social/.well-known/nodeinfo', () => Response.json({ links: [] }))
    const { text, html, headers } = await operator.get()
    expect(text).toMatch(/new\.example\.org leads to this server\s+not tried\s+Asked by your browser/i)
    expect(text).toMatch(/Pictures can be stored \(R2\)\s+working\s+Asked by the server/i)
    expect(text).toMatch(/\(mastodon\.social\)\s+working/i)
    expect(headers.get('content-security-policy')).toContain(`connect-src ${origin}`)
    const reached = await new Operator((await entered()).server).get('/setup/reached')
    expect(reached.headers.get('access-control-allow-origin')).toBe('*')
    expect(html).toMatch(/<script type="module" src="\/assets\/set-up\.js/)
    expect(html).toContain(`data-reached="${origin}/setup/reached"`)
  })

  it('the steps of set-up tell by DNS whether the domain is a zone at Cloudflare and has a record, and what to do where not', async () => {
    const { operator } = await arrivedAt('secrets')
    await operator.fill('secrets', { agreement: 'true' })
    network.respond('https://mastodon.social/.well-known/nodeinfo', () => Response.json({ links: [] }))
    const zone = (name: string, server: string) => ({
      name,
      type: 6,
      data: `${server} dns.example.org. 1 2 3 4 5`,
    })
    const answers = async (addresses: object, zones: object) => {
      for (const [type, body] of Object.entries({ A: addresses, SOA: zones }))
        network.respond(`https://cloudflare-dns.com/dns-query?name=new.example.org&type=${type}`, () =>
          Response.json(body),
        )
      return (await operator.get()).text
    }
    const address = { name: 'new.example.org', type: 1, data: '192.0.2.1' }
    const ready = await answers(
      { Status: 0, Answer: [address] },
      { Status: 0, Authority: [zone('example.org.', 'ada.ns.cloudflare.com.')] },
    )
    expect(ready).toMatch(/example\.org is a zone at Cloudflare\s+working/)
    expect(ready).toMatch(/new\.example\.org has a DNS record\s+working/)
    const elsewhere = await answers(
      { Status: 3, Authority: [zone('example.org.', 'ns1.registrar.test.')] },
      { Status: 0, Answer: [zone('new.example.org.', 'ns1.registrar.test.')] },
    )
    expect(elsewhere).toMatch(
      /new\.example\.org is a zone at Cloudflare\s+failing\s+Its name server is ns1\.registrar\.test\./,
    )
    expect(elsewhere).toMatch(/has a DNS record\s+failing\s+Add the domain to the Worker as a custom domain/)
    const unregistered = { Status: 3, Authority: [zone('org.', 'a0.org.afilias-nst.info.')] }
    expect(await answers(unregistered, unregistered)).toContain('DNS does not know this domain')
    const silent = await answers({ Status: 2 }, { error: 'a page of a proxy' })
    expect(silent).not.toMatch(/zone at Cloudflare|DNS record/)
  })

  it('the steps of set-up refuse an owner without a name, with a bad address or two passwords', async () => {
    const { operator } = await arrivedAt('owner')
    const refused = await operator.fill('owner', {
      username: 'no name',
      email: 'nowhere',
      password,
      password_confirmation: 'another one',
    })
    expect(refused.status).toBe(422)
    for (const field of ['username', 'email', 'password_confirmation'])
      expect(refused.html).toContain(`id="field-${field}-error"`)
  })
})

describe('the end of set-up', () => {
  it('the end of set-up makes the owner, opens the server and takes set-up away', async () => {
    const { server, operator } = await arrivedAt('owner')
    const finished = await operator.fill('owner', owner)
    expect(finished.text).toContain('Sign in at new.example.org as alice.')
    expect(finished.html).toContain(`href="${origin}/auth/sign_in"`)
    const get = (path: string) =>
      worker.fetch(new Request(`${origin}${path}`), server.own, createExecutionContext())
    expect((await get('/setup')).status).toBe(404)
    const Instance = z.object({ title: z.string(), registrations: z.object({ enabled: z.boolean() }) })
    const instance = Instance.parse(await (await get('/api/v2/instance')).json())
    expect(instance).toMatchObject({ title: 'The hedge', registrations: { enabled: false } })
    const actor = await worker.fetch(
      new Request(`${origin}/users/alice`, { headers: { accept: 'application/activity+json' } }),
      server.own,
      createExecutionContext(),
    )
    expect(z.object({ id: z.string() }).parse(await actor.json()).id).toBe(`${origin}/users/alice`)
  })

  it('the end of set-up is reached by one of two owners at once', async () => {
    const { server, operator } = await arrivedAt('owner')
    const { html } = await operator.get()
    const fields = { ...hiddenFields(html, '/setup/owner'), ...owner }
    const answers = await Promise.all([
      operator.post('owner', { ...fields, username: 'first' }),
      operator.post('owner', { ...fields, username: 'second', email: 'second@new.example.org' }),
    ])
    expect(answers.map(({ status }) => status).toSorted()[0]).toBe(200)
    expect(answers.filter(({ text }) => text.includes('Your server is ready'))).toHaveLength(1)
    const owners = await env.DB.prepare('select count(*) as count from users where role_id = 3').first(
      'count',
    )
    expect(owners).toBe(1)
    expect((await server.object.open(server.secret)).state).toBe('open')
  })

  it('the end of set-up is reached at once where the database has an owner', async () => {
    const { server, operator } = await arrivedAt('server')
    await env.DB.prepare(
      'update users set role_id = 3 where account_id = (select min(account_id) from users)',
    ).run()
    const { status, headers } = await operator.get()
    expect([status, headers.get('location')]).toEqual([303, '/auth/sign_in'])
    expect((await server.object.open(server.secret)).state).toBe('open')
  })
})

describe('a server whose set-up secret was changed', () => {
  it('a server whose set-up secret was changed is opened by the former one, and by nothing else', async () => {
    const server = ownInstallation()
    await server.object.open('the former set-up secret of thirty-two characters')
    await migrateBy(server.object)
    await server.object.complete()
    const operator = new Operator(server)
    expect((await operator.get()).text).toContain('SETUP_SECRET was changed.')
    const api = await operator.get('/api/v2/instance', 'application/json')
    expect(api.status).toBe(503)
    expect((await operator.fill('unlock', { proof: server.secret })).status).toBe(422)
    const opened = await operator.fill('unlock', {
      proof: 'the former set-up secret of thirty-two characters',
    })
    expect(opened.status).toBe(303)
    expect((await server.object.open(server.secret)).state).toBe('open')
  })
})
