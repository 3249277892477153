import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { AccountApi } from '../support/account-api'
import { Deployment } from '../support/deployment'
import { Desk, shellBlocksOf } from '../support/fresh-clone'

/**
 * Shell blocks of the documents, typed as they stand there by a person who answers what is asked: a deployment, its upgrade
 * and the way back by the real wrangler.
 */

const domain = 'social.example.org'
const answers = [
  { asked: /Domain of the server.*:/, answer: domain },
  { asked: /Your user name:/, answer: 'alice' },
  { asked: /Your e-mail address:/, answer: 'alice@example.org' },
  { asked: /Plan of your Cloudflare account.*:/, answer: 'free' },
  { asked: /permanently delete the secret SETUP_TOKEN/, answer: 'y' },
]
const wayBack = [
  { asked: /Go back\? \(yes\)/, answer: 'yes' },
  { asked: /Type social\.example\.org to lose/, answer: domain },
]
const [deployBlocks, upgradeBlocks] = [
  shellBlocksOf('docs/operate/deploy.md'),
  shellBlocksOf('docs/operate/upgrade.md'),
]
const birds = 'CREATE TABLE birds (id INTEGER PRIMARY KEY);'

let desk: Desk
/** Output of the terminal, and contents of the account afterwards. */
let deployed: Shown
let upgraded: Shown
interface Shown {
  readonly text: string
  readonly calls: readonly string[]
  readonly secrets: readonly string[]
  readonly versions: readonly string[]
}

async function type(blocks: readonly string[], order: Parameters<Desk['type']>[1]): Promise<Shown> {
  const { account } = desk
  const from = account.calls.length
  const { text } = await desk.type(blocks, order)
  const calls = changingCalls(account, from)
  return { text, calls, secrets: [...account.secrets.keys()], versions: [...account.versions] }
}

beforeAll(async () => {
  desk = await Desk.open(domain, 'https://git.example.org/fieldfare.git')
  deployed = await type(deployBlocks, { answers })
  desk.commit('migrations/9999_birds.sql', birds)
  upgraded = await type(upgradeBlocks, { from: 'fieldfare', answers: wayBack })
}, 300_000)
afterAll(() => desk?.close())

/**
 * Calls to an account that may change it. Wrangler makes those that follow an upload side by side: here they are in
 * alphabetical order.
 */
function changingCalls({ calls, accountId }: AccountApi, from = 0): readonly string[] {
  const groups: { readonly isBeside: boolean; readonly names: string[] }[] = []
  for (const call of calls.slice(from).filter((one) => !one.startsWith('GET '))) {
    const isBeside = /\/(records|schedules|consumers)$/.test(call)
    const name = call.replace(`/accounts/${accountId}`, '')
    const last = groups.at(-1)
    if (isBeside && last?.isBeside) last.names.push(name)
    else groups.push({ isBeside, names: [name] })
  }
  return groups.flatMap(({ names }) => names.toSorted())
}

const ends = (text: string, blocks: readonly string[]) => text.split('end of block').slice(blocks.length)

describe('the documents of deployment', () => {
  it('the documents of deployment lead from the address of the repository to an open server', () => {
    const { text } = deployed
    expect(ends(text, deployBlocks), text).toEqual(['\n'])
    expect(text).toMatch(/name {6}alice\n {4}password {2}\S{10,}/)
    expect(text).toContain(`Your server is open: https://${domain}`)
    for (const name of [
      'health',
      'NodeInfo',
      `WebFinger of alice@${domain}`,
      'actor and its key',
      'requests are signed by the published key',
      'signed requests are verified, and forged ones refused',
      'media, stored and served',
    ])
      expect(text).toContain(`ok      ${name}`)
    expect(text).toMatch(/Token \d+, shown this once:\n\n {2}\S{20}/)
    expect(deployed.secrets).toEqual(['INSTANCE_SECRET'])
    expect(deployed.calls.filter((call) => /(d1\/database|buckets|queues)$/.test(call))).toEqual([
      'POST /d1/database',
      'POST /r2/buckets',
      'POST /queues',
      'POST /queues',
    ])
  })

  it('the documents of deployment lead through an upgrade, which creates nothing twice, and back', () => {
    const { text } = upgraded
    expect(ends(text, upgradeBlocks), text).toEqual(['\n'])
    expect(text).toMatch(/Apply migrations\n {2}1 applied/)
    expect(text).toContain('The server has an owner.')
    expect(text).not.toMatch(/password {2}\S/)
    expect(upgraded.calls.filter((call) => /(d1\/database|buckets|queues)$/.test(call))).toEqual([])
    expect(text.match(/runs the version of before/g)).toHaveLength(2)
    const [first, second] = [deployed.versions.at(-1), upgraded.versions.at(-3)]
    expect(second).not.toBe(first)
    expect(upgraded.versions.slice(-2)).toEqual([first, first])
    expect(upgraded.calls.filter((call) => call.endsWith('/time_travel/restore'))).toHaveLength(1)
    expect(desk.account.unknown).toEqual([])
  })

  it('the documents of deployment show no secret, and keep the clone as it came from the repository', () => {
    const file = readFileSync(join(desk.folder, 'fieldfare/secrets.local.json'), 'utf8')
    const secrets = Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(file)))
    expect(secrets.map(([name]) => name)).toEqual(['INSTANCE_SECRET', 'SETUP_TOKEN'])
    for (const [name, secret] of secrets) expect(deployed.text + upgraded.text, name).not.toContain(secret)
    expect(desk.changedFiles()).toBe('')
  })

  it('the documents of deployment match the calls of the real wrangler, which the stand-in repeats in the same order', async () => {
    const deployment = await Deployment.open(domain, () => desk.worker())
    try {
      const { account, clone } = deployment
      expect((await deployment.deploy({ ...deployment.answers, plan: 'free' })).failure).toBeNull()
      const isOfSecret = (call: string) => call.endsWith('/secrets/SETUP_TOKEN')
      expect(changingCalls(account)).toEqual(deployed.calls.filter((call) => !isOfSecret(call)))
      const from = account.calls.length
      writeFileSync(join(clone, 'migrations/9999_birds.sql'), birds)
      for (const run of [
        () => deployment.deploy(),
        () => deployment.rollBack({ yes: true }),
        () => deployment.rollBack({ yes: true, data: true }),
      ])
        expect((await run()).failure).toBeNull()
      expect(changingCalls(account, from)).toEqual(upgraded.calls)
      expect(stateOf(account)).toEqual(stateOf(desk.account))
    } finally {
      deployment.close()
    }
  })
})

/** Contents of an account, without ids and values of secrets. */
function stateOf({ databases, buckets, queues, domains, secrets, versions }: AccountApi): object {
  const schema = 'select name, sql from sqlite_schema order by name'
  return {
    databases: [...databases].map(([name, { rows }]) => [
      name,
      rows.prepare(schema).all().filter(isOfMigration),
    ]),
    buckets: [...buckets],
    queues: [...queues],
    domains,
    secrets: [...secrets.keys()].toSorted(),
    versions,
  }
}

/** Wrangler lays out the table of its own in another way. */
const isOfMigration = ({ name }: Readonly<Record<string, unknown>>) => name !== 'd1_migrations'
