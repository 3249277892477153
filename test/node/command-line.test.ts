import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { documentOf } from '../../scripts/lib/command-line/document.mjs'
import { type Command, commandsOf, loadRegistry } from '../../scripts/lib/command-line/registry.mjs'
import staffCommands from '../data/staff-commands.json' with { type: 'json' }
import { checkEach } from '../support/check-each'
import { runCommand } from './instance'

const registry = await loadRegistry()
const commands = commandsOf(registry)
const nowhere = ['--folder', '/nowhere/at/all']
const noInstance = `There is no instance in ${nowhere[1]}: npm start makes one.
One in another folder of this machine is named by --folder FOLDER, a server elsewhere by --url https://HOST.`
/** Words that some schema of an argument refuses, and that no other may fail on in a worse way. */
const hostile = [
  '',
  ' ',
  '-1',
  'null',
  '__proto__',
  'toString',
  '\u001b[2J',
  'x'.repeat(5_000),
  '%00',
  '{"a":1}',
]

const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })

const nameOf = ({ path }: Command) => path.join(' ')
const readable = (text: string) => {
  expect(text).not.toMatch(
    /\n\s+at .*:\d+:\d+|node:internal|\bTypeError\b|\bZodError\b|\[object Object\]|undefined/,
  )
  expect(text.trim()).not.toBe('')
}

describe('the registry', () => {
  it('the registry has a command for every staff endpoint', () => {
    const named = [...new Set(Object.values(staffCommands))]
    expect(named.filter((name) => !commands.some((command) => nameOf(command) === name))).toEqual([])
  })

  it('the registry has a command or a group from each file, under its own name', () => {
    const names = [...registry.groups, ...registry.singles].map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThanOrEqual(readdirSync('scripts/commands').length)
    expect(commands.length).toBeGreaterThan(90)
  })

  it('the registry has commands that declare themselves', async () => {
    await checkEach(commands, { name: nameOf }, (command) => {
      const { args, options, summary, name } = command
      expect(name).toMatch(/^[a-z0-9-]+$/)
      expect(summary).toMatch(/^[A-Z].*[^.]$/)
      for (const { about } of [...args, ...Object.values(options)]) expect(about).toMatch(/^[A-Za-z].*[^.]$/)
      // Positions after one that may be missing could not be told apart.
      const kinds = args.map(({ kind }) => kind)
      expect(kinds.join(' ')).toMatch(/^(one ?)*((optional ?)*|several)$/)
      expect(command.result.safeParse(Symbol('no result')).success).toBe(false)
    })
  })
})

describe('the routes that commands call', () => {
  const calls = [...new Set(commands.flatMap((command) => command.calls))]

  it('the routes that commands call are endpoints of the API, but for those below /setup', () => {
    const { paths } = Document.parse(JSON.parse(readFileSync('public/openapi.json', 'utf8')))
    const isKnown = (call: string) => {
      const [method = '', path = ''] = call.split(' ')
      return Object.hasOwn(paths[path.replaceAll(/:(\w+)/g, '{$1}')] ?? {}, method.toLowerCase())
    }
    const api = calls.filter((call) => !call.includes(' /setup/'))
    expect(api.length).toBeGreaterThan(120)
    expect(api.filter((call) => !isKnown(call))).toEqual([])
  })

  it('the routes that commands call are below /setup only in these groups', () => {
    const groups = calls.flatMap((call) => / \/setup\/([\w-]+)/.exec(call)?.[1] ?? [])
    expect([...new Set(groups)].toSorted()).toEqual(['backups', 'owner', 'secrets', 'tokens'])
  })
})

