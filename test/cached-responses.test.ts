import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { WriteLog, writtenTables } from '../src/db/observed-binding'
import { accounts } from '../src/db/schema'
import { deleteOwnAccount } from '../src/domain/accounts/delete-own'
import { moveAccount } from '../src/domain/accounts/move'
import { rotateKeys } from '../src/domain/accounts/rotate-keys'
import { saveRules } from '../src/domain/instance/rules'
import { saveSettings } from '../src/domain/instance/save-settings'
import { operator } from '../src/domain/policy/permissions'
import { ExpiringCache } from '../src/lib/expiring-cache'
import { ResponseCache } from '../src/lib/response-cache'
import { cachedSeconds } from '../src/ports/app-env'
import type { Ctx } from '../src/ports/ctx'
import type { CachedResponses, Overrides } from '../src/wire'
import { as } from './support/as'
import { countingDb, type ExecutedStatement } from './support/costs'
import { given, type TestAccount } from './support/given'
import { moderate } from './support/moderate'
import { clock, context, fetchApp, useBinding } from './support/test-app'

const origin = 'https://fieldfare.test'
const asDocument = { accept: 'application/activity+json' }

/** An isolate of its own: it shares the database with others, and no memory. */
function isolate(): { readonly cachedResponses: CachedResponses } {
  return {
    cachedResponses: {
      cache: new ResponseCache(),
      writes: new WriteLog(),
      uses: new ExpiringCache(0, 1_000),
    },
  }
}

async function get(path: string, overrides: Overrides = {}, init: RequestInit = {}) {
  const request = new Request(origin + path, { redirect: 'manual', headers: asDocument, ...init })
  const { response, costs } = await fetchApp(request, overrides)
  return { status: response.status, headers: response.headers, text: await response.text(), costs }
}

let alice: TestAccount
let status = ''

/** Accounts and statuses of a test, which it may change. */
async function persons() {
  const [author, other] = await Promise.all([given.account(), given.account()])
  const { id } = await given.status({ by: author, text: 'as it was' })
  return { author, other, id: String(id) }
}

beforeAll(async () => {
  const made = await persons()
  alice = made.author
  status = made.id
  // The push key is made by the first request for it.
  await get('/api/v2/instance')
})

const pathsOf = (name: string, id: string) => ({
  nodeInfo20: '/nodeinfo/2.0',
  nodeInfo21: '/nodeinfo/2.1',
  nodeInfo: '/.well-known/nodeinfo',
  hostMeta: '/.well-known/host-meta',
  instance1: '/api/v1/instance',
  instance2: '/api/v2/instance',
  rules: '/api/v1/instance/rules',
  webFinger: `/.well-known/webfinger?resource=acct:${name}@fieldfare.test`,
  actor: `/users/${name}`,
  note: `/users/${name}/statuses/${id}`,
  activity: `/users/${name}/statuses/${id}/activity`,
  public: '/api/v1/timelines/public?limit=40',
  local: '/api/v1/timelines/public?local=true',
  emojis: '/api/v1/custom_emojis',
  about: '/api/v1/instance/extended_description',
  privacy: '/api/v1/instance/privacy_policy',
  peers: '/api/v1/instance/peers',
  activityCounts: '/api/v1/instance/activity',
  trends: '/api/v1/trends/tags?limit=5',
})

/** Addresses of pages and feeds, which browsers and feed readers ask for. */
const pagesOf = (name: string, id: string) => ({
  landing: '/',
  about: '/about',
  profile: `/@${name}`,
  post: `/@${name}/${id}`,
  frame: `/@${name}/${id}/embed`,
  rss: `/@${name}.rss`,
  atom: `/@${name}.atom`,
})

type PageName = keyof ReturnType<typeof pagesOf>
const pageNames = Object.keys(pagesOf('', '')).filter((name): name is PageName => name in pagesOf('', ''))
const asPage = { headers: { accept: 'text/html' } }

type Name = keyof ReturnType<typeof pathsOf>
const names = Object.keys(pathsOf('', '')).filter((name): name is Name => name in pathsOf('', ''))

