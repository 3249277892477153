import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { acceptedIn, nextStep, versionOf } from '../../scripts/lib/rotate-secrets.mjs'
import { instanceSecrets } from '../../src/lib/secrets'
import { instanceOf, runCommand } from './instance'

const Secrets = z.record(z.string(), z.string())
const first = {
  INSTANCE_SECRET: 'a [secret], of the first days, with odd signs',
  SETUP_TOKEN: 'kept as it is',
}

let folder = ''
let file = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fieldfare-secrets-'))
  file = join(folder, 'secrets.json')
  writeFileSync(file, JSON.stringify(first))
  return () => rmSync(folder, { recursive: true, force: true })
})
const stored = () => Secrets.parse(JSON.parse(readFileSync(file, 'utf8')))

/** Secrets as the server reads them from its variables. */
const serverOf = (secrets: z.output<typeof Secrets>) =>
  instanceSecrets(secrets['INSTANCE_SECRET'] ?? '', acceptedIn(secrets))

describe('a rotation of secrets', () => {
  it('names secrets like the server', () => {
    expect(versionOf(first.INSTANCE_SECRET)).toBe(instanceSecrets(first.INSTANCE_SECRET).current.version)
  })

  it('accepts the next secret of a deployed server before it is current', () => {
    const introduced = nextStep(first)
    expect(introduced.step).toBe('introduced')
    const [before, during] = [serverOf(first), serverOf(introduced.secrets)]
    expect(during.current).toEqual(before.current)
    expect(during.accepted.map(({ text }) => text)).toEqual([first.INSTANCE_SECRET, introduced.next])
    const done = nextStep(introduced.secrets)
    expect(done).toMatchObject({ step: 'current', next: introduced.next })
    const after = serverOf(done.secrets)
    expect(after.accepted.map(({ text }) => text)).toEqual([introduced.next, first.INSTANCE_SECRET])
    expect(done.secrets['SETUP_TOKEN']).toBe(first.SETUP_TOKEN)
    expect(nextStep(done.secrets).step).toBe('introduced')
  })

  it('a rotation of secrets is one step for a single process, and can be repeated until four secrets are accepted', () => {
    let secrets: z.output<typeof Secrets> = first
    const texts = [first.INSTANCE_SECRET]
    for (let count = 1; count < 4; count += 1) {
      const { step, next, secrets: changed } = nextStep(secrets, { isAtOnce: true })
      expect(step).toBe('current')
      texts.unshift(next)
      expect(serverOf(changed).accepted.map(({ text }) => text)).toEqual(texts)
      secrets = changed
    }
    expect(() => nextStep(secrets, { isAtOnce: true })).toThrow('Drop them before the next rotation')
  })
})

describe('npx fieldfare secrets rotate', () => {
  it('prints the commands for a deployed server, and no secret', async () => {
    const words = ['secrets', 'rotate', '--file', file, '--yes']
    const introduced = await runCommand(words)
    expect(introduced).toMatchObject({ code: 0, problem: '' })
    expect(introduced.out).toContain(`npx wrangler secret bulk ${file}`)
    const second = await runCommand([...words, '--json'])
    const { INSTANCE_SECRET: current = '' } = stored()
    expect(JSON.parse(second.out)).toMatchObject({ step: 'current', version: versionOf(current) })
    for (const text of [first.INSTANCE_SECRET, current, first.SETUP_TOKEN])
      expect(introduced.out + second.out).not.toContain(text)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('changes nothing in a dry run, and without an answer', async () => {
    const words = ['secrets', 'rotate', '--folder', folder]
    const dry = await runCommand([...words, '--dry-run'])
    expect(dry).toMatchObject({ code: 0, problem: '' })
    expect(dry.out).toContain(`Current secret: ${versionOf(first.INSTANCE_SECRET)}. Former ones: none.`)
    expect((await runCommand(words)).code).toBe(2)
    expect(stored()).toEqual(first)
  })

  it('changes the file of a stopped instance', async () => {
    const { code, out } = await runCommand(['secrets', 'rotate', '--folder', folder, '--yes'])
    expect(code).toBe(0)
    expect(out).toContain('npm start')
    expect(acceptedIn(stored())).toEqual([first.INSTANCE_SECRET])
  })

  it.each(['', '{', '[]', '{"INSTANCE_SECRET":7}'])(
    'explains what is wrong with a file of %j',
    async (text) => {
      writeFileSync(file, text)
      const { code, problem } = await runCommand(['secrets', 'rotate', '--file', file, '--yes'])
      expect(code).toBe(1)
      expect(problem).toContain('holds no INSTANCE_SECRET')
    },
  )
})

describe('npx fieldfare secrets drop', () => {
  const instance = instanceOf('secrets')
  const { secrets, next } = nextStep(first, { isAtOnce: true })
  const status = (remaining: number, version = versionOf(next)) => ({
    versions: [version, versionOf(first.INSTANCE_SECRET)],
    complete: true,
    unopenable: 0,
    stores: [{ name: 'actor keys', total: 3, remaining, unknown: 0 }],
    derived_tokens: 0,
  })
  const drop = (body: object) => {
    writeFileSync(file, JSON.stringify(secrets))
    instance.answers.push({ status: 200, body })
    return instance.run('drop', '--file', file, '--yes')
  }

  it('removes former secrets once nothing is encrypted with them', async () => {
    expect(await drop(status(0))).toMatchObject({ code: 0, problem: '' })
    expect(stored()).toEqual({ ...first, INSTANCE_SECRET: next })
  })

  it('refuses while values remain, and for a server with another secret', async () => {
    const early = await drop(status(1))
    expect(early).toMatchObject({ code: 1, problem: expect.stringContaining('actor keys: 3, remaining 1') })
    const other = await drop(status(0, 'ffffffff'))
    expect(other).toMatchObject({
      code: 1,
      problem: expect.stringContaining('runs with the secret ffffffff'),
    })
    expect(stored()).toEqual(secrets)
  })
})