describe('help', () => {
  it('lists groups, of a group its commands, and exits with 0', async () => {
    const root = await runCommand(['--help'])
    expect(root).toMatchObject({ code: 0, problem: '' })
    for (const { name } of [...registry.groups, ...registry.singles]) expect(root.out).toContain(`  ${name} `)
    for (const group of registry.groups) {
      const { code, out } = await runCommand([group.name, '--help'])
      expect(code).toBe(0)
      for (const { name } of group.commands) expect(out).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'))
      expect(await runCommand(['help', group.name])).toMatchObject({ code: 0, out })
      expect(await runCommand([group.name])).toMatchObject({ code: 2, out: '', problem: out })
    }
  })

  it('help of a command names each argument and option, and calls nothing', async () => {
    await checkEach(commands, { name: nameOf }, async (command) => {
      const { code, out, problem } = await runCommand([...command.path, '--help', ...nowhere])
      expect([code, problem]).toEqual([0, ''])
      expect(out.split('\n')[0]).toContain(`npx fieldfare ${nameOf(command)}`)
      for (const { name } of command.args) expect(out).toContain(`  ${name}`)
      for (const name of [...Object.keys(command.options), 'json', 'url', 'token'])
        expect(out).toContain(`--${name}`)
      expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120)
      expect((await runCommand(['help', ...command.path])).out).toBe(out)
    })
  })
})

describe('wrong arguments', () => {
  it.each([
    [['nope'], 'There is no command nope.'],
    [['toString'], 'There is no command toString.'],
    [['accounts', '__proto__'], 'There is no command accounts __proto__.'],
    [['help', 'nope'], 'There is no command nope.'],
  ])('exits with 2 for %j', async (words, line) => {
    const { code, out, problem } = await runCommand(words)
    expect([code, out]).toEqual([2, ''])
    expect(problem).toContain(line)
    readable(problem)
  })

  it('exits with 2 for wrong arguments of any command, without a stack trace', async () => {
    await checkEach(commands, { name: nameOf }, async (command) => {
      const { path, args } = command
      const least = args.filter(
        ({ kind, least: fewest = 1 }) => kind === 'one' || (kind === 'several' && fewest > 0),
      )
      const most = args.at(-1)?.kind === 'several' ? Number.POSITIVE_INFINITY : args.length
      const wrong = [
        ['--no-such-option'],
        ['--timeout', 'soon'],
        ['--url'],
        ['--json=maybe'],
        ...(least.length > 0 ? [Array.from({ length: least.length - 1 }, () => '1')] : []),
        ...(most < 100 ? [Array.from({ length: most + 1 }, () => '1')] : []),
      ]
      for (const words of wrong) {
        const { code, out, problem } = await runCommand([...path, ...words, ...nowhere])
        expect({ words, code, out }).toEqual({ words, code: 2, out: '' })
        readable(problem)
      }
    })
  })

  it('fails with one sentence for hostile arguments of any command', async () => {
    await checkEach(commands, { name: nameOf }, async ({ path, args, options }) => {
      const texts = Object.entries(options).filter(([, { type }]) => type === 'string')
      for (const text of hostile) {
        const named = texts.map(([name]) => `--${name}=${text}`)
        const words = [...named, ...nowhere, '--', ...args.map(() => text)]
        const { code, out, problem } = await runCommand([...path, ...words])
        expect([1, 2]).toContain(code)
        expect(out).toBe('')
        readable(problem)
      }
    })
  })

  it('prints errors as JSON on request', async () => {
    const { out, problem } = await runCommand(['accounts', 'list', '--json', ...nowhere])
    expect(out).toBe('')
    expect(JSON.parse(problem)).toEqual({ error: noInstance })
  })
})