describe('public documents and anonymous timelines', () => {
  it.each(names)('%s: nothing is read when it is warm, and the response is the same', async (name) => {
    const path = pathsOf(alice.username, status)[name]
    const isolated = isolate()
    const cold = await get(path, isolated)
    const warm = await get(path, isolated)
    expect([cold.status, warm.status]).toEqual([200, 200])
    expect(warm.costs).toEqual({ trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 })
    expect(warm.text).toBe(cold.text)
    const headersOf = ({ headers }: typeof cold) =>
      Object.fromEntries([...headers].filter(([header]) => header !== 'x-request-id'))
    expect(headersOf(warm)).toEqual(headersOf(cold))
  })

  it.each(names)('%s: HEAD has the headers and no body', async (name) => {
    const path = pathsOf(alice.username, status)[name]
    const isolated = isolate()
    const cold = await get(path, isolated)
    const head = await get(path, isolated, { method: 'HEAD' })
    expect([head.status, head.text, head.costs.trips]).toEqual([200, '', 0])
    expect(head.headers.get('content-type')).toBe(cold.headers.get('content-type'))
  })
})

describe('pages and feeds for visitors', () => {
  it.each(pageNames)('%s: nothing is read when it is warm, and a change is in it at once', async (name) => {
    const { author, id } = await persons()
    const [path, isolated] = [pagesOf(author.username, id)[name], isolate()]
    const cold = await get(path, isolated, asPage)
    const warm = await get(path, isolated, asPage)
    expect([cold.status, warm.status, warm.costs.trips]).toEqual([200, 200, 0])
    expect(warm.text).toBe(cold.text)
    for (const header of ['content-security-policy', 'content-type', 'cache-control', 'vary', 'link', 'etag'])
      expect([header, warm.headers.get(header)]).toEqual([header, cold.headers.get(header)])
    await saveSettings(context(isolated), operator, { title: `Of ${author.username}` })
    await moderate(author, 'suspend', { ctx: context(isolated) })
    const after = await get(path, isolated, asPage)
    expect([after.status, after.text]).not.toEqual([cold.status, cold.text])
  })

  it('renders pages again for a visitor with a cookie', async () => {
    const isolated = isolate()
    const paths = pagesOf(alice.username, status)
    for (const path of Object.values(paths)) {
      await get(path, isolated, asPage)
      const headers = { ...asPage.headers, cookie: 'x=1' }
      expect((await get(path, isolated, { headers })).costs.trips, path).toBe(1)
    }
  })
})

describe('a client that has a response already', () => {
  const everything = (name: string, id: string) =>
    [
      ...Object.values(pathsOf(name, id)).map((path) => ({ path, headers: asDocument })),
      ...Object.values(pagesOf(name, id)).map((path) => ({ path, ...asPage })),
    ] as const

  it('a conditional request gets 304, cold and warm, with cache headers and without a body', async () => {
    const isolated = isolate()
    for (const { path, headers } of everything(alice.username, status)) {
      const whole = await get(path, isolated, { headers })
      const etag = whole.headers.get('etag') ?? ''
      expect(etag, path).toMatch(/^(W\/)?"[0-9a-f]{24,}"$/)
      const named = { headers: { ...headers, 'if-none-match': `"other", ${etag}` } }
      for (const place of [isolated, isolate()]) {
        const again = await get(path, place, named)
        expect([path, again.status, again.text]).toEqual([path, 304, ''])
        for (const header of ['etag', 'cache-control', 'vary', 'content-security-policy'])
          expect([path, again.headers.get(header)]).toEqual([path, whole.headers.get(header)])
        if (place === isolated) expect([path, again.costs.trips]).toEqual([path, 0])
      }
    }
  })

  it('a conditional request gets another form, language or version completely', async () => {
    const isolated = isolate()
    const { author, id } = await persons()
    const path = `/@${author.username}/${id}`
    const inLanguage = (language: string, more: object = {}) =>
      get(path, isolated, { headers: { ...asPage.headers, 'accept-language': language, ...more } })
    const german = await inLanguage('de')
    const known = { 'if-none-match': german.headers.get('etag') ?? '' }
    expect((await inLanguage('de', known)).status).toBe(304)
    expect((await inLanguage('fr', known)).status).toBe(200)
    expect((await get(path, isolated, { headers: { ...asDocument, ...known } })).status).not.toBe(304)
    expect((await inLanguage('de', { ...known, cookie: 'session=x' })).status).toBe(200)
    await as(author).put(`/api/v1/statuses/${id}`, { status: 'Other words' }, { overrides: isolated })
    const since = await inLanguage('de', known)
    expect([since.status, since.text.includes('Other words')]).toEqual([200, true])
    await as(author).delete(`/api/v1/statuses/${id}`, undefined, { overrides: isolated })
    const gone = await inLanguage('de', { 'if-none-match': since.headers.get('etag') ?? '' })
    expect(gone.status).toBe(404)
  })

  it('pages vary by form, language and cookie, and are revalidated after a minute', async () => {
    const { headers } = await get(`/@${alice.username}`, isolate(), asPage)
    expect(headers.get('vary')?.split(', ')).toEqual(
      expect.arrayContaining(['Accept', 'Accept-Language', 'Cookie']),
    )
    expect(headers.get('cache-control')).toBe('public, max-age=60')
  })
})

