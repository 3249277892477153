import { generateKeyPairSync } from 'node:crypto'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { root } from '../../../scripts/lib/server.mjs'
import { Deployment } from '../support/deployment'

/** Deployments by the real wrangler to an account that exists on this machine alone, and answers as Cloudflare's do. */

let deployment: Deployment
beforeEach(async () => {
  deployment = await Deployment.open()
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
] as const

const making = (changes: readonly string[]) =>
  changes.filter((change) => /(d1\/database|buckets|queues)$/.test(change))

describe('npm run deploy', () => {
  it('goes on after a failure of each step to an open server, and makes nothing twice', async () => {
    const { account, answers, domain, clone } = deployment
    for (const [on, code, title, advice] of faults) {
      account.fault = { on, times: 1, code, error: 'Refused' }
      const { failure } = await deployment.deploy(answers)
      expect(failure).toContain(`"${title}`)
      expect(failure).toContain(advice)
      expect(failure).not.toContain('    at ')
    }
    const { text, failure } = await deployment.deploy()
    expect(failure).toBeNull()
    expect(text).toMatch(/name {6}alice\n {4}password {2}\S{10,}/)
    expect(text).toContain(`Your server is open: https://${domain}`)
    const person = `WebFinger of alice@${domain}`
    for (const name of [
      'health',
      'NodeInfo',
      person,
      'actor and its key',
      'requests are signed by the published key',
      'signed requests are verified, and forged ones refused',
      'media, stored and served',
    ])
      expect(text).toContain(`ok      ${name}`)
    for (const secret of account.secrets.values()) expect(text).not.toContain(secret)
    expect(making(deployment.changesSince(0))).toEqual([
      'POST /d1/database',
      'POST /r2/buckets',
      'POST /queues',
      'POST /queues',
    ])
    const [before, secrets] = [account.changes.length, new Map(account.secrets)]
    const again = await deployment.deploy()
    expect(again).toMatchObject({ failure: null, text: expect.stringContaining('The server has an owner.') })
    expect(again.text).not.toContain('password')
    expect(making(deployment.changesSince(before))).toEqual([])
    expect(account.secrets).toEqual(secrets)
    expect(account.unknown).toEqual([])
    for (const name of ['wrangler.toml', 'package.json', 'tsconfig.json'])
      expect(readFileSync(join(clone, name), 'utf8')).toBe(readFileSync(join(root, name), 'utf8'))
  }, 300_000)

  it('upgrades with migrations before the code, and goes back', async () => {
    const { account, answers, clone } = deployment
    expect((await deployment.deploy(answers)).failure).toBeNull()
    const first = account.versions.at(-1)
    writeFileSync(join(clone, 'migrations/9999_birds.sql'), 'CREATE TABLE birds (id INTEGER PRIMARY KEY);')
    account.fault = { on: /^PUT .*\/scripts\/fieldfare$/, times: 1, code: 10_021, error: 'No main module' }
    const { failure } = await deployment.deploy()
    expect(failure).toContain('npm run rollback')
    expect(failure).toContain('9999_birds.sql only added to it')
    expect(deployment.query('SELECT count(*) AS count FROM birds')).toEqual([{ count: 0 }])
    expect(account.versions.at(-1)).toBe(first)
    expect((await deployment.deploy()).failure).toBeNull()
    expect(account.versions.at(-1)).not.toBe(first)

    expect((await deployment.rollBack({})).failure).toContain('add --yes')
    const before = account.changes.length
    const back = await deployment.rollBack({ yes: true })
    expect(back).toMatchObject({ failure: null, text: expect.stringContaining('runs the version of before') })
    expect(account.versions.at(-1)).toBe(first)
    expect(deployment.changesSince(before).filter((change) => change.includes('time_travel'))).toEqual([])
    const withData = await deployment.rollBack({ yes: true, data: true })
    expect(withData.text).toContain('ALL THAT WAS WRITTEN SINCE')
    expect(deployment.changesSince(before).some((change) => change.endsWith('/time_travel/restore'))).toBe(
      true,
    )
    appendFileSync(
      join(clone, 'wrangler.toml'),
      '\n[[migrations]]\ntag = "v9"\nnew_sqlite_classes = ["Vault"]\n',
    )
    expect((await deployment.rollBack({ yes: true })).failure).toContain(
      'Cloudflare cannot go back behind that',
    )
  }, 300_000)

  it('tells what is wrong with signatures: keys, what lies before the server, or its judgement', async () => {
    expect((await deployment.deploy(deployment.answers)).failure).toBeNull()
    expect(await deployment.problems()).toEqual({})
    const [signs, verifies] = [
      'requests are signed by the published key',
      'signed requests are verified, and forged ones refused',
    ]
    const pathOf = (request: Request) => new URL(request.url).pathname
    const { publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })

    deployment.between = async (request, send) => {
      const answer = await send(request)
      if (pathOf(request) !== '/actor') return answer
      return Response.json({
        ...z.looseObject({}).parse(await answer.json()),
        publicKey: { publicKeyPem: publicKey },
      })
    }
    expect(await deployment.problems()).toEqual({ [signs]: expect.stringContaining('does not fit') })

    for (const header of ['signature', 'digest', 'date', 'content-digest']) {
      deployment.between = (request, send) => {
        if (pathOf(request) === '/setup/keys/verify') request.headers.delete(header)
        return send(request)
      }
      expect(await deployment.problems(), header).toEqual({
        [verifies]: expect.stringContaining('a signed request was refused'),
      })
    }

    deployment.between = async (request, send) => {
      if (pathOf(request) === '/setup/keys/verify') return Response.json({})
      if (pathOf(request) === '/inbox') return new Response(null, { status: 202 })
      return send(request)
    }
    expect(await deployment.problems()).toEqual({
      'an activity without proof is refused': expect.stringContaining('answered with 202'),
      [verifies]: 'a request signed by another key was answered with 200 (cavage)',
    })

    deployment.between = async (request, send) =>
      pathOf(request) === '/setup/keys/sign'
        ? Response.json({ error: 'The actor key has an unknown format' }, { status: 500 })
        : send(request)
    expect(await deployment.problems()).toEqual({
      [signs]: expect.stringContaining('the server cannot sign (500)'),
      [verifies]: 'it signed none',
    })
  })

  it('does without what the account lacks, says so, and looks again with the next deployment', async () => {
    const { account, answers, clone } = deployment
    account.hasQueues = false
    const configuration = () => readFileSync(join(clone, 'wrangler.local.toml'), 'utf8')
    const first = await deployment.deploy({ ...answers, without: 'images' })
    expect(first.failure).toBeNull()
    expect(first.text).toContain('note    Your account has no queues: jobs run by Durable Objects instead')
    expect(first.text).toMatch(/Without images: pictures are kept as uploaded.*\n {2}Without queues: jobs/)
    expect(configuration()).not.toMatch(/queues|"IMAGES"/)
    expect(configuration()).toContain('class_name = "JobQueue"')
    account.hasQueues = true
    const second = await deployment.deploy({ without: 'none' })
    expect(second.text).not.toContain('Without')
    expect(configuration()).toMatch(/"IMAGES"[\s\S]*queue = "fieldfare-jobs-dead"/)
    expect((await deployment.deploy({ without: 'pictures' })).failure).toBe(
      'pictures is no service: --without takes images, email, queues or none.',
    )
  }, 300_000)

  it('changes nothing where nobody is signed in, or where values differ from those of before', async () => {
    const { account, answers } = deployment
    account.isSignedIn = false
    const { failure } = await deployment.deploy(answers)
    expect(failure).toContain('You are not signed in to Cloudflare: npx wrangler login')
    expect((await deployment.deploy({ domain: 'other.example.org' })).failure).toContain(
      'so it cannot change',
    )
    expect((await deployment.deploy({ name: 'other' })).failure).toContain('it would have no data')
    expect(account.changes).toEqual([])
  })
})
