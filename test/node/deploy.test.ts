import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readDeployment, saveDeployment } from '../../scripts/lib/deploy/record.mjs'
import { Deployment } from '../e2e/support/deployment'

/**
 * Deployments to an account that exists on this machine alone, by a stand-in for wrangler, to an address where no server
 * answers. test/e2e/raw/deploy.test.ts has those to a server that runs.
 */

let deployment: Deployment
beforeEach(async () => {
  deployment = await Deployment.open('social.example.org')
})
afterEach(() => deployment.close())

/** Failures of each step, with the step and the advice that the operator reads. */
const faults = [
  [/^POST .*\/d1\/database$/, 10_000, 'Find or make the database', 'Your token may not do this.'],
  [/^POST .*\/r2\/buckets$/, 10_042, 'Find or make the bucket', 'Switch R2 on'],
  [/^POST .*\/queues$/, 10_000, 'Find or make the queues', 'Your token may not do this.'],
  [/^POST .*\/query$/, 7_500, 'Apply migrations', 'npm run deploy again'],
  [/^PUT .*\/workers\/scripts\/fieldfare$/, 10_021, 'Deploy the Worker', 'npm run deploy again'],
  [/^PUT .*\/domains\/records$/, 10_013, 'Deploy the Worker', 'Add the domain as a zone'],
  [/^PUT .*\/domains\/records$/, 100_117, 'Deploy the Worker', 'Remove that DNS record'],
  [/^POST .*\/domains\/changeset$/, 10_000, 'Ask what the domain leads to', 'Your token may not do this.'],
] as const

describe('npm run deploy', () => {
  it('names the failed step with advice, continues from there, and creates nothing twice', async () => {
    const { account, answers } = deployment
    for (const [on, code, title, advice] of faults) {
      account.fault = { on, times: 1, code, error: 'Refused' }
      const { failure } = await deployment.deploy(answers)
      expect(failure).toContain(`"${title}`)
      expect(failure).toContain(advice)
      expect(failure).not.toContain('    at ')
    }
    const { text, failure } = await deployment.deploy()
    expect(failure).toContain('"Make the owner" did not succeed. No answer: connect ECONNREFUSED')
    expect(text).toContain('Waiting until the address answers ...')
    for (const secret of account.secrets.values()) expect(text).not.toContain(secret)
    expect(
      deployment.changesSince(0).filter((change) => /(d1\/database|buckets|queues)$/.test(change)),
    ).toEqual(['POST /d1/database', 'POST /r2/buckets', 'POST /queues', 'POST /queues'])
    expect(account.unknown).toEqual([])
  })

  it('npm run deploy makes no other secret for a Worker that was set up in the browser', async () => {
    const { account, answers } = deployment
    account.secrets.set('SETUP_SECRET', 'the one secret of the form')
    const { failure } = await deployment.deploy(answers)
    expect(failure).toContain('The Worker fieldfare was set up in the browser')
    expect(failure).not.toContain('the one secret of the form')
    expect([...account.secrets.keys()]).toEqual(['SETUP_SECRET'])
  })

  it('npm run deploy prints its steps and changes nothing with --dry-run', async () => {
    const { account, answers, domain } = deployment
    const { text, failure } = await deployment.deploy({ ...answers, 'dry-run': true })
    expect(failure).toBeNull()
    expect(text).toContain(`What npm run deploy does for https://${domain}:`)
    expect(text).toContain('wrangler d1 create fieldfare')
    expect(account.calls).toEqual([])
  })

  it('changes nothing without a sign-in, or where answers differ from earlier ones', async () => {
    const { account, answers } = deployment
    account.isSignedIn = false
    const { failure } = await deployment.deploy(answers)
    expect(failure).toContain('You are not signed in to Cloudflare: npx wrangler login')
    expect((await deployment.deploy({ name: 'other' })).failure).toContain('it would have no data')
    expect((await deployment.deploy({ without: 'pictures' })).failure).toBe(
      'pictures is no service: --without takes images, email, queues or none.',
    )
    expect(account.changes).toEqual([])
  })
})

