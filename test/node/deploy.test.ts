import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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
  it('names the step that failed with advice, goes on from there, and makes nothing twice', async () => {
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

  it('prints its steps and changes nothing with --dry-run', async () => {
    const { account, answers, domain } = deployment
    const { text, failure } = await deployment.deploy({ ...answers, 'dry-run': true })
    expect(failure).toBeNull()
    expect(text).toContain(`What npm run deploy does for https://${domain}:`)
    expect(text).toContain('wrangler d1 create fieldfare')
    expect(account.calls).toEqual([])
  })

  it('changes nothing without a sign-in, or where answers differ from those of before', async () => {
    const { account, answers } = deployment
    account.isSignedIn = false
    const { failure } = await deployment.deploy(answers)
    expect(failure).toContain('You are not signed in to Cloudflare: npx wrangler login')
    expect((await deployment.deploy({ domain: 'other.example.org' })).failure).toContain(
      'so it cannot change',
    )
    expect((await deployment.deploy({ name: 'other' })).failure).toContain('it would have no data')
    expect((await deployment.deploy({ without: 'pictures' })).failure).toBe(
      'pictures is no service: --without takes images, email, queues or none.',
    )
    expect(account.changes).toEqual([])
  })
})

describe('a domain that leads elsewhere', () => {
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

  it.each(uses)('is not taken from $by without a yes', async ({ take, isTaken, words }) => {
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
  })

  it.each(uses)('is taken from $by where the command says so', async ({ take, isTaken, words }) => {
    const { answers, domain } = deployment
    take(domain)
    const { text } = await deployment.deploy({ ...answers, 'take-over-domain': true })
    expect(text).toContain(words)
    expect(isTaken(domain)).toBe(true)
  })

  it('is asked about with no words where nothing else has it', async () => {
    const { text } = await deployment.deploy(deployment.answers)
    expect(text).not.toContain('in use')
    expect(deployment.account.domains).toEqual([deployment.domain])
  })
})