describe('an action that is hard to undo', () => {
  const destroying = commands.filter(({ destroys }) => destroys !== null)

  it('asks, and accepts --yes and --dry-run', async () => {
    expect(destroying.length).toBeGreaterThan(10)
    for (const { options, asks } of destroying)
      expect(Object.keys(options)).toEqual(expect.arrayContaining([...(asks ? ['yes'] : []), 'dry-run']))
  })

  // Acts that can be taken back, or end nothing, in spite of their words.
  const harmless: Readonly<Record<string, string>> = {
    'accounts reset-link': 'the password stays until the link is used',
    'accounts import-archive': 'deletes its own token alone',
    'imports list': 'reads',
    'accounts silence': 'unsilence',
    'appeals reject': 'leaves the action as it is',
    'blocks add': 'blocks remove',
    'blocks change': 'the command itself, with the former values',
    'blocks list': 'reads',
    'blocks remove': 'blocks add',
    'blocks test': 'reads',
    'counters rebuild': 'counts what is there',
    'couriers retry': 'delivers what waits',
    'domains disallow': 'domains allow',
    'domains ended': 'reads',
    'domains lift': 'domains limit',
    'domains lists': 'reads',
    'domains reject': 'the next run of the list proposes them again',
    'domains subscribe': 'domains unsubscribe',
    'domains unexcept': 'domains except',
    'emojis disable': 'emojis enable',
    'queues retry': 'runs what waits',
    'relays disable': 'relays enable',
    'search reindex': 'indexes what is there',
    'trends reject': 'trends approve',
    'webhooks disable': 'webhooks enable',
  }
  /** Method and last part of a route: `DELETE :id`. */
  const actOf = (call: string) => call.replace(/ .*\//, ' ')
  const words =
    /DELETE |\b(remove|delete|drop|reset|revoke|rotate|suspend|reject|disable|clean|rebuild|end|purge|clear|retry|block|limit|expire|leave|import|silence)/

  it('asks for each command whose text says it cannot be undone, except those listed with their reason', () => {
    const silent = commands
      .filter(
        ({ destroys, calls, path }) =>
          destroys === null && words.test([path.join(' '), ...calls.map(actOf)].join(' ')),
      )
      .map(nameOf)
    expect(silent.toSorted()).toEqual(Object.keys(harmless).toSorted())
  })

  it('retries dead letters without a question, and shows them in a dry run', async () => {
    const retry = commands.find(({ path }) => path.join(' ') === 'queues retry-dead-letters')
    expect(Object.keys(retry?.options ?? {})).toEqual(['all', 'kind', 'dry-run'])
  })

  it('changes nothing without an answer, for no, and in a dry run', async () => {
    const words = ['accounts', 'delete', 'ada', ...nowhere]
    const sentence = 'This would delete for good all data of ada.'
    expect(await runCommand(words)).toMatchObject({ code: 2, problem: expect.stringContaining(sentence) })
    expect(await runCommand(words, { answers: ['n'] })).toMatchObject({
      code: 1,
      problem: 'Nothing was changed.\n',
    })
    expect(await runCommand([...words, '--dry-run'])).toMatchObject({
      code: 0,
      out: `${sentence}\nNothing was changed.\n`,
    })
    const json = await runCommand([...words, '--dry-run', '--json'])
    expect(JSON.parse(json.out)).toEqual({
      dry_run: true,
      would: 'delete for good all data of ada',
      effects: null,
    })
    // Goes on to look for the instance.
    expect(await runCommand(words, { answers: ['yes'] })).toMatchObject({
      code: 1,
      problem: `${noInstance}\n`,
    })
    expect(await runCommand([...words, '--yes'])).toMatchObject({ code: 1, problem: `${noInstance}\n` })
  })
})

it('docs/operate/command-line.md matches the declarations', async () => {
  await expect(documentOf(registry)).toMatchFileSnapshot('../../docs/operate/command-line.md')
})

it('documents name only commands that exist', () => {
  const files = [...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`)]
  const texts = [
    ...files.filter((name) => name.endsWith('.md')),
    'README.md',
    'CHANGELOG.md',
    'FEDERATION.md',
  ].map((name) => readFileSync(name, 'utf8'))
  const named = texts.flatMap((text) =>
    [...text.matchAll(/npx fieldfare ([a-z-]+)(?: ([a-z0-9-]+))?/g)].map(([, first, second]) => [
      first,
      second,
    ]),
  )
  const groups = new Map(registry.groups.map(({ name, commands: own }) => [name, own.map((one) => one.name)]))
  const singles = registry.singles.map(({ name }) => name)
  expect(named.length).toBeGreaterThan(40)
  const unknown = named.filter(([first = '', second]) => {
    if (singles.includes(first)) return false
    return !groups.has(first) || (second !== undefined && !groups.get(first)?.includes(second))
  })
  expect(unknown).toEqual([])
})

it('the process ends with the exit code, with the result on stdout and problems on stderr', () => {
  const run = (...words: string[]) =>
    execFileSync(process.execPath, ['scripts/fieldfare.mjs', ...words], { stdio: 'pipe' })
  expect(run('--version').toString()).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(() => run('accounts', 'list', '--nope')).toThrow(
    expect.objectContaining({ status: 2, stdout: Buffer.from('') }),
  )
})