describe('options on a deployment that exists', () => {
  const recorded = () => readDeployment(deployment.clone)

  it('options on a deployment that exists change the domain, the owner and their address, until there are accounts', async () => {
    const { account, answers, clone } = deployment
    account.fault = { on: /^POST .*\/changeset$/, times: 1, code: 10_013, error: 'No such zone' }
    const misspelt = await deployment.deploy({ ...answers, domain: 'socail.example.org' })
    expect(misspelt.failure).toContain('npm run deploy -- --domain HOST corrects it')
    const right = { domain: answers.domain, owner: 'bob', email: 'bob@example.org' }
    const { text } = await deployment.deploy({ ...right, 'account-domain': 'example.org' })
    expect(text).toContain('domain: social.example.org from now on, and no longer socail.example.org.')
    expect(recorded()).toMatchObject({ ...right, variables: { ACCOUNT_DOMAIN: 'example.org' } })
    expect(readFileSync(join(clone, 'wrangler.local.toml'), 'utf8')).toContain(
      'ORIGIN = "https://social.example.org"',
    )
    expect(account.domains).toEqual([answers.domain])
  })

  it('options of a deployment are refused with the reason where they can no longer change', async () => {
    const { account, answers } = deployment
    await deployment.deploy(answers)
    const before = recorded()
    // The first account of the server.
    deployment.addMember()
    for (const [option, value, reason] of [
      ['domain', 'other.example.org', 'so it cannot change'],
      ['account-domain', 'example.org', 'the domain of handles cannot change'],
      ['owner', 'bob', 'npx fieldfare accounts role NAME owner'],
      ['email', 'bob@example.org', 'in the settings of that account'],
      ['account', 'b'.repeat(32), `This deployment is in the account ${account.accountId}`],
      ['name', 'other', 'it would have no data'],
      ['secrets', 'secrets.json', 'it goes with --restore'],
    ] as const)
      expect((await deployment.deploy({ [option]: value })).failure, option).toContain(reason)
    expect(recorded()).toEqual(before)
  })

  it('switch between the free plan and the paid one, and list the changes', async () => {
    const { answers, clone } = deployment
    await deployment.deploy({ ...answers, plan: 'free' })
    const configuration = () => readFileSync(join(clone, 'wrangler.local.toml'), 'utf8')
    expect(configuration()).not.toContain('[[send_email]]')
    const paid = await deployment.deploy({ plan: 'paid' })
    expect(paid.text).toContain('plan: paid from now on, and no longer free: mail can be sent')
    expect(configuration()).toMatch(/PLAN = "paid"[\s\S]*\[\[send_email\]\]/)
    expect(recorded()).toMatchObject({ plan: 'paid' })
    const chosen = () => deployment.query("select value from settings where key = 'instance.plan'")
    deployment.query(
      "insert into settings (key, value, updated_at) values ('instance.plan', '\"paid\"', 0) returning key",
    )
    await deployment.deploy()
    expect(chosen()).toEqual([{ value: '"paid"' }])
    expect((await deployment.deploy({ plan: 'free' })).text).toContain('no mail is sent')
    // The later act counts: the choice of the panel is gone.
    expect(chosen()).toEqual([])
    expect((await deployment.deploy({ plan: 'cheap' })).failure).toContain('plan has to be free or paid')
  })

  it('options on a deployment that exists refuse variables that the command writes itself, and name unknown ones', async () => {
    const { answers, clone } = deployment
    await deployment.deploy(answers)
    const write = (variables: object) => saveDeployment(clone, { ...recorded(), variables })
    write({ PLAN: 'free' })
    expect((await deployment.deploy()).failure).toContain('run npm run deploy -- --plan free')
    write({ ORIGIN: 'https://other.example.org' })
    expect((await deployment.deploy()).failure).toContain('ORIGIN among the variables')
    write({ PLAN: 'paid', MAX_CHARACTERS: '1000' })
    expect((await deployment.deploy()).text).toContain('MAX_CHARACTERS is no variable')
  })
})

describe('a domain that points to another service', () => {
  const uses = [
    {
      by: 'a DNS record',
      take: (domain: string) => deployment.account.dnsRecords.add(domain),
      isTaken: (domain: string) => !deployment.account.dnsRecords.has(domain),
      words: 'a DNS record of the zone leads social.example.org elsewhere',
    },
    {
      by: 'another Worker',
      take: (domain: string) => deployment.account.otherWorkers.set(domain, 'blog'),
      isTaken: (domain: string) => !deployment.account.otherWorkers.has(domain),
      words: 'the Worker "blog" answers at social.example.org',
    },
  ]

  it.each(uses)(
    'a domain that points to another service is not taken from $by without a yes',
    async ({ take, isTaken, words }) => {
      const { account, answers, domain } = deployment
      take(domain)
      const refused = await deployment.deploy(answers)
      expect(refused.failure).toContain(words)
      expect(refused.failure).toContain('add --take-over-domain')
      expect([isTaken(domain), account.domains]).toEqual([false, []])
      const asked: string[] = []
      const answer = (word: string) => async (question: string) => {
        asked.push(question)
        return word
      }
      // The second time the account knows the Worker, and can tell before anything is uploaded.
      const versions = account.versions.length
      expect((await deployment.deploy({}, answer('no'))).failure).toContain('Nothing was changed')
      expect([isTaken(domain), account.versions.length]).toEqual([false, versions])
      const accepted = await deployment.deploy({}, answer('yes'))
      expect(accepted.failure).toContain('"Make the owner"')
      expect(asked).toEqual(Array(2).fill(`Lead ${domain} to your server instead? (yes)`))
      expect([isTaken(domain), account.domains]).toEqual([true, [domain]])
      expect(account.unknown).toEqual([])
    },
  )

  it.each(uses)(
    'a domain that points to another service is taken from $by with the option',
    async ({ take, isTaken, words }) => {
      const { answers, domain } = deployment
      take(domain)
      const { text } = await deployment.deploy({ ...answers, 'take-over-domain': true })
      expect(text).toContain(words)
      expect(isTaken(domain)).toBe(true)
    },
  )

  it('asks without a warning where no other service uses the domain', async () => {
    const { text } = await deployment.deploy(deployment.answers)
    expect(text).not.toContain('in use')
    expect(deployment.account.domains).toEqual([deployment.domain])
  })
})
