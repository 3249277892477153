import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import { configurationOf, writeConfiguration } from '../../scripts/lib/deploy/configuration.mjs'
import { deploy } from '../../scripts/lib/deploy/deploy.mjs'
import { expectedBill } from '../../scripts/lib/deploy/expected-bill.mjs'
import { rollBack } from '../../scripts/lib/deploy/roll-back.mjs'
import { deployedToken } from '../../scripts/lib/deploy/secrets.mjs'

describe('wrangler.full.toml', () => {
  const config = unstable_readConfig({ config: './wrangler.full.toml' })

  it('gives the server no address except its own', () => {
    expect(config).toMatchObject({ workers_dev: false, preview_urls: false })
  })

  it('stores what the server logs, and no addresses of requests, which contain tokens', () => {
    expect(config.observability).toMatchObject({ enabled: true, logs: { invocation_logs: false } })
  })
})

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fieldfare-deployment-'))
  return () => rmSync(folder, { recursive: true, force: true })
})

describe('the set-up token of a deployment', () => {
  const write = (name: string, content: object) => writeFileSync(join(folder, name), JSON.stringify(content))
  const deployment = {
    domain: 'social.example.org',
    owner: 'alice',
    email: 'alice@example.org',
    plan: 'free',
  }

  it('the set-up token of a deployment is for the server that was deployed from the folder, and no other', () => {
    write('secrets.local.json', { INSTANCE_SECRET: 'secret', SETUP_TOKEN: 'token' })
    expect(deployedToken(folder, 'https://social.example.org')).toBeNull()
    write('deployment.local.json', deployment)
    expect(deployedToken(folder, 'https://social.example.org')).toBe('token')
    for (const other of [
      'http://social.example.org',
      'https://example.org',
      'https://social.example.org:8443',
    ])
      expect(deployedToken(folder, other)).toBeNull()
    write('secrets.local.json', { INSTANCE_SECRET: 'secret' })
    expect(deployedToken(folder, 'https://social.example.org')).toBeNull()
  })
})

describe('the configuration of a deployment', () => {
  const deployment = {
    worker: 'hedge',
    domain: 'social.example.org',
    accountId: 'a'.repeat(32),
    databaseId: '00000000-0000-4000-8000-000000000001',
    plan: 'paid',
    variables: { MAX_STATUS_CHARACTERS: '1000', ORIGIN: 'https://other.example.org' },
  } as const

  /** The configuration as wrangler reads it. */
  function read(changes: Partial<Parameters<typeof configurationOf>[1]> = {}) {
    const file = join(folder, 'wrangler.full.toml')
    writeFileSync(
      file,
      configurationOf(readFileSync('wrangler.full.toml', 'utf8'), { ...deployment, ...changes }),
    )
    return unstable_readConfig({ config: file })
  }

  it('the configuration of a deployment has the values of the operator, under one address', () => {
    const config = read()
    expect(config).toMatchObject({
      name: 'hedge',
      account_id: deployment.accountId,
      workers_dev: false,
      preview_urls: false,
      routes: [{ pattern: 'social.example.org', custom_domain: true }],
      vars: { ORIGIN: 'https://social.example.org', PLAN: 'paid', MAX_STATUS_CHARACTERS: '1000' },
      d1_databases: [{ binding: 'DB', database_name: 'hedge', database_id: deployment.databaseId }],
      r2_buckets: [{ bucket_name: 'hedge-media' }],
      send_email: [{ name: 'EMAIL' }],
    })
    expect(config.queues.consumers).toMatchObject([
      { queue: 'hedge-jobs', dead_letter_queue: 'hedge-jobs-dead' },
      { queue: 'hedge-jobs-dead' },
    ])
  })

  it('names the deployed commit as its source, unless the operator names another', () => {
    const git = (...words: readonly string[]) =>
      spawnSync('git', ['-C', folder, ...words], { encoding: 'utf8' })
    git('init', '--quiet')
    git('remote', 'add', 'origin', 'https://me:password@github.com/some/hedge.git')
    git('-c', 'user.name=A', '-c', 'user.email=a@b.example', 'commit', '--allow-empty', '--quiet', '-m', 'A')
    writeFileSync(join(folder, 'wrangler.full.toml'), readFileSync('wrangler.full.toml', 'utf8'))
    const commit = git('rev-parse', 'HEAD').stdout.trim()
    expect(commit).toHaveLength(40)
    expect(writeConfiguration(folder, deployment)).toContain(
      `\nSOURCE_URL = "https://github.com/some/hedge/tree/${commit}"\n`,
    )
    const own = { SOURCE_URL: 'https://hedge.example.org/source' }
    const text = writeConfiguration(folder, { ...deployment, variables: own })
    expect(text.match(/^SOURCE_URL = .*$/gm)).toEqual([`SOURCE_URL = "${own.SOURCE_URL}"`])
  })

  it('the configuration of a deployment has no mail on the free plan, which cannot send any', () => {
    expect(read({ plan: 'free' })).toMatchObject({ send_email: [], vars: { PLAN: 'free' } })
  })

  it('binds nothing that the operator disables, or the account lacks', () => {
    const config = read({ without: ['images', 'email'], lacking: ['queues'] })
    expect(config).toMatchObject({ send_email: [], queues: { producers: [], consumers: [] } })
    expect(config.images).toBeUndefined()
    expect(config.durable_objects.bindings).toContainEqual({ name: 'JOB_QUEUE', class_name: 'JobQueue' })
    expect(read().images).toEqual({ binding: 'IMAGES' })
  })

  it('keeps everything else of wrangler.full.toml', () => {
    const { durable_objects, migrations, triggers, compatibility_date } = read()
    const base = unstable_readConfig({ config: './wrangler.full.toml' })
    expect({ durable_objects, migrations, triggers, compatibility_date }).toEqual({
      durable_objects: base.durable_objects,
      migrations: base.migrations,
      triggers: base.triggers,
      compatibility_date: base.compatibility_date,
    })
  })

  it('keeps logs within the quota of the free plan, at two lines a request', () => {
    const { observability } = read()
    const { head_sampling_rate: rate = 1, invocation_logs: hasInvocations } = observability?.logs ?? {}
    expect([observability?.enabled, hasInvocations]).toEqual([true, false])
    expect(100_000 * 2 * rate).toBeLessThanOrEqual(200_000)
  })

  it('the configuration of a deployment is refused for a manually changed wrangler.full.toml', () => {
    const text = readFileSync('wrangler.full.toml', 'utf8').replace(
      'http://localhost:8787',
      'https://social.example.org',
    )
    expect(() => configurationOf(text, deployment)).toThrow(
      'wrangler.full.toml has to hold this once: ORIGIN',
    )
  })
})

