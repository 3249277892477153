import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe } from 'vitest'
import * as z from 'zod'

// Debian's own: the packages belong to it, whatever other Python there is.
const python = '/usr/bin/python3'
const folder = join(import.meta.dirname, '../python/')

/** The scripts leave no compiled files behind. */
const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1' }

function isInstalled(module: string): boolean {
  if (!existsSync(python)) return false
  const found = `import importlib.util, sys; sys.exit(importlib.util.find_spec('${module}') is None)`
  try {
    execFileSync(python, ['-c', found], { stdio: 'ignore' })
    return true
  } catch (failure) {
    if (failure instanceof Error && 'status' in failure) return false
    throw failure
  }
}

const hasMastodon = isInstalled('mastodon')
const hasToot = existsSync('/usr/bin/toot') && isInstalled('toot')

/** `describe` where the Debian packages are installed; elsewhere the tests are left out, and it is said out loud. */
export const withMastodonPy = hasMastodon ? describe : describe.skip
export const withToot = hasToot ? describe : describe.skip

if (!hasMastodon) console.warn('\n  SKIPPED: no Mastodon.py; on Debian: apt-get install python3-mastodon\n')
if (!hasToot) console.warn('\n  SKIPPED: no toot; on Debian: apt-get install toot\n')

/** The names of all public methods of the installed Mastodon.py; none without it. */
export function methodsOfMastodonPy(): readonly string[] {
  return hasMastodon ? namesFrom('method_names.py') : []
}

/** The names of all commands of the installed toot; none without it. */
export function commandsOfToot(): readonly string[] {
  return hasToot ? namesFrom('command_names.py') : []
}

function namesFrom(script: string): readonly string[] {
  return z
    .array(z.string())
    .parse(JSON.parse(execFileSync(python, [`${folder}${script}`], { env, encoding: 'utf8' })))
}

interface Ended {
  readonly code: number | null
  /** Standard output and error together. */
  readonly text: string
}

/**
 * Runs a program of the folder, or one of the system by its path. `converse` sees all that it has said, whenever it
 * says more, and answers what is typed next, or null.
 */
export async function run(
  program: string,
  args: readonly string[],
  { home, converse }: { readonly home: string; readonly converse?: (said: string) => Promise<string | null> },
): Promise<Ended> {
  const [command, first] = program.endsWith('.py') ? [python, [`${folder}${program}`]] : [program, []]
  const child = spawn(command, [...first, ...args], {
    env: { ...env, XDG_CONFIG_HOME: home },
    timeout: 60_000,
  })
  let text = ''
  let turn = Promise.resolve()
  const say = (typed: string | null) => {
    if (typed !== null && child.stdin.writable) child.stdin.write(typed)
  }
  const hear = (chunk: Buffer) => {
    text += chunk.toString()
    if (converse !== undefined) turn = turn.then(async () => say(await converse(text)))
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  if (converse === undefined) child.stdin.end()
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  await turn
  return { code, text }
}

/** Runs a script that reads and prints lines of JSON; what `answer` makes of a line goes back to it. */
export async function talkTo(
  name: string,
  first: object,
  answer: (line: unknown) => Promise<object | null>,
): Promise<void> {
  const child = spawn(python, [`${folder}${name}`], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const complaints: string[] = []
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString()))
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve)
  })
  child.stdin.write(`${JSON.stringify(first)}\n`)
  for await (const line of createInterface({ input: child.stdout })) {
    const reply = await answer(JSON.parse(line))
    if (reply !== null) child.stdin.write(`${JSON.stringify(reply)}\n`)
  }
  child.stdin.end()
  const code = await ended
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${complaints.join('')}`)
}
