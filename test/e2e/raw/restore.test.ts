import { spawn } from 'node:child_process'
import { createHash, createVerify } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server as HttpServer, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { openStore } from '../../../scripts/lib/backups/local-target.mjs'
import { bundle, quiet, root, type Server, setup, startServer } from '../../../scripts/lib/server.mjs'
import { totpCode } from '../../../src/lib/totp'
import { runCommand } from '../../node/instance'
import { secretIn } from '../../support/shown-secret'
import { freePort } from '../support/instance'
import { fillInstanceFolder, newInstanceFolder } from '../support/instance-folder'
import { eventually } from '../support/receiver'
import { Visitor } from '../support/visitor'

/**
 * The restore drill: an instance with people, posts, media and everything that holds a key is backed up, lost, restored
 * into an empty folder over three kills, compared row by row and object by object, and used.
 */

const folder = newInstanceFolder('fieldfare-drill-')
const [before, after, dir] = [join(folder, 'before'), join(folder, 'after'), join(folder, 'backup')]
const Id = z.object({ id: z.string() })
const Made = Id.extend({ token: z.string() })

let port = 0
let bundled = ''
let server: Server | null = null
let alice: z.output<typeof Made>
let visitor: Visitor
let totpSecret: Uint8Array
let actor: string
let neighbour: HttpServer
let neighbourPort = 0
let signed: { path: string; method: string; headers: IncomingHttpHeaders } | null = null
let original: ReadonlyMap<string, string>

/** A server elsewhere with one actor, who notes who signs what reaches the inbox. */
async function openNeighbour(): Promise<void> {
  neighbourPort = await freePort()
  const home = `http://127.0.0.1:${neighbourPort}`
  const eve = {
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: `${home}/users/eve`,
    type: 'Person',
    preferredUsername: 'eve',
    inbox: `${home}/inbox`,
  }
  neighbour = createServer((request, response) => {
    if (request.method === 'POST')
      signed = { path: request.url ?? '', method: 'POST', headers: request.headers }
    request.resume()
    response.setHeader('content-type', 'application/activity+json')
    if (request.url?.startsWith('/.well-known/webfinger'))
      response.end(
        JSON.stringify({
          subject: `acct:eve@127.0.0.1:${neighbourPort}`,
          links: [{ rel: 'self', type: 'application/activity+json', href: eve.id }],
        }),
      )
    else response.end(JSON.stringify(eve))
  })
  await new Promise<void>((resolve) => neighbour.listen(neighbourPort, '127.0.0.1', resolve))
}

async function open(place: string): Promise<Server> {
  server = await startServer({
    folder: place,
    port,
    bundled,
    logLevel: 'error',
    inherit: false,
    hasTriggers: true,
    variables: { FEDERATION_TEST_HOSTS: `127.0.0.1:${neighbourPort}` },
  })
  for (const stream of [server.child.stdout, server.child.stderr]) stream?.resume()
  return server
}

async function close(): Promise<void> {
  await server?.stop()
  server = null
}

async function call(token: string, method: string, path: string, body?: object) {
  const response = await fetch(`http://localhost:${port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  expect(response.status, `${method} ${path}: ${text.slice(0, 200)}`).toBeLessThan(300)
  return JSON.parse(text)
}

const fieldfare = (...words: readonly string[]) =>
  runCommand([...words, '--folder', before, '--url', `http://localhost:${port}`], {
    env: { SETUP_TOKEN: String(server?.secrets.SETUP_TOKEN) },
  })

const picture = readFileSync(join(root, 'test/data/media/rgba.png'))

/** An upload, or a picture of the profile. */
async function upload(token: string, method: string, path: string, field: string): Promise<string> {
  const body = new FormData()
  body.append(field, new Blob([picture], { type: 'image/png' }), 'a.png')
  const headers = { Authorization: `Bearer ${token}` }
  const answer = await fetch(`http://localhost:${port}${path}`, { method, headers, body })
  return Id.parse(await answer.json()).id
}

