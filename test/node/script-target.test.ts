import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { runCommand } from './instance'

const tokens: string[] = []
let instance: Server
let origin = ''
/** Answers in place of the usual one. */
let behave: ((response: import('node:http').ServerResponse) => void) | null = null
beforeAll(async () => {
  instance = createServer((request, response) => {
    tokens.push(request.headers.authorization ?? '')
    const usual = () => response.end('[]')
    request.resume().on('end', () => (behave === null ? usual() : behave(response)))
  })
  await new Promise<void>((resolve) => instance.listen(0, '127.0.0.1', resolve))
  const address = instance.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  origin = `http://127.0.0.1:${address.port}`
})
afterAll(() => {
  instance.closeAllConnections()
  instance.close()
})

let folder = ''
beforeEach(() => {
  tokens.length = 0
  behave = null
  folder = mkdtempSync(join(tmpdir(), 'fieldfare-target-'))
  const secrets = { INSTANCE_SECRET: 'x'.repeat(43), SETUP_TOKEN: 'the token of the folder' }
  writeFileSync(join(folder, 'secrets.json'), JSON.stringify(secrets))
  return () => rmSync(folder, { recursive: true, force: true })
})

afterEach(() => {
  vi.restoreAllMocks()
})

/** Lets the test decide when the time limits of requests, in milliseconds, have passed. */
function holdTimeLimits() {
  const limits: { readonly milliseconds: number; readonly ending: AbortController }[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const ending = new AbortController()
    limits.push({ milliseconds, ending })
    return ending.signal
  })
  return {
    pass: (milliseconds: number) => {
      for (const limit of limits)
        if (limit.milliseconds <= milliseconds) limit.ending.abort(new DOMException('', 'TimeoutError'))
    },
  }
}

/** Settles when the next request from here has the head of its answer. */
function headOfAnswer(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { fetch } = globalThis
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
    const response = await fetch(...request)
    resolve()
    return response
  })
  return promise
}

const runsAt = (text: string) => writeFileSync(join(folder, 'running.json'), text)
const list = async (
  words: readonly string[],
  env: Record<string, string> = {},
  answers?: readonly string[],
) => {
  const { code, problem } = await runCommand(['accounts', 'list', ...words], {
    env,
    answers: answers ?? null,
  })
  return { code, problem: problem.trim() }
}