interface Command {
  readonly name: string
  readonly changes: readonly Name[]
  readonly run: (
    ctx: Ctx,
    people: Awaited<ReturnType<typeof persons>>,
    overrides: Overrides,
  ) => Promise<unknown>
}

const commands: readonly Command[] = [
  {
    name: 'an account that is renamed',
    changes: ['actor', 'public', 'local'],
    run: (_ctx, { author }, overrides) =>
      as(author).patch('/api/v1/accounts/update_credentials', { display_name: 'Renamed' }, { overrides }),
  },
  {
    name: 'an account that is suspended',
    changes: ['actor', 'note', 'activity', 'public', 'local'],
    run: (ctx, { author }) => moderate(author, 'suspend', { ctx }),
  },
  {
    name: 'an account that is deleted',
    changes: ['actor', 'note', 'activity', 'webFinger', 'public', 'local'],
    run: (ctx, { author }) => deleteOwnAccount(ctx, author.id),
  },
  {
    name: 'an account that moves',
    changes: ['actor'],
    async run(ctx, { author, other }) {
      const alsoKnownAs = [`${origin}/users/${author.username}`]
      await ctx.db.update(accounts).set({ alsoKnownAs }).where(eq(accounts.id, other.id))
      await moveAccount(ctx, {
        accountId: author.id,
        username: author.username,
        handle: `${other.username}@fieldfare.test`,
      })
    },
  },
  {
    name: 'a key that is rotated',
    changes: ['actor'],
    run: (ctx, { author }) => rotateKeys(ctx, operator, author.id),
  },
  {
    name: 'a status that is edited',
    changes: ['note', 'activity', 'public', 'local'],
    run: (_ctx, { author, id }, overrides) =>
      as(author).put(`/api/v1/statuses/${id}`, { status: 'edited' }, { overrides }),
  },
  {
    name: 'a status that is deleted',
    changes: ['note', 'activity', 'public', 'local'],
    run: (_ctx, { author, id }, overrides) =>
      as(author).delete(`/api/v1/statuses/${id}`, undefined, { overrides }),
  },
  {
    name: 'a status that is marked sensitive by moderators',
    changes: ['note', 'public', 'local'],
    run: (ctx, { author }) => moderate(author, 'sensitive', { ctx }),
  },
  {
    name: 'an account that is limited',
    changes: ['public', 'local'],
    run: (ctx, { author }) => moderate(author, 'silence', { ctx }),
  },
  {
    name: 'a favourite',
    changes: ['note', 'public', 'local'],
    run: (_ctx, { other, id }, overrides) =>
      as(other).post(`/api/v1/statuses/${id}/favourite`, {}, { overrides }),
  },
  {
    name: 'a new status',
    changes: ['nodeInfo20', 'nodeInfo21', 'instance1', 'public', 'local'],
    run: (_ctx, { other }, overrides) => as(other).post('/api/v1/statuses', { status: 'new' }, { overrides }),
  },
  {
    name: 'a title that is changed',
    changes: ['nodeInfo20', 'nodeInfo21', 'instance1', 'instance2'],
    run: (ctx, { author }) => saveSettings(ctx, operator, { title: `Of ${author.username}` }),
  },
  {
    name: 'a contact that is changed',
    changes: ['instance1', 'instance2'],
    run: (ctx, { author }) => saveSettings(ctx, operator, { contactUsername: author.username }),
  },
  {
    name: 'a rule that is added',
    changes: ['instance1', 'instance2', 'rules'],
    run: (ctx, { author }) => saveRules(ctx, operator, [{ text: `Be as ${author.username}`, hint: '' }]),
  },
]

