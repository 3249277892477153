import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { openStore } from '../../../scripts/lib/backups/local-target.mjs'
import { bundle, root, type Server, setup, startServer } from '../../../scripts/lib/server.mjs'
import { runCommand } from '../../node/instance'
import type { AccountApi } from '../support/account-api'
import { startDeployedWorker } from '../support/deployed-worker'
import { Deployment } from '../support/deployment'
import { freePort } from '../support/instance'
import { fillInstanceFolder } from '../support/instance-folder'

/** A server of another place, restored into an empty account of Cloudflare by one command, with a stand-in for wrangler. */

const domain = 'restored.example.org'
const folder = mkdtempSync(join(tmpdir(), 'fieldfare-deploy-restore-'))
const [place, dir] = [join(folder, 'place'), join(folder, 'backup')]
const Made = z.object({ token: z.string() })
let deployment: Deployment
let worker: Promise<Server> | null = null

async function post(server: Server, token: string): Promise<void> {
  const file = new Blob([readFileSync(join(root, 'test/data/media/rgba.png'))], { type: 'image/png' })
  const form = new FormData()
  form.append('file', file, 'a.png')
  const headers = { Authorization: `Bearer ${token}` }
  const uploaded = await fetch(`${server.origin}/api/v2/media`, { method: 'POST', headers, body: form })
  const { id } = z.object({ id: z.string() }).parse(await uploaded.json())
  const body = new URLSearchParams({ status: "A wren's 'song'; \n -- 🐦", 'media_ids[]': id })
  const answer = await fetch(`${server.origin}/api/v1/statuses`, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
}

beforeAll(async () => {
  mkdirSync(place)
  const [bundled] = await Promise.all([bundle(place), fillInstanceFolder(place)])
  const variables = { ORIGIN: `https://${domain}` }
  const order = {
    folder: place,
    port: await freePort(),
    bundled,
    variables,
    inherit: false,
    hasTriggers: true,
  }
  const server = await startServer({ ...order, logLevel: 'error' })
  for (const stream of [server.child.stdout, server.child.stderr]) stream?.resume()
  await setup(server, 'POST', 'owner', { username: 'alice', email: 'alice@example.org' })
  await post(server, Made.parse((await setup(server, 'POST', 'account', { username: 'bob' })).body).token)
  const there = ['--url', server.origin]
  const env = { SETUP_TOKEN: String(server.secrets.SETUP_TOKEN) }
  for (const words of [
    ['backup', 'create'],
    ['backup', 'download', dir],
  ])
    expect(await runCommand([...words, '--json', ...there], { env })).toMatchObject({ problem: '' })
  await server.stop()
  deployment = await Deployment.open(domain, deployedWorker)
})

afterAll(async () => {
  deployment?.close()
  await (await worker)?.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** The Worker of the account, started with what the account holds when the first request comes. */
function deployedWorker(account: AccountApi): Promise<Server> {
  worker ??= startDeployedWorker(folder, { account, domain })
  return worker
}

/** Rows of the source, as of the account. */
async function rowsIn(sql: string): Promise<readonly object[]> {
  const { server, database } = await openStore(place)
  const { results } = await database.prepare(sql).all<object>()
  await server.dispose()
  return results
}

describe('npm run deploy -- --restore', () => {
  const options = () => {
    const { domain: _domain, ...answers } = deployment.answers
    return { ...answers, restore: dir, secrets: join(place, 'secrets.json') }
  }

  it('creates nothing from a backup of another address, or without its secrets', async () => {
    const { account } = deployment
    const other = await deployment.deploy({ ...options(), domain: 'other.example.org' })
    expect(other.failure).toContain(`The backup is of https://${domain}`)
    const { secrets: _secrets, ...without } = options()
    expect((await deployment.deploy(without)).failure).toContain('INSTANCE_SECRET is in no backup')
    const wrong = join(folder, 'wrong.json')
    writeFileSync(wrong, JSON.stringify({ INSTANCE_SECRET: 'x'.repeat(43) }))
    expect((await deployment.deploy({ ...options(), secrets: wrong })).failure).toContain('would not open')
    const planned = await deployment.deploy({ ...options(), 'dry-run': true })
    expect(planned.text).toMatch(/Restore the backup: rows and objects of \S+/)
    expect([account.changes, existsSync(join(deployment.clone, 'secrets.local.json'))]).toEqual([[], false])
  })

  it('fills an empty account, continues after a failure of each part, and opens the server', async () => {
    const { account, clone } = deployment
    const faults = [
      [/^POST .*\/import$/, 'Restore the backup'],
      [/^PUT .*\/objects\//, 'Restore the backup'],
    ] as const
    for (const [on, title] of faults) {
      account.fault = { on, times: 50, code: 10_000, error: 'Refused' }
      expect((await deployment.deploy(options())).failure).toContain(`"${title}`)
    }
    account.fault = null
    const { text, failure } = await deployment.deploy(options())
    expect(failure).toBeNull()
    expect(text).toContain(`ok      WebFinger of alice@${domain}`)
    expect(text).toContain('ok      requests are signed by the published key')
    expect(text).toContain('The server has an owner.')
    expect(account.changes.filter((change) => change.endsWith('/import'))).toHaveLength(2)
    const statuses = 'select id, text, uri from statuses order by id'
    expect(deployment.query(statuses).map((row) => ({ ...row }))).toEqual(await rowsIn(statuses))
    expect([...account.objects].map(([key, { type }]) => [key.split('/')[0], type])).toEqual(
      expect.arrayContaining([
        ['attachments', 'image/png'],
        ['attachments', 'image/webp'],
      ]),
    )
    expect(JSON.parse(readFileSync(join(clone, 'secrets.local.json'), 'utf8'))).toMatchObject(
      JSON.parse(readFileSync(join(place, 'secrets.json'), 'utf8')),
    )
    expect(account.unknown).toEqual([])
  })

  it('npm run deploy -- --restore is refused for a database in use', async () => {
    const record = join(deployment.clone, 'deployment.local.json')
    copyFileSync(record, `${record}.kept`)
    const kept = JSON.parse(readFileSync(record, 'utf8'))
    writeFileSync(record, JSON.stringify({ ...kept, restored: null, restoring: null }))
    const before = deployment.account.changes.length
    expect((await deployment.deploy({ restore: dir })).failure).toContain('is in use: it has')
    expect(deployment.changesSince(before).filter((change) => /import|objects/.test(change))).toEqual([])
  })
})
