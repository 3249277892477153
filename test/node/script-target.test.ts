import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const script = fileURLToPath(new URL('../../scripts/members.mjs', import.meta.url).href)

const tokens: string[] = []
let instance: Server
let origin = ''
beforeAll(async () => {
  instance = createServer((request, response) => {
    tokens.push(request.headers.authorization ?? '')
    request.resume().on('end', () => response.end(JSON.stringify({ members: [], next: null })))
  })
  await new Promise<void>((resolve) => instance.listen(0, '127.0.0.1', resolve))
  const address = instance.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  origin = `http://127.0.0.1:${address.port}`
})
afterAll(() => void instance.close())

let folder = ''
beforeEach(() => {
  tokens.length = 0
  folder = mkdtempSync(join(tmpdir(), 'fieldfare-target-'))
  const secrets = { INSTANCE_SECRET: 'x'.repeat(43), SETUP_TOKEN: 'the token of the folder' }
  writeFileSync(join(folder, 'secrets.json'), JSON.stringify(secrets))
  return () => rmSync(folder, { recursive: true, force: true })
})

const runsAt = (text: string) => writeFileSync(join(folder, 'running.json'), text)

function list(words: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const env = { ...process.env, ...variables }
  return new Promise<{ code: number | null; problem: string }>((resolve) => {
    const child = execFile(process.execPath, [script, 'list', ...words], { env }, (_failure, _out, problem) =>
      resolve({ code: child.exitCode, problem: problem.trim() }),
    )
  })
}

describe('a command', () => {
  it('finds the port of the instance that npm start runs, and its token', async () => {
    runsAt(JSON.stringify({ origin, pid: 1 }))
    expect(await list(['--folder', folder])).toEqual({ code: 0, problem: '' })
    expect(tokens).toEqual(['Bearer the token of the folder'])
  })

  it('sends a set-up token that is meant for another server to that server only', async () => {
    runsAt(JSON.stringify({ origin, pid: 1 }))
    const elsewhere = { SETUP_TOKEN: 'the token of another server' }
    await list(['--folder', folder], elsewhere)
    await list(['--folder', folder, '--url', origin], elsewhere)
    expect(tokens).toEqual(['Bearer the token of the folder', 'Bearer the token of another server'])
  })

  it.each([
    ['was stopped', null],
    ['was cut off while it noted where it runs', '{"origin":'],
  ])('fails with a message where the instance %s', async (_, text) => {
    if (text !== null) runsAt(text)
    const { code, problem } = await list(['--folder', folder])
    expect(code).toBe(1)
    expect(problem).toContain('The local instance does not run: npm start.')
    expect(tokens).toEqual([])
  })

  it('fails with a message where the instance was killed', async () => {
    runsAt(JSON.stringify({ origin: 'http://127.0.0.1:9', pid: 1 }))
    const { code, problem } = await list(['--folder', folder])
    expect(code).toBe(1)
    expect(problem).toContain('http://127.0.0.1:9 does not answer')
  })

  it.each([
    [['--folder', '/nowhere/at/all'], 'There is no local instance yet: npm start makes one.'],
    [['--url', 'social.example.org'], 'social.example.org is no address.'],
    [
      ['--url', 'https://social.example.org'],
      'Put the set-up token of https://social.example.org into SETUP_TOKEN.',
    ],
  ])('refuses %j in one line', async (words, line) => {
    const { code, problem } = await list(words)
    expect(code).toBe(1)
    expect(problem).toContain(line)
    expect(problem).not.toContain('    at ')
  })
})