describe('a change is in what shows it at once where it happened, and elsewhere within the bound', () => {
  it.each(commands)('$name', async ({ changes, run }) => {
    // Each takes its time, so that lists have a newest entry.
    clock.advance(1_000)
    const people = await persons()
    const paths = changes.map((name) => pathsOf(people.author.username, people.id)[name])
    const [here, elsewhere] = [isolate(), isolate()]
    const getAll = (where: Overrides) => Promise.all(paths.map((path) => get(path, where)))
    const before = await getAll(here)
    expect(before.map((answer) => answer.status)).toEqual(paths.map(() => 200))
    await getAll(elsewhere)
    expect((await getAll(here)).map(({ costs }) => costs.trips)).toEqual(paths.map(() => 0))

    const statements = await noteStatements(() => run(context(here), people, here))

    const after = await getAll(here)
    const same = paths.filter((_, at) => before[at]?.text === after[at]?.text)
    expect(same, 'not outdated').toEqual([])
    // By its own log: another isolate cannot know, and has only its seconds.
    expect((await getAll(elsewhere)).map(({ text }) => text)).toEqual(before.map(({ text }) => text))
    for (const [at, path] of paths.entries()) {
      clock.advance(cachedSeconds[/nodeinfo|rules/.test(path) ? 'server' : 'people'] * 1000)
      const late = await get(path, elsewhere)
      expect([late.status, late.text]).toEqual([after[at]?.status, after[at]?.text])
    }
    await expectSeenWrites(statements)
  })
})

/** Runs `work` and returns the statements that ran meanwhile. */
async function noteStatements(work: () => Promise<unknown>): Promise<readonly ExecutedStatement[]> {
  const noted: ExecutedStatement[] = []
  useBinding(countingDb(env.DB, (statements) => noted.push(...statements)).db)
  await work().finally(() => useBinding(null))
  return noted
}

/** Tables that SQLite itself says a statement reads or writes, triggers and foreign keys included. */
async function tablesOf(text: string, opcode: 'OpenRead' | 'OpenWrite', count: number) {
  const pages = await env.DB.prepare('select rootpage, tbl_name from sqlite_master where rootpage > 0').all<{
    rootpage: number
    tbl_name: string
  }>()
  const tableAt = new Map(pages.results.map(({ rootpage, tbl_name: table }) => [rootpage, table]))
  const steps = await env.DB.prepare(`explain ${text}`)
    .bind(...Array.from({ length: count }, () => null))
    .all<{ opcode: string; p2: number }>()
  const found = steps.results.filter((step) => step.opcode === opcode).map(({ p2 }) => tableAt.get(p2) ?? '')
  return [...new Set(found)].filter((table) => !/^$|^sqlite_|_search_/.test(table))
}

async function expectSeenWrites(statements: readonly ExecutedStatement[]) {
  for (const { text, values } of statements) {
    const seen = writtenTables(text)
    if (seen === 'all') continue
    const unseen = (await tablesOf(text, 'OpenWrite', values.length)).filter((table) => !seen.includes(table))
    expect(unseen, text).toEqual([])
  }
}

describe('requests that are not for everybody', () => {
  const warm = async () => {
    const isolated = isolate()
    const path = pathsOf(alice.username, status).actor
    await get(path, isolated)
    expect((await get(path, isolated)).costs.trips).toBe(0)
    return { isolated, path }
  }

  it.each([
    ['authorization', 'Bearer x'],
    ['signature', 'keyId="https://remote.test/key",signature="x"'],
    ['signature-input', 'sig=("@method");keyid="x"'],
    ['cookie', 'session=x'],
    ['if-modified-since', 'Mon, 23 Nov 2026 00:00:00 GMT'],
  ])('requests with %s neither get a cached response nor make one', async (name, value) => {
    const { isolated, path } = await warm()
    const headers = { ...asDocument, [name]: value }
    expect((await get(path, isolated, { headers })).costs.trips).toBeGreaterThan(0)
    const empty = isolate()
    await get(path, empty, { headers })
    expect(empty.cachedResponses.cache.bytes).toBe(0)
  })

  it('a request with a token in the address neither uses nor fills the cache', async () => {
    const { isolated } = await warm()
    const path = `/api/v1/timelines/public?access_token=${alice.token}`
    for (const _ of [1, 2])
      expect((await get(path, isolated)).headers.get('cache-control')).toContain('private')
    const { bytes } = isolated.cachedResponses.cache
    await get(path, isolated)
    expect(isolated.cachedResponses.cache.bytes).toBe(bytes)
  })

  const { config } = context()
  it.each([
    ['mandatory signatures', { federation: { ...config.federation, signedOnly: true } }],
    ['limited federation', { federation: { ...config.federation, limited: true } }],
    ['mandatory sign-in', { requiresSignIn: true }],
  ])('serves no cached response under %s', async (_, part) => {
    const isolated = { ...isolate(), config: { ...config, ...part } }
    for (const path of Object.values(pathsOf(alice.username, status))) {
      await get(path, isolated)
      const again = await get(path, isolated)
      if (again.status === 200 && !/nodeinfo$|host-meta/.test(path)) expect(again.costs.trips, path).toBe(1)
    }
    expect(isolated.cachedResponses.cache.bytes).toBe(0)
  })
})