describe('a command', () => {
  it('finds the port of the instance that npm start runs, and its token', async () => {
    runsAt(JSON.stringify({ origin, pid: 1 }))
    expect(await list(['--folder', folder])).toEqual({ code: 0, problem: '' })
    expect(await list(['--folder', folder, '--url', origin])).toEqual({ code: 0, problem: '' })
    expect(tokens).toEqual(['Bearer the token of the folder', 'Bearer the token of the folder'])
  })

  it('sends a token of another server to that server only', async () => {
    runsAt(JSON.stringify({ origin, pid: 1 }))
    const elsewhere = { SETUP_TOKEN: 'the token of another server' }
    await list(['--folder', folder], elsewhere)
    await list(['--folder', folder, '--url', origin], elsewhere)
    await list(['--folder', folder, '--url', origin], { ...elsewhere, FIELDFARE_TOKEN: 'of an owner' })
    expect(tokens).toEqual([
      'Bearer the token of the folder',
      'Bearer the token of another server',
      'Bearer of an owner',
    ])
  })

  it('never sends the token of the folder to another address, loopback or not', async () => {
    runsAt(JSON.stringify({ origin: 'http://localhost:1', pid: 1 }))
    expect(await list(['--folder', folder, '--url', origin])).toMatchObject({ code: 1 })
    expect(tokens).toEqual([])
  })

  it('reads a token from an option, or asks for it at the terminal, and prints none', async () => {
    behave = (response) => response.writeHead(401).end('{"error":"The set-up token is wrong"}')
    const asked = await list(['--url', origin], {}, ['typed-token'])
    const named = await list(['--url', origin, '--token', 'named-token'])
    // The version of the instance is asked for without a token.
    expect(tokens).toEqual(['Bearer typed-token', '', 'Bearer named-token', ''])
    expect(JSON.stringify([asked, named])).not.toMatch(/typed-token|named-token/)
  })

  it('a command hides its arguments from process lists', async () => {
    let shown = ''
    const script = fileURLToPath(new URL('../../scripts/fieldfare.mjs', import.meta.url).href)
    behave = (response) => {
      execFile('ps', ['-eo', 'args'], (_failure, out) => {
        shown = out
        response.end('[]')
      })
    }
    const words = ['accounts', 'list', '--url', origin, '--token', 'a-token-to-hide']
    await new Promise((resolve) => execFile(process.execPath, [script, ...words], resolve))
    expect(tokens).toEqual(['Bearer a-token-to-hide'])
    expect(shown).toContain('vitest')
    expect(shown).not.toContain('a-token-to-hide')
  })

  it.each([
    ['was stopped', null],
    ['was cut off while it noted where it runs', '{"origin":'],
  ])('fails with a message where the instance %s', async (_, text) => {
    if (text !== null) runsAt(text)
    const { code, problem } = await list(['--folder', folder])
    expect(code).toBe(1)
    expect(problem).toContain(`The instance in ${folder} does not run: npm start.`)
    expect(tokens).toEqual([])
  })

  it('fails with a message where the instance was killed', async () => {
    runsAt(JSON.stringify({ origin: 'http://127.0.0.1:9', pid: 1 }))
    const { code, problem } = await list(['--folder', folder])
    expect(code).toBe(1)
    expect(problem).toContain('http://127.0.0.1:9 does not answer')
  })

  describe('fails with a message where the instance takes longer than --timeout', () => {
    const listed = () => list(['--url', origin, '--token', 't', '--timeout', '7'])
    const failure = () => ({
      code: 1,
      problem: `${origin} did not answer within 7 seconds. --timeout SECONDS waits longer.`,
    })

    it('fails before the answer', async () => {
      const limits = holdTimeLimits()
      const { promise: asked, resolve } = Promise.withResolvers<void>()
      behave = () => resolve()
      const printed = listed()
      await asked
      limits.pass(7_000)
      expect(await printed).toEqual(failure())
    })

    it('fails within the answer', async () => {
      const limits = holdTimeLimits()
      const begun = headOfAnswer()
      behave = (response) => void response.write('{"members":')
      const printed = listed()
      await begun
      limits.pass(7_000)
      expect(await printed).toEqual(failure())
    })
  })

  it('says which version an older instance needs, where that refuses what it does not know', async () => {
    const about = (apis: object) => JSON.stringify({ version: '4.6.5+fieldfare-0.1.0', api_versions: apis })
    const answers = {
      asked: ['401', '{"error":"The access token is invalid"}'],
      about: about({ mastodon: 11 }),
    }
    const invites = () => runCommand(['invites', 'list', '--url', origin, '--token', 't'])
    behave = (response) => {
      if (response.req.url === '/api/v2/instance') response.end(answers.about)
      else response.writeHead(Number(answers.asked[0])).end(answers.asked[1])
    }
    const tooOld = `${origin} runs a version of Fieldfare (4.6.5+fieldfare-0.1.0) that is older than this command: it has to offer version 1 of the administration API. Deploy this version there first, or run the command from the version that it runs.\n`
    expect(await invites()).toMatchObject({ code: 1, problem: tooOld })
    answers.asked = ['404', '{"error":"The page you are looking for is not here"}']
    expect(await invites()).toMatchObject({ code: 1, problem: tooOld })
    answers.about = about({ mastodon: 11, fieldfare: 1 })
    expect((await invites()).problem).toContain('refused (404): The page you are looking for is not here')
    const old = { code: 1, problem: tooOld.replace('version 1 of', 'version 2 of') }
    expect(
      await runCommand(['rules', 'replace', 'Be kind', '--yes', '--url', origin, '--token', 't']),
    ).toMatchObject(old)
    answers.about = '<!doctype html>'
    expect((await invites()).problem).toContain('refused (404): The page you are looking for is not here')
  })

  it.each([
    ['a page', 200, '<!doctype html>', 'is no Fieldfare server'],
    ['a redirect', 301, '', 'redirects to https://elsewhere.test/: name that address by --url.'],
    ['nothing', 502, '', 'refused (502): no reason given'],
  ])('fails with a message where the answer is %s', async (_, status, text, message) => {
    behave = (response) => response.writeHead(status, { location: 'https://elsewhere.test/' }).end(text)
    const { code, problem } = await list(['--url', origin, '--token', 't'])
    expect([code, problem]).toEqual([1, expect.stringContaining(message)])
  })

  it.each([
    [['--folder', '/nowhere/at/all'], 1, 'There is no instance in /nowhere/at/all: npm start makes one.'],
    [['--url', 'social.example.org'], 2, 'social.example.org is no address.'],
    [['--url', 'file:///etc/passwd'], 2, 'file:///etc/passwd is no address.'],
    [['--url', 'http://social.example.org'], 2, 'would send your token unencrypted: use https.'],
    [
      ['--url', 'https://social.example.org'],
      1,
      'into FIELDFARE_TOKEN, or its set-up token into SETUP_TOKEN.',
    ],
  ])('refuses %j in one line', async (words, code, line) => {
    const answer = await list(words)
    expect(answer).toEqual({ code, problem: expect.stringContaining(line) })
    expect(answer.problem).not.toMatch(/\n {4}at /)
  })
})
