import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import * as z from 'zod'
import { root } from '../../../scripts/lib/server.mjs'
import { AccountApi } from '../support/account-api'
import { makeClone } from '../support/deployment'

const folder = mkdtempSync(join(tmpdir(), 'fieldfare-button-'))
const account = new AccountApi()
afterAll(() => {
  account.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** Makes what the button makes before the first build: a copy whose configuration names the database. */
async function makeCopy(api: string): Promise<string> {
  const copy = join(folder, 'copy')
  makeClone(copy)
  cpSync(join(root, 'scripts'), join(copy, 'scripts'), { recursive: true })
  const answer = await fetch(`${api}/accounts/${account.accountId}/d1/database`, {
    method: 'POST',
    body: JSON.stringify({ name: 'birds' }),
  })
  const Made = z.object({ result: z.object({ uuid: z.string() }) })
  const { uuid } = Made.parse(await answer.json()).result
  account.buckets.add('birds-media')
  account.secrets.set('SETUP_SECRET', 'a set-up secret of forty characters, in all')
  const configuration = readFileSync(join(root, 'wrangler.toml'), 'utf8')
    .replace('database_name = "fieldfare"', `database_name = "birds"\ndatabase_id = "${uuid}"`)
    .replace('bucket_name = "fieldfare-media"', 'bucket_name = "birds-media"')
  expect(configuration).toContain(uuid)
  writeFileSync(join(copy, 'wrangler.toml'), configuration)
  return copy
}

/** Runs the deploy script of a copy as a build of Cloudflare does. */
function build(copy: string, api: string): Promise<{ readonly code: number | null; readonly text: string }> {
  const child = spawn(process.execPath, ['scripts/deploy.mjs'], {
    cwd: copy,
    env: {
      ...process.env,
      WORKERS_CI: '1',
      CLOUDFLARE_API_BASE_URL: api,
      CLOUDFLARE_API_TOKEN: 'a token',
      CLOUDFLARE_ACCOUNT_ID: account.accountId,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, text }))
  })
}

it('a build of the button uploads the Worker with nobody to ask, and makes no service, secret or migration', async () => {
  const api = await account.listen()
  const copy = await makeCopy(api)
  const before = account.changes.length
  const { code, text } = await build(copy, api)
  expect([code, text]).toEqual([0, expect.stringContaining('/setup')])
  expect(account.versions).toHaveLength(1)
  const changed = account.changes.slice(before)
  expect(changed.filter((call) => /d1\/|buckets|queues|secrets|domains/.test(call))).toEqual([])
  expect([...account.secrets.keys()]).toEqual(['SETUP_SECRET'])
  expect(account.unknown).toEqual([])
  // Later versions go the same way.
  expect((await build(copy, api)).code).toBe(0)
  expect(account.versions).toHaveLength(2)
})