describe('addresses', () => {
  it('an address never mixes up its document and its page', async () => {
    const isolated = isolate()
    const path = `/@${alice.username}`
    const page = { headers: { accept: 'text/html' } }
    for (const _ of [1, 2]) {
      expect((await get(path, isolated)).headers.get('content-type')).toContain('activity+json')
      expect((await get(path, isolated, page)).headers.get('content-type')).toContain('text/html')
    }
  })

  it.each([
    (name: string) => `/users/${name}/`,
    (name: string) => `/users/${name}.json`,
    (name: string) => `/users/${name}?x=1`,
    () => '/nodeinfo/2.0?x=1',
    () => '/api/v2/instance?x=1',
    () => '/api/v1/timelines/public?limit=40&limit=40',
    () => '/api/v1/timelines/public?limit=0000040',
    () => '/api/v1/timelines/public?limit=20&max_id=9007199254740991',
    () => '/api/v1/timelines/public?local=yes',
    (name: string) => `/.well-known/webfinger?resource=acct:${name}@fieldfare.test&rel=self`,
    (name: string) => `/.well-known/webfinger?resource=acct:${name}@fieldfare.test&x=1`,
  ])('addresses in other forms get the same response and fill no cache', async (pathOf) => {
    const isolated = isolate()
    const answer = await get(pathOf(alice.username), isolated)
    expect(answer.status).toBe(200)
    expect(isolated.cachedResponses.cache.bytes).toBe(0)
  })

  it('unknown addresses fill no cache', async () => {
    const isolated = isolate()
    for (const path of ['/users/nobody', `/users/${alice.username}/statuses/1`, '/api/v1/x', '/nodeinfo/1.0'])
      expect((await get(path, isolated)).status).toBe(404)
    expect(isolated.cachedResponses.cache.bytes).toBe(0)
  })
})

describe('a response', () => {
  it('a response is not stored when its data changed while it was rendered', async () => {
    const { author } = await persons()
    const isolated = isolate()
    const path = `/users/${author.username}`
    let isChanged = false
    // The write comes between the read and its answer.
    const between = new Proxy(env.DB, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key)
        if (typeof member !== 'function') return member
        if (key !== 'batch') return member.bind(target)
        return async (statements: D1PreparedStatement[]) => {
          const results = await target.batch(statements)
          if (isChanged) return results
          isChanged = true
          await as(author).patch(
            '/api/v1/accounts/update_credentials',
            { display_name: 'New' },
            { overrides: isolated },
          )
          return results
        }
      },
    })
    const request = new Request(origin + path, { headers: asDocument })
    const { response } = await fetchApp(request, isolated, between)
    expect(await response.json()).not.toMatchObject({ name: 'New' })
    expect(JSON.parse((await get(path, isolated)).text)).toMatchObject({ name: 'New' })
  })

  it('a response counts against the limit of the isolate first, then against the common ones', async () => {
    const asked: string[] = []
    let isAdmitted = true
    const throttle = {
      ...context().throttle,
      admits: async (gate: string, subject: string) => asked.push(`${gate} ${subject}`) > 0 && isAdmitted,
    }
    const isolated = { ...isolate(), throttle }
    const paths = pathsOf(alice.username, status)
    const from = (ip: string, path: string) =>
      get(path, isolated, { headers: { ...asDocument, 'cf-connecting-ip': ip } })
    for (const path of [paths.actor, paths.webFinger]) await from('198.51.100.1', path)
    asked.length = 0
    for (let use = 0; use < 60; use += 1) await from('198.51.100.7', paths.actor)
    expect(asked).toEqual([])
    await from('198.51.100.7', paths.actor)
    await from('198.51.100.7', paths.webFinger)
    expect(asked).toEqual(['network 198.51.100.7', 'caller 198.51.100.7', 'network 198.51.100.7'])
    isAdmitted = false
    expect((await from('198.51.100.7', paths.actor)).status).toBe(429)
    expect((await from('198.51.100.8', paths.actor)).status).toBe(200)
  })
})
