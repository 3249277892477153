import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { hashToken } from '../../src/domain/sessions/find'
import { clock, fetchApp } from '../support/test-app'

/**
 * Lists of accounts for moderators on a server with 100,000 accounts: what a page costs, whatever is asked for. The
 * database is one of its own.
 */

const db = env.CROWDED
const everyone = 100_000
const members = 30_000
const token = 'token-of-the-moderator'
const maxRows = 400

/** Numbers from 1 to `count` as a table `n(i)`. */
const numbers = (count: number) =>
  `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}) select i from n) n`

beforeAll(async () => {
  await applyD1Migrations(db, env.TEST_MIGRATIONS)
  const now = clock.now().getTime()
  const write = (text: string) => db.prepare(text)
  await db.batch([
    write(`insert into roles (id, name, position, permissions, created_at, updated_at)
      values (70, 'Crowd', 5, 0, ${now}, ${now})`),
    write(`insert into accounts (id, username, display_name, created_at, updated_at, suspended_at, silenced_at)
      select n.i, 'a' || n.i, 'Alice ' || n.i, ${now}, ${now}, iif(n.i % 3 = 0, ${now}, null), iif(n.i % 5 = 0, ${now}, null)
      from ${numbers(members)}`),
    write(`insert into invites (id, code, account_id, created_at) values (1, 'x', 2, ${now})`),
    write(`insert into users (account_id, email, password_hash, confirmed_at, created_at, approved, disabled_at, role_id,
        sign_up_ip, invite_id)
      select n.i, 'a' || n.i || '@mail.test', '', ${now}, ${now}, n.i % 7 <> 0, iif(n.i % 11 = 0, ${now}, null),
        iif(n.i % 2 = 0, 70, null), '198.51.' || (n.i % 200) || '.' || (n.i % 250), iif(n.i % 13 = 0, 1, null)
      from ${numbers(members)}`),
    write(`insert into sessions (id, token_hash, account_id, ip, created_at, last_seen_at, expires_at)
      select n.i, 't' || n.i, n.i % ${members} + 1, '203.0.113.' || (n.i % 3), ${now}, ${now}, ${now}
      from ${numbers(60_000)}`),
    write(`insert into accounts (id, username, domain, uri, display_name, created_at, updated_at, sensitized_at)
      select ${members} + n.i, 'r' || n.i, 's' || (n.i % 50) || '.test', 'https://r.test/' || n.i, 'Bob', ${now}, ${now},
        iif(n.i % 4 = 0, ${now}, null)
      from ${numbers(everyone - members)}`),
    write(
      `insert into accounts (id, username, created_at, updated_at) values (200000, 'boss', ${now}, ${now})`,
    ),
    write(`insert into users (account_id, email, password_hash, confirmed_at, created_at, role_id)
      values (200000, 'boss@mail.test', '', ${now}, ${now}, 3)`),
    write(`insert into applications (id, client_id, client_secret_hash, name, redirect_uris, scopes, created_at)
      values (1, 'c', '', 'App', '[]', 'read', ${now})`),
    db
      .prepare(
        `insert into access_tokens (id, token_hash, application_id, account_id, scopes, created_at, last_used_at)
        values (1, ?, 1, 200000, 'admin:read', ${now}, ${now})`,
      )
      .bind(await hashToken(token)),
  ])
})

async function ask(path: string) {
  const request = new Request(`https://fieldfare.test${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { response, costs } = await fetchApp(request, {}, db)
  const body: unknown = await response.json()
  const next = /<https:\/\/[^/]+([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  return { status: response.status, count: Array.isArray(body) ? body.length : 0, body, costs, next }
}

const conditions = [
  'origin=local',
  'origin=remote',
  'status=active',
  'status=pending',
  'status=disabled',
  'status=silenced',
  'status=suspended',
  'status=sensitized',
  'permissions=staff',
  'role_ids[]=70',
  'role_ids[]=70&role_ids[]=3',
  'role_ids[]=99',
  'invited_by=2',
  'invited_by=3',
  'username=a',
  'username=a77',
  'username=_',
  'username=nobody',
  'display_name=Alice',
  'display_name=bo',
  'display_name=*',
  'by_domain=s1.test',
  'by_domain=nowhere.test',
  'email=a',
  'email=a777%40mail.test',
  'email=zzz',
  'ip=203.0.113.1',
  'ip=203.0.113.0/24',
  'ip=0.0.0.0/0',
  'ip=198.51.7.7',
  'ip=198.51.100.0/26',
  'ip=10.0.0.0/8',
] as const

const pairs = conditions.flatMap((a, at) => conditions.slice(at + 1).map((b) => `${a}&${b}`))

const cursors = ['', '&max_id=90000', '&max_id=40', '&min_id=1', '&since_id=99990', '&limit=200', '&limit=20']

async function expectBounded(path: string) {
  const { status, costs } = await ask(`/api/v2/admin/accounts?${path}`)
  expect([200, 422], path).toContain(status)
  expect(costs.trips, path).toBeLessThanOrEqual(3)
  expect(costs.rowsRead, path).toBeLessThanOrEqual(maxRows)
}

describe('a page of accounts among 100,000 costs three round trips and 400 rows at most', () => {
  it.each(conditions)('filters accounts by one condition: %s', async (condition) => {
    for (const cursor of cursors) await expectBounded(`${condition}${cursor}`)
  })

  it('filters accounts by any two conditions', async () => {
    expect(pairs.length).toBeGreaterThan(400)
    for (const [at, pair] of pairs.entries()) await expectBounded(`${pair}${cursors[at % cursors.length]}`)
  })

  it('filters accounts by all conditions at once', async () => {
    await expectBounded(
      'origin=local&status=active&permissions=staff&role_ids[]=70&invited_by=2&username=a&display_name=Alice&email=a&ip=203.0.113.1',
    )
  })
})

describe('a page of accounts among 100,000', () => {
  it('a page is short where few among many match, and further pages find all', async () => {
    // Of ten accounts with this address among 30,000 members each page examines some dozen.
    let path: string | undefined = '/api/v2/admin/accounts?email=a&role_ids[]=3&max_id=200'
    let pages = 0
    while (path !== undefined) {
      const answer = await ask(path)
      expect(answer.status).toBe(200)
      pages += 1
      path = answer.next
    }
    expect(pages).toBeGreaterThan(1)
    expect(pages).toBeLessThan(10)
  })

  it('finds one address among all at once', async () => {
    const answer = await ask('/api/v2/admin/accounts?email=A777%40mail.test')
    expect(answer.body).toMatchObject([{ username: 'a777', email: 'a777@mail.test' }])
  })

  it('refuses a network that too many accounts used, and says so', async () => {
    const answer = await ask('/api/v2/admin/accounts?ip=0.0.0.0/0')
    expect(answer).toMatchObject({
      status: 422,
      body: {
        error: 'Validation failed: Ip is a network with too many addresses known here: use a smaller one',
      },
    })
  })
})
