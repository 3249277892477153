import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { childrenOf, killNow } from '../../../scripts/lib/processes.mjs'
import { quiet, root, setup, startServer } from '../../../scripts/lib/server.mjs'
import { runCommand } from '../../node/instance'
import { freePort } from '../support/instance'
import { fillInstanceFolder, newInstanceFolder } from '../support/instance-folder'
import { eventually } from '../support/receiver'

const made: { readonly folder: string; readonly child: ChildProcess }[] = []
afterAll(async () => {
  for (const { child } of made) child.kill('SIGTERM')
  await Promise.all(made.map(({ child }) => ended(child)))
  for (const { folder } of made) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const newFolder = () => newInstanceFolder('fieldfare-run-')

/** Folder with a migrated database: applying all migrations takes seconds. */
async function migratedFolder(): Promise<string> {
  const folder = newFolder()
  await fillInstanceFolder(folder)
  return folder
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    if (child.exitCode === null && child.signalCode === null) child.once('exit', resolve)
    else resolve(child.exitCode)
  })
}

/** `npm start` in a folder, with everything it says. */
async function start(folder: string, ...options: readonly string[]) {
  const port = await freePort()
  const args = [join(root, 'scripts/start.mjs'), '--folder', folder, '--port', String(port), ...options]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...quiet },
  })
  made.push({ folder, child })
  let words = ''
  const heard = new EventEmitter()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      words += chunk
      heard.emit('more')
    })
  child.once('close', () => heard.emit('more'))
  /** Whether it says a text before it ends. */
  const says = async (text: string) => {
    while (!words.includes(text)) {
      if (child.stdout.closed && child.stderr.closed) return false
      await once(heard, 'more')
    }
    return true
  }
  const open = says(`Fieldfare is open at http://localhost:${port}`)
  return { child, folder, open, origin: `http://localhost:${port}`, says, words: () => words }
}

type Started = Awaited<ReturnType<typeof start>>

const Secrets = z.object({ SETUP_TOKEN: z.string() })

/** A command on the instance of a folder, in a process of its own. */
function runScript(folder: string, ...words: readonly string[]) {
  return new Promise<string>((resolve, reject) =>
    execFile(
      process.execPath,
      [join(root, 'scripts/fieldfare.mjs'), ...words, '--folder', folder],
      (failure, out) => (failure === null ? resolve(out) : reject(failure)),
    ),
  )
}

/** A command on the instance of a folder, in this process. */
async function run(folder: string, ...words: readonly string[]): Promise<string> {
  const { code, out, problem } = await runCommand([...words, '--folder', folder])
  expect({ code, problem }).toEqual({ code: 0, problem: '' })
  return out
}

/** Kills the process of the server, or the runtime below it, as a machine without memory does. */
function killBelow({ pid }: ChildProcess, depth: 1 | 2): void {
  const servers = childrenOf(Number(pid))
  const killed = depth === 1 ? servers : servers.flatMap(childrenOf)
  expect(killed).not.toEqual([])
  for (const one of killed) killNow(one)
}

