import { generateKeyPairSync } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { root, type Server } from '../../../scripts/lib/server.mjs'
import { AccountApi } from '../support/account-api'
import { startDeployedWorker } from '../support/deployed-worker'
import { Deployment } from '../support/deployment'

/**
 * Deployments by a stand-in for wrangler to an account that exists on this machine alone. The address leads to one Worker
 * for all of them. deploy-documents.test.ts deploys with the real wrangler.
 */

const domain = 'social.example.org'
const folder = mkdtempSync(join(tmpdir(), 'fieldfare-deployed-'))
let worker: Server
let deployment: Deployment
beforeAll(async () => {
  const account = new AccountApi()
  for (const name of ['INSTANCE_SECRET', 'SETUP_TOKEN'])
    account.secrets.set(name, `${name} of `.padEnd(43, 'x'))
  worker = await startDeployedWorker(folder, { account, domain })
})
afterAll(async () => {
  await worker?.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})
beforeEach(async () => {
  deployment = await Deployment.open(domain, async () => worker)
})
afterEach(() => deployment.close())

const making = (changes: readonly string[]) =>
  changes.filter((change) => /(d1\/database|buckets|queues)$/.test(change))

describe('npm run deploy', () => {
  it('continues after a failure to an open server, checks it from outside, and changes nothing twice', async () => {
    const { account, answers, clone } = deployment
    account.fault = { on: /^PUT .*\/domains\/records$/, times: 1, code: 10_013, error: 'Refused' }
    expect((await deployment.deploy(answers)).failure).toContain('"Deploy the Worker" did not succeed')
    const { text, failure } = await deployment.deploy()
    expect(failure).toBeNull()
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
    const [before, secrets] = [account.changes.length, new Map(account.secrets)]
    const again = await deployment.deploy()
    expect(again).toMatchObject({ failure: null, text: expect.stringContaining('The server has an owner.') })
    expect(again.text).not.toContain('password')
    expect(making(deployment.changesSince(before))).toEqual([])
    expect(account.secrets).toEqual(secrets)
    expect(account.unknown).toEqual([])
    for (const name of ['wrangler.full.toml', 'package.json', 'tsconfig.json'])
      expect(readFileSync(join(clone, name), 'utf8')).toBe(readFileSync(join(root, name), 'utf8'))
  })

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
      join(clone, 'wrangler.full.toml'),
      '\n[[migrations]]\ntag = "v9"\nnew_sqlite_classes = ["Vault"]\n',
    )
    expect((await deployment.rollBack({ yes: true })).failure).toContain(
      'Cloudflare cannot go back behind that',
    )
  })

  it('reports problems with signatures: keys, the proxy before the server, or its verification', async () => {
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

  it('deploys without missing services, names them, and checks again with the next deployment', async () => {
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
  })
})
