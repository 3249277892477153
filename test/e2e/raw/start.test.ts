import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { quiet, root } from '../../../scripts/lib/server.mjs'
import { freePort } from '../support/instance'

const made: { readonly folder: string; readonly child: ChildProcess }[] = []
afterAll(async () => {
  for (const { child } of made) if (child.exitCode === null) child.kill('SIGTERM')
  await Promise.all(made.map(({ child }) => ended(child)))
  for (const { folder } of made) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const newFolder = () => mkdtempSync(join(tmpdir(), 'fieldfare-run-'))

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    if (child.exitCode === null) child.once('exit', resolve)
    else resolve(child.exitCode)
  })
}

/** `npm start` in a folder, with everything it says. */
async function start(folder: string, ...words: readonly string[]) {
  const port = await freePort()
  const args = [join(root, 'scripts/start.mjs'), '--folder', folder, '--port', String(port), ...words]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...quiet },
  })
  made.push({ folder, child })
  const said: string[] = []
  const open = new Promise<boolean>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said.push(chunk.toString())
        if (said.join('').includes(`Fieldfare is open at http://localhost:${port}`)) resolve(true)
      })
    child.once('exit', () => resolve(false))
  })
  return { child, open, words: () => said.join('') }
}

function run(script: string, ...words: readonly string[]) {
  return new Promise<string>((resolve, reject) =>
    execFile(process.execPath, [join(root, 'scripts', script), ...words], (failure, out) =>
      failure === null ? resolve(out) : reject(failure),
    ),
  )
}

/** The processes that one started, by what Linux knows of them. */
function childrenOf({ pid }: ChildProcess): readonly number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return list.split(' ').map(Number)
}

/** Overwrites the database of a folder, and what it wrote ahead of it. */
function spoilDatabase(folder: string): void {
  const store = join(folder, 'v3/d1')
  for (const name of readdirSync(store, { recursive: true, encoding: 'utf8' })) {
    if (/-(wal|shm)$/.test(name)) rmSync(join(store, name))
    if (name.endsWith('.sqlite')) writeFileSync(join(store, name), 'no database')
  }
}

describe('npm start', () => {
  it('writes where it runs for commands, refuses a second on its data, and ends with 0 on a signal', async () => {
    const folder = newFolder()
    const first = await start(folder)
    expect(await first.open).toBe(true)
    expect(await run('members.mjs', 'list', '--folder', folder)).toMatch(/^owner {2}\S+ {2}active .*Owner$/m)
    const second = await start(folder)
    expect(await ended(second.child)).toBe(1)
    expect(second.words()).toContain('This instance is running already')
    first.child.kill('SIGTERM')
    expect(await ended(first.child)).toBe(0)
    expect(existsSync(join(folder, 'running.json'))).toBe(false)
  })

  it('fails where no owner can be made', async () => {
    const { child, words } = await start(newFolder(), '--owner', 'not a name')
    expect(await ended(child)).toBe(1)
    expect(words()).toContain(
      'This instance has no owner, and the account not a name could not be made: Validation',
    )
    expect(words()).not.toContain('    at ')
  })

  it('fails on bad secrets, with the error of the server', async () => {
    const folder = newFolder()
    const secrets = { INSTANCE_SECRET: 'short', SETUP_TOKEN: 'a token of more than enough' }
    writeFileSync(join(folder, 'secrets.json'), JSON.stringify(secrets))
    const { child, words } = await start(folder)
    expect(await ended(child)).toBe(1)
    expect(words()).toContain(
      'INSTANCE_SECRET cannot be used: it has to be a secret of 32 characters or more.',
    )
  })

  it('fails where the database cannot be migrated', async () => {
    const folder = newFolder()
    const once = await start(folder, '--owner', 'not a name')
    await ended(once.child)
    spoilDatabase(folder)
    const { child, open, words } = await start(folder)
    expect(await open).toBe(false)
    expect(await ended(child)).toBe(1)
    expect(words()).toContain('The database could not be migrated:')
  })

  it.runIf(process.platform === 'linux')('fails where the server stops by itself', async () => {
    const folder = newFolder()
    const { child, open, words } = await start(folder)
    expect(await open).toBe(true)
    for (const pid of childrenOf(child)) process.kill(pid, 'SIGKILL')
    expect(await ended(child)).not.toBe(0)
    expect(words()).toContain('The server stopped by itself')
    expect(existsSync(join(folder, 'running.json'))).toBe(false)
  })
})