/** A published status of a new account, readable by its address. */
async function publish({ origin, folder }: Started): Promise<string> {
  const { SETUP_TOKEN } = Secrets.parse(JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')))
  const made = await setup({ origin, secrets: { SETUP_TOKEN } }, 'POST', 'account', { username: 'wren' })
  const { token } = z.object({ token: z.string() }).parse(made.body)
  const answer = await fetch(`${origin}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'Still here' }),
  })
  const { id } = z.object({ id: z.string() }).parse(await answer.json())
  return `${origin}/api/v1/statuses/${id}`
}

/** Waits until an address answers with 200. */
function recovery(address: string): Promise<void> {
  return eventually(async () => expect((await fetch(address)).status).toBe(200))
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
  it('writes its address for commands, refuses a second start on its data, and restarts after kills until a signal ends it', async () => {
    const folder = newFolder()
    const first = await start(folder)
    expect(await first.open).toBe(true)
    expect(await runScript(folder, 'accounts', 'list')).toMatch(/^owner {2}\S+ {2}active .*Owner$/m)
    const second = await start(folder)
    expect(await ended(second.child)).toBe(1)
    expect(await second.says('This instance is running already')).toBe(true)

    const address = await publish(first)
    killBelow(first.child, 2)
    await recovery(address)
    expect(await first.says('The runtime ended by itself, and was started again.')).toBe(true)
    killBelow(first.child, 1)
    expect(await first.says('The server is open again')).toBe(true)
    expect((await fetch(address)).status).toBe(200)
    expect(first.words()).toContain('The server stopped by itself (killed). Starting it again ...')

    first.child.kill('SIGTERM')
    expect(await ended(first.child)).toBe(0)
    expect(existsSync(join(folder, 'running.json'))).toBe(false)
    await expect(fetch(address)).rejects.toThrow('fetch failed')
  })

  it('reads secrets replaced while it runs, continues without them where told to, and leaves no process when killed', async () => {
    const folder = await migratedFolder()
    const first = await start(folder)
    expect(await first.open).toBe(true)
    const address = await publish(first)
    expect(await run(folder, 'secrets', 'rotate', '--yes')).toContain('actor keys: 2, remaining 0')
    expect((await fetch(address)).status).toBe(200)
    await run(folder, 'secrets', 'drop', '--yes')
    first.child.kill('SIGTERM')
    await ended(first.child)
    rmSync(join(folder, 'secrets.json'))
    const refused = await start(folder)
    expect(await ended(refused.child)).toBe(1)
    const renewed = await start(folder, '--new-secrets')
    expect(await renewed.open).toBe(true)
    expect(await run(folder, 'secrets', 'reseal')).toContain('actor keys: 2, remaining 0')

    renewed.child.kill('SIGKILL')
    await ended(renewed.child)
    await eventually(() => expect(fetch(`${renewed.origin}/health`)).rejects.toThrow('fetch failed'))
  })

  it('fails where no owner can be created, and where the database cannot be migrated', async () => {
    const folder = await migratedFolder()
    const ownerless = await start(folder, '--owner', 'not a name')
    expect(await ended(ownerless.child)).toBe(1)
    const why =
      'This instance has no owner, and the account not a name could not be made: --owner must be letters'
    expect(await ownerless.says(why)).toBe(true)
    expect(ownerless.words()).not.toContain('    at ')
    spoilDatabase(folder)
    const { child, open, says } = await start(folder)
    expect(await open).toBe(false)
    expect(await ended(child)).toBe(1)
    expect(await says('The database could not be migrated:')).toBe(true)
  })

  it('continues without an owner where there are members, and shows how one of them becomes it', async () => {
    const folder = await migratedFolder()
    const bare = await startServer({ folder, port: await freePort(), logLevel: 'error', inherit: false })
    expect((await setup(bare, 'POST', 'account', { username: 'owner' })).status).toBe(200)
    await bare.stop()
    const { open, words } = await start(folder)
    expect(await open).toBe(true)
    expect(words()).toContain('This instance has no owner, and the account owner could not be made:')
    expect(words()).toContain('npx fieldfare accounts role NAME owner')
    await run(folder, 'accounts', 'role', 'owner', 'owner')
    expect(await run(folder, 'accounts', 'list')).toMatch(/^owner .*Owner$/m)
  })

  it('npm start with --prepare builds what the next start needs, and keeps the folder of the instance unchanged', () => {
    const folder = newFolder()
    rmSync(folder, { recursive: true })
    const words = [join(root, 'scripts/start.mjs'), '--prepare', '--folder', folder]
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toBe('What the next start needs is installed and built.\n')
    expect(existsSync(folder)).toBe(false)
  })

  it('fails on invalid secrets, with the error of the server', async () => {
    const folder = newFolder()
    const secrets = { INSTANCE_SECRET: 'short', SETUP_TOKEN: 'a token of more than enough' }
    writeFileSync(join(folder, 'secrets.json'), JSON.stringify(secrets))
    const { child, says } = await start(folder)
    expect(await ended(child)).toBe(1)
    const why = 'INSTANCE_SECRET cannot be used: it has to be a secret of 32 characters or more.'
    expect(await says(why)).toBe(true)
  })
})