describe('npm run deploy', () => {
  const answers = { domain: 'social.example.org', owner: 'alice', email: 'alice@example.org', plan: 'free' }
  const lines: string[] = []
  const run = (options: object, question: ((text: string) => Promise<string>) | null = null) => {
    lines.length = 0
    const log = (line: string) => void lines.push(line)
    return deploy({ folder, options, log, question, pause: async () => undefined })
  }

  it.each([
    ['domain', 'localhost'],
    ['domain', 'hedge.workers.dev'],
    ['domain', '192.0.2.1'],
    ['domain', 'https://social.example.org'],
    ['owner', 'no spaces'],
    ['email', 'nobody'],
    ['plan', 'cheap'],
  ])('refuses %s %s before it does anything', async (name, value) => {
    await expect(run({ ...answers, [name]: value })).rejects.toThrow(`${name} has to be `)
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    ['bücher.example.org', 'xn--bcher-kva.example.org'],
    ['Социал.рф', 'xn--80apkjo5a.xn--p1ai'],
    ['social.xn--p1ai', 'social.xn--p1ai'],
  ])('takes the domain %s as %s', async (domain, ascii) => {
    await run({ ...answers, domain, 'dry-run': true })
    expect(lines[0]).toBe(`What npm run deploy does for https://${ascii}:`)
  })

  it('names the option where nobody can answer', async () => {
    await expect(run({ domain: answers.domain })).rejects.toThrow('give it as --owner')
  })

  it('npm run deploy asks for missing options', async () => {
    const asked: string[] = []
    const question = async (text: string) => {
      asked.push(text)
      return text.includes('e-mail') ? answers.email : answers.owner
    }
    await run({ domain: answers.domain, plan: 'free', 'dry-run': true }, question)
    expect(asked).toEqual(['Your user name:', 'Your e-mail address:'])
  })

  it('prints every step of a dry run, and writes nothing', async () => {
    await run({ ...answers, 'dry-run': true })
    expect(lines).toHaveLength(13)
    expect(lines.join('\n')).toContain('wrangler d1 migrations apply DB --remote')
    expect(readdirSync(folder)).toEqual([])
  })

  it.each(['{', '{}', '{"domain":"localhost"}'])(
    'explains what is wrong with a record of %s',
    async (text) => {
      writeFileSync(join(folder, 'deployment.local.json'), text)
      await expect(run({})).rejects.toThrow(
        /deployment\.local\.json (is no JSON|cannot be used: \w+ has to be )/,
      )
    },
  )

  it('npm run deploy cannot go back where nothing was deployed', async () => {
    const order = { folder, options: { yes: true }, log: () => undefined, question: null }
    await expect(rollBack(order)).rejects.toThrow('nothing was deployed from here')
  })
})

describe('the expected bill', () => {
  it('the expected bill equals the table in the documents', () => {
    const table = readFileSync('docs/operate/limits-and-costs.md', 'utf8')
    const bills = (/^\| bill on Paid.*$/m.exec(table)?.[0] ?? '').match(/\$[\d.]+/g) ?? []
    expect(bills).toHaveLength(4)
    for (const bill of bills.slice(2)) expect(expectedBill('paid')).toContain(bill)
    const [, people, follows] = /the free plan carries (\d+) .* ten who follow (\d+)/.exec(table) ?? []
    expect(expectedBill('free')).toContain(`carries ${people} people`)
    expect(expectedBill('free').replaceAll(/\s+/g, ' ')).toContain(`ten who follow ${follows}.`)
  })
})
