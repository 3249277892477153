import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeConfiguration } from '../../../scripts/lib/deploy/configuration.mjs'
import { failureOf, jsonOf, runWrangler, type Wrangler } from '../../../scripts/lib/deploy/wrangler.mjs'
import { AccountApi } from '../support/account-api'
import { makeClone } from '../support/deployment'
import { wranglerStandIn } from '../support/wrangler-stand-in'

/**
 * Commands of a deployment that fail, or that restore a backup, by the real wrangler and by its stand-in, each on an account
 * of its own. deploy-documents.test.ts compares both where nothing fails.
 */

const folder = mkdtempSync(join(tmpdir(), 'fieldfare-stand-in-'))
const clone = join(folder, 'clone')
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

/** A command on an account with a database and a bucket. */
class Side {
  readonly account = new AccountApi()
  readonly #command: (api: string) => Wrangler
  #api = ''

  constructor(command: (api: string) => Wrangler) {
    this.#command = command
  }

  async open(): Promise<void> {
    this.#api = await this.account.listen()
    const headers = { 'content-type': 'application/json' }
    for (const path of ['d1/database', 'r2/buckets'])
      await fetch(`${this.#api}/accounts/${this.account.accountId}/${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ name: path === 'd1/database' ? 'fieldfare' : 'fieldfare-media' }),
      })
  }

  /** Rows, objects and versions of the account. */
  state(): object {
    const { databases, objects, versions, domains } = this.account
    const [database] = databases.values()
    const rows = database?.rows.prepare('select name, sql from sqlite_schema').all()
    return { rows, objects, versions, domains }
  }

  /** Runs a command. Returns its result, and calls that changed the account. */
  async run(args: readonly string[], fault: AccountApi['fault']) {
    const { account } = this
    account.fault = fault === null ? null : { ...fault }
    const from = account.changes.length
    const result = await this.#command(this.#api)(clone, [...args, '--config', 'wrangler.local.toml'])
    return { result, changes: account.changes.slice(from) }
  }
}

const realWrangler = (api: string) => async (place: string, args: readonly string[]) => {
  const environment = { CLOUDFLARE_API_BASE_URL: api, CLOUDFLARE_API_TOKEN: 'a token of the operator' }
  Object.assign(process.env, environment)
  try {
    return await runWrangler(place, args)
  } finally {
    for (const name of Object.keys(environment)) Reflect.deleteProperty(process.env, name)
  }
}

const [real, standIn] = [new Side(realWrangler), new Side(wranglerStandIn)]
beforeAll(async () => {
  makeClone(clone)
  // A small Worker is bundled in no time.
  rmSync(join(clone, 'src'))
  mkdirSync(join(clone, 'src'))
  const classes = [
    'Connection',
    'Courier',
    'Installation',
    'JobQueue',
    'Throttle',
    'Topic',
    'Uploads',
    'Vault',
  ]
  const exported = classes.map((name) => `export class ${name} {}`)
  writeFileSync(
    join(clone, 'src/index.ts'),
    [...exported, 'export default { fetch: () => new Response() }'].join('\n'),
  )
  await Promise.all([real.open(), standIn.open()])
  writeConfiguration(clone, {
    worker: 'fieldfare',
    domain: 'social.example.org',
    accountId: real.account.accountId,
    databaseId: '00000000-0000-4000-8000-000000000001',
    plan: 'paid',
    variables: {},
    without: ['queues'],
  })
})
afterAll(() => {
  for (const { account } of [real, standIn]) account.close()
})

const refused = (on: RegExp, code: number): AccountApi['fault'] => ({ on, times: 50, code, error: 'Refused' })
const objects = file(
  'objects.json',
  JSON.stringify(
    ['attachments/a b.txt', 'attachments/c.txt'].map((key, index) => ({
      key,
      file: file(`${index}.txt`, key),
    })),
  ),
)
const types = ['--content-type', 'text/plain', '--cache-control', 'no-store']
const put = ['r2', 'bulk', 'put', 'fieldfare-media', '--remote', '--force', '--filename', objects, ...types]
const execute = ['d1', 'execute', 'DB', '--remote']
const good = file('good.sql', "create table birds (name text);\ninsert into birds values (';');\n")
const bad = file('bad.sql', 'insert into nothing values (1);')

describe('the stand-in for wrangler', () => {
  it.each<[what: string, args: readonly string[]]>([
    ['a query', [...execute, '--json', '--command', 'select 1 as one']],
    ['an import', [...execute, '--yes', '--file', good]],
    ['an upload of objects', put],
    ['a list of secrets', ['secret', 'list', '--name', 'fieldfare']],
  ])('changes the account by %s like wrangler', async (_what, args) => {
    const [expected, found] = [await real.run(args, null), await standIn.run(args, null)]
    expect([expected.result.code, found.result.code]).toEqual([0, 0])
    // Objects are uploaded side by side: they arrive in any order.
    expect(found.changes.toSorted()).toEqual(expected.changes.toSorted())
    if (args.includes('--json') || args[0] === 'secret')
      expect(jsonOf(found.result)).toEqual(jsonOf(expected.result))
    expect(standIn.state()).toEqual(real.state())
  })

  it.each<[what: string, args: readonly string[], fault: AccountApi['fault'], says: readonly string[]]>([
    ['a sign-in', ['whoami', '--json'], refused(/./, 9_109), ['Refused [code: 9109]', 'Your token may not']],
    [
      'a bucket',
      ['r2', 'bucket', 'create', 'other', '--update-config=false'],
      refused(/\/buckets$/, 10_042),
      ['Refused [code: 10042]', 'Switch R2 on'],
    ],
    [
      'statements that cannot be',
      [...execute, '--yes', '--file', bad],
      null,
      ['near "nothing": syntax error'],
    ],
    ['an object', put, refused(/\/objects\//, 10_000), ['Error uploading', '403: Forbidden']],
    [
      'a domain',
      ['deploy', '--minify'],
      refused(/\/domains\/records$/, 10_013),
      [
        'Trigger configuration for "fieldfare" was only partially updated',
        'Refused [code: 10013]',
        'Add the domain',
      ],
    ],
  ])('prints the error of wrangler when %s is refused', async (_what, args, fault, says) => {
    const [expected, found] = [await real.run(args, fault), await standIn.run(args, fault)]
    expect([expected.result.code, found.result.code]).toEqual([1, 1])
    for (const { result } of [expected, found])
      for (const words of says) expect(failureOf('It', result).message).toContain(words)
    expect(found.changes.toSorted()).toEqual(expected.changes.toSorted())
    expect(standIn.state()).toEqual(real.state())
  })
})