/** People, and something of each kind that they keep. */
async function furnish(running: Server): Promise<void> {
  await setup(running, 'POST', 'owner', { username: 'owner' })
  const bob = Made.parse((await setup(running, 'POST', 'account', { username: 'bob' })).body)
  alice = Made.parse((await setup(running, 'POST', 'account', { username: 'alice' })).body)
  const as = (method: string, path: string, body?: object) => call(alice.token, method, path, body)
  await upload(alice.token, 'PATCH', '/api/v1/accounts/update_credentials', 'avatar')
  await upload(alice.token, 'PATCH', '/api/v1/accounts/update_credentials', 'header')
  const mediaId = await upload(alice.token, 'POST', '/api/v2/media', 'file')
  await as('POST', '/api/v1/statuses', { status: 'A wren', media_ids: [mediaId] })
  await as('POST', `/api/v1/accounts/${bob.id}/follow`)
  await call(bob.token, 'POST', `/api/v1/accounts/${alice.id}/follow`)
  await call(bob.token, 'POST', '/api/v1/statuses', { status: '@alice in private', visibility: 'direct' })
  await as('POST', '/api/v1/statuses', {
    status: 'Owl?',
    poll: { options: ['yes', 'no'], expires_in: 86_400 },
  })
  await setup(running, 'POST', '/api/fieldfare/v1/admin/custom_emojis', {
    shortcode: 'wren',
    image: `data:image/png;base64,${picture.toString('base64')}`,
  })
  const posted = Id.parse(
    await as('POST', '/api/v1/statuses', { status: 'Only "quotes", \\ and 🐦\nremain #wren' }),
  )
  await as('POST', `/api/v1/statuses/${posted.id}/bookmark`)
  await as('POST', `/api/v1/statuses/${posted.id}/favourite`)
  await as('POST', `/api/v1/statuses/${posted.id}/reblog`)
  const list = Id.parse(await as('POST', '/api/v1/lists', { title: 'Hedge' }))
  await as('POST', `/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.id] })
  await as('POST', '/api/v2/filters', {
    title: 'Cats',
    context: ['home'],
    keywords_attributes: [{ keyword: 'cat' }],
  })
  await as('POST', '/api/v1/statuses', {
    status: 'Later',
    scheduled_at: new Date(Date.now() + 9e8).toISOString(),
  })
  await setup(running, 'POST', '/api/fieldfare/v1/admin/webhooks', {
    url: 'https://hooks.test/x',
    events: ['status.created'],
  })
  await setup(running, 'POST', '/api/v1/admin/domain_blocks', { domain: 'evil.test', severity: 'suspend' })
  await signUpWithTotp()
}

/** A member with a password, a session in a browser, and an authenticator app. */
async function signUpWithTotp(): Promise<void> {
  visitor = new Visitor(`http://localhost:${port}`)
  await visitor.submit(await visitor.open('/auth/sign_up'), '/auth/sign_up', {
    username: 'kit',
    email: 'kit@birds.example',
    password: 'seed-and-worm-kit',
    password_confirmation: 'seed-and-worm-kit',
    agreement: 'true',
  })
  const start = await visitor.open('/settings/two-factor')
  const shown = await visitor.submit(start, '/settings/two-factor/app', {})
  const page = shown.html.includes('app/confirm') ? shown : await visitor.open('/settings/two-factor')
  totpSecret = secretIn(page.html)
  const done = await visitor.submit(page, '/settings/two-factor/app/confirm', {
    code: totpCode(totpSecret, new Date()),
  })
  expect(done.status).toBe(200)
}

function nothingWaits(): Promise<void> {
  const token = String(server?.secrets.SETUP_TOKEN)
  return eventually(async () =>
    expect(await call(token, 'GET', '/api/fieldfare/v1/admin/effects')).toMatchObject({ count: 0 }),
  )
}

/** Hash of each table and of each object; the counted rows beside a table's name make a difference readable. */
async function hashesOf(place: string): Promise<ReadonlyMap<string, string>> {
  const { server: store, database, bucket } = await openStore(place)
  try {
    const { results: tables } = await database
      .prepare(
        `select name from sqlite_schema where type = 'table' and name not like '%\\_search%' escape '\\'
          and name not glob 'sqlite_*' and name not glob '_cf*' and name not glob 'd1_*' order by name`,
      )
      .all<{ name: string }>()
    const hashes = new Map<string, string>()
    for (const { name } of tables) {
      const { results } = await database.prepare(`select * from "${name}"`).all()
      const rows = results.map((row) => JSON.stringify(row)).toSorted()
      hashes.set(`table ${name}`, `${rows.length} ${hash(rows.join('\n'))}`)
    }
    for (const { key } of (await bucket.list()).objects) {
      const object = await bucket.get(key)
      if (object === null || key.startsWith('backups/')) continue
      const facts = JSON.stringify(object.httpMetadata)
      hashes.set(`object ${key}`, `${hash(Buffer.from(await object.arrayBuffer()))} ${facts}`)
    }
    const { results: triggers } = await database
      .prepare(
        `select name, sql from sqlite_schema where type in ('trigger', 'index', 'table') and sql is not null and name not glob 'd1_*' order by name`,
      )
      .all()
    hashes.set('schema', hash(JSON.stringify(triggers)))
    return hashes
  } finally {
    await store.dispose()
  }
}

const hash = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex').slice(0, 16)

beforeAll(async () => {
  mkdirSync(before)
  port = await freePort()
  await openNeighbour()
  ;[bundled] = await Promise.all([bundle(before), fillInstanceFolder(before)])
  const running = await open(before)
  await furnish(running)
  await nothingWaits()
  actor = await (
    await fetch(`http://localhost:${port}/users/alice`, { headers: { accept: 'application/activity+json' } })
  ).text()
  const created = await fieldfare('backup', 'create', '--json')
  expect(created.problem).toBe('')
  const downloaded = await fieldfare('backup', 'download', dir, '--json')
  expect(downloaded.problem).toBe('')
  await close()
  original = await hashesOf(before)
})

afterAll(async () => {
  await close()
  neighbour?.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** Written by the server after its table was copied: what it counts and notes about itself, and the download. */
const later = new Set(
  ['audit_log', 'backups', 'backup_parts', 'usage_days', 'task_runs'].map((table) => `table ${table}`),
)

const restoring = (...words: readonly string[]) =>
  runCommand(['restore', dir, '--folder', after, '--secrets', join(before, 'secrets.json'), ...words])

function linesIn(file: string): readonly Readonly<Record<string, unknown>>[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

function killedAfter(runs: number) {
  const script = join(root, 'test/e2e/support/killed-restore.mjs')
  return new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    const child = spawn(process.execPath, [script, dir, after, String(runs)], {
      stdio: 'ignore',
      env: { ...process.env, ...quiet },
    })
    child.on('close', (code, signal) => resolve({ code, signal }))
  })
}

describe('a backup of an instance', () => {
  it('contains no secret, and is refused where it is damaged or its secret is missing', async () => {
    const secrets = readFileSync(join(before, 'secrets.json'), 'utf8')
    const { INSTANCE_SECRET } = z.object({ INSTANCE_SECRET: z.string() }).parse(JSON.parse(secrets))
    expect(readFileSync(join(dir, 'manifest.json'), 'utf8')).not.toContain(INSTANCE_SECRET)
    const without = await runCommand(['restore', dir, '--folder', after, '--yes'])
    expect(without).toMatchObject({
      code: 1,
      problem: expect.stringContaining('INSTANCE_SECRET is in no backup'),
    })
    const other = join(folder, 'other.json')
    writeFileSync(other, JSON.stringify({ INSTANCE_SECRET: 'x'.repeat(43) }))
    const wrong = await runCommand(['restore', dir, '--folder', after, '--secrets', other, '--yes'])
    expect(wrong).toMatchObject({ code: 1, problem: expect.stringContaining('would not open') })
    const { parts } = z
      .object({ parts: z.array(z.object({ file: z.string() })) })
      .parse(JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')))
    const damaged = join(folder, 'damaged')
    cpSync(dir, damaged, { recursive: true })
    const file = join(damaged, parts[0]?.file ?? '')
    const bytes = readFileSync(file)
    bytes[100] = (bytes[100] ?? 0) ^ 1
    writeFileSync(file, bytes)
    const broken = await runCommand([
      'restore',
      damaged,
      '--folder',
      after,
      '--secrets',
      join(before, 'secrets.json'),
      '--yes',
    ])
    expect(broken).toMatchObject({ code: 1, problem: expect.stringContaining('has another hash') })
    expect(await runCommand(['backup', 'verify', damaged])).toMatchObject({ code: 1 })
    expect((await runCommand(['backup', 'verify', dir, '--media'])).code).toBe(0)
    const out = join(folder, 'export')
    expect(await runCommand(['export', dir, out])).toMatchObject({ code: 0, problem: '' })
    const names = linesIn(join(out, 'accounts.jsonl')).map(({ username }) => username)
    expect(names).toEqual(expect.arrayContaining(['alice', 'bob', 'kit']))
    expect(linesIn(join(out, 'media.jsonl')).map(({ key }) => key)).toContainEqual(
      expect.stringMatching(/^attachments\//),
    )
  })

  it('a backup of an instance is restored only into an empty instance', async () => {
    const used = await runCommand(['restore', dir, '--folder', before, '--yes'])
    expect(used).toMatchObject({ code: 1, problem: expect.stringContaining('is in use') })
    expect((await hashesOf(before)).get('table users')).toBe(original.get('table users'))
  })

  it('a backup of an instance is restored completely, after three kills', async () => {
    const dry = await restoring('--dry-run')
    expect(dry).toMatchObject({ code: 0, problem: '' })
    expect(existsSync(after)).toBe(false)
    // Among the first migrations, before the last ones, and among the rows: each migration is one run.
    const migrations = readdirSync(join(root, 'migrations')).filter((name) => name.endsWith('.sql')).length
    for (const runs of [5, migrations - 13, 12]) expect((await killedAfter(runs)).signal).toBe('SIGKILL')
    const refused = spawn(process.execPath, [
      join(root, 'scripts/start.mjs'),
      '--folder',
      after,
      '--port',
      String(port),
    ])
    const said: string[] = []
    refused.stderr.on('data', (chunk: Buffer) => said.push(String(chunk)))
    await new Promise((resolve) => refused.on('close', resolve))
    expect(said.join('')).toContain('A backup is being restored into')
    expect((await restoring('--dry-run')).out).toContain('was interrupted, and goes on')
    const done = await restoring('--yes', '--json')
    expect(done.problem).toBe('')
    expect(JSON.parse(done.out)).toMatchObject({ left_out: {}, missing: [] })
    const restored = await hashesOf(after)
    const differing = [...new Set([...original.keys(), ...restored.keys()])].filter(
      (name) => original.get(name) !== restored.get(name) && !later.has(name),
    )
    expect(differing).toEqual([])
    expect([...original.keys()].filter((name) => name.startsWith('object ')).length).toBeGreaterThan(4)
    expect((await restoring('--yes')).problem).toContain('is in use')
  })
})

describe('the restored instance', () => {
  beforeAll(async () => {
    await open(after)
  })

  it('accepts tokens, sessions, passwords and authenticator apps', async () => {
    expect(Id.parse(await call(alice.token, 'GET', '/api/v1/accounts/verify_credentials')).id).toBe(alice.id)
    expect((await visitor.open('/settings/preferences')).url.pathname).toBe('/settings/preferences')
    const fresh = new Visitor(`http://localhost:${port}`)
    const asked = await fresh.submit(await fresh.open('/auth/sign_in'), '/auth/sign_in', {
      username: 'kit',
      password: 'seed-and-worm-kit',
    })
    expect(asked.url.pathname).toBe('/auth/sign_in/verify')
    // The next code: that of this half minute may have been used at the set-up.
    const code = totpCode(totpSecret, new Date(Date.now() + 30_000))
    await fresh.submit(asked, '/auth/sign_in/verify', { code })
    expect((await fresh.open('/settings/preferences')).url.pathname).toBe('/settings/preferences')
  })

  it('opens each key, and signs as the same actor', async () => {
    const token = String(server?.secrets.SETUP_TOKEN)
    await call(token, 'POST', '/setup/secrets/reseal', { restart: true })
    const status = await call(token, 'POST', '/setup/secrets/status')
    expect(status).toMatchObject({ unopenable: 0 })
    const now = await (
      await fetch(`http://localhost:${port}/users/alice`, {
        headers: { accept: 'application/activity+json' },
      })
    ).text()
    expect(now).toBe(actor)
    const found = await call(
      alice.token,
      'GET',
      `/api/v2/search?resolve=true&q=${encodeURIComponent(`http://127.0.0.1:${neighbourPort}/users/eve`)}`,
    )
    await call(alice.token, 'POST', `/api/v1/accounts/${found.accounts[0].id}/follow`)
    await eventually(() => expect(signed).not.toBeNull())
    const { publicKey } = z
      .object({ publicKey: z.object({ id: z.string(), publicKeyPem: z.string() }) })
      .parse(JSON.parse(actor))
    expect(isSignedBy(publicKey)).toBe(true)
  })

  it('finds accounts at once and posts once they are indexed, and continues counters', async () => {
    const byName = await call(alice.token, 'GET', '/api/v2/search?type=accounts&q=kit')
    expect(byName.accounts).toHaveLength(1)
    const [count, own] = [await statusesOf(alice.token), 'An owl after the fall']
    await call(alice.token, 'POST', '/api/v1/statuses', { status: own })
    expect(await statusesOf(alice.token)).toBe(count + 1)
    let found: readonly unknown[] = []
    for (let minute = 0; minute < 30 && found.length === 0; minute += 1) {
      await fetch(`http://localhost:${port}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`)
      found = (await call(alice.token, 'GET', '/api/v2/search?type=statuses&q=remain')).statuses
    }
    expect(found).toHaveLength(1)
  })
})

async function statusesOf(token: string): Promise<number> {
  return Number((await call(token, 'GET', '/api/v1/accounts/verify_credentials')).statuses_count)
}

/** Whether the request that reached the neighbour is signed by the key (draft-cavage). */
function isSignedBy({ id, publicKeyPem }: { readonly id: string; readonly publicKeyPem: string }): boolean {
  const fields = Object.fromEntries(
    [...String(signed?.headers['signature']).matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value ?? '',
    ]),
  )
  expect(fields['keyId']).toBe(id)
  const lines = String(fields['headers'])
    .split(' ')
    .map((name) =>
      name === '(request-target)'
        ? `(request-target): ${signed?.method.toLowerCase()} ${signed?.path}`
        : `${name}: ${signed?.headers[name]}`,
    )
  return createVerify('sha256')
    .update(lines.join('\n'))
    .verify(publicKeyPem, String(fields['signature']), 'base64')
}
