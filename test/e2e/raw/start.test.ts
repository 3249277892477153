import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { childrenOf, killNow } from '../../../scripts/lib/processes.mjs'
import { migrate, quiet, root, setup, startServer } from '../../../scripts/lib/server.mjs'
import { freePort } from '../support/instance'

const made: { readonly folder: string; readonly child: ChildProcess }[] = []
afterAll(async () => {
  for (const { child } of made) child.kill('SIGTERM')
  await Promise.all(made.map(({ child }) => ended(child)))
  for (const { folder } of made) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const newFolder = () => mkdtempSync(join(tmpdir(), 'fieldfare-run-'))

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
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => said.push(`${chunk}`))
  const words = () => said.join('')
  /** Whether it says a text before it ends. */
  const says = async (text: string) => {
    while (!words().includes(text)) {
      if (child.exitCode !== null || child.signalCode !== null) return false
      await sleep(20)
    }
    return true
  }
  const open = says(`Fieldfare is open at http://localhost:${port}`)
  return { child, folder, open, origin: `http://localhost:${port}`, says, words }
}

type Started = Awaited<ReturnType<typeof start>>

const Secrets = z.object({ SETUP_TOKEN: z.string() })

function run(script: string, ...words: readonly string[]) {
  return new Promise<string>((resolve, reject) =>
    execFile(process.execPath, [join(root, 'scripts', script), ...words], (failure, out) =>
      failure === null ? resolve(out) : reject(failure),
    ),
  )
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

/** Milliseconds until an address answers with 200. */
async function recovery(address: string): Promise<number> {
  const began = Date.now()
  while (Date.now() - began < 30_000) {
    const answer = await fetch(address, { signal: AbortSignal.timeout(1_000) }).catch(() => null)
    if (answer?.status === 200) return Date.now() - began
    await sleep(100)
  }
  return Number.POSITIVE_INFINITY
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
    expect(await run('fieldfare.mjs', 'accounts', 'list', '--folder', folder)).toMatch(
      /^owner {2}\S+ {2}active .*Owner$/m,
    )
    const second = await start(folder)
    expect(await ended(second.child)).toBe(1)
    expect(second.words()).toContain('This instance is running already')
    first.child.kill('SIGTERM')
    expect(await ended(first.child)).toBe(0)
    expect(existsSync(join(folder, 'running.json'))).toBe(false)
  })

  it('takes over secrets that are replaced while it runs, and goes on without them where it is told to', async () => {
    const folder = newFolder()
    const first = await start(folder)
    expect(await first.open).toBe(true)
    const address = await publish(first)
    const rotated = await run('fieldfare.mjs', 'secrets', 'rotate', '--folder', folder, '--yes')
    expect(rotated).toContain('actor keys: 2, remaining 0')
    expect((await fetch(address)).status).toBe(200)
    await run('fieldfare.mjs', 'secrets', 'drop', '--folder', folder, '--yes')
    first.child.kill('SIGTERM')
    await ended(first.child)
    rmSync(join(folder, 'secrets.json'))
    const refused = await start(folder)
    expect(await ended(refused.child)).toBe(1)
    const renewed = await start(folder, '--new-secrets')
    expect(await renewed.open).toBe(true)
    const status = await run('fieldfare.mjs', 'secrets', 'reseal', '--folder', folder)
    expect(status).toContain('actor keys: 2, remaining 0')
  }, 180_000)

  it('fails where no owner can be made', async () => {
    const { child, words } = await start(newFolder(), '--owner', 'not a name')
    expect(await ended(child)).toBe(1)
    expect(words()).toContain(
      'This instance has no owner, and the account not a name could not be made: Validation',
    )
    expect(words()).not.toContain('    at ')
  })

  it('goes on without an owner where there are members, and says how one of them becomes it', async () => {
    const folder = newFolder()
    await migrate(folder)
    const bare = await startServer({ folder, port: await freePort(), logLevel: 'error', inherit: false })
    expect((await setup(bare, 'POST', 'account', { username: 'owner' })).status).toBe(200)
    await bare.stop()
    const { open, words } = await start(folder)
    expect(await open).toBe(true)
    expect(words()).toContain('This instance has no owner, and the account owner could not be made:')
    expect(words()).toContain('npx fieldfare accounts role NAME owner')
    await run('fieldfare.mjs', 'accounts', 'role', 'owner', 'owner', '--folder', folder)
    const list = await run('fieldfare.mjs', 'accounts', 'list', '--folder', folder)
    expect(list).toMatch(/^owner .*Owner$/m)
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

  it('comes back within ten seconds of a kill, with all that it acknowledged', async () => {
    const server = await start(newFolder())
    expect(await server.open).toBe(true)
    const address = await publish(server)
    killBelow(server.child, 2)
    expect(await recovery(address)).toBeLessThan(10_000)
    const killed = Date.now()
    killBelow(server.child, 1)
    await server.says('The server is open again')
    expect(Date.now() - killed).toBeLessThan(10_000)
    expect(await recovery(address)).toBeLessThan(1_000)
    expect(server.words()).toContain('The server stopped by itself (killed). Starting it again ...')
    server.child.kill('SIGTERM')
    expect(await ended(server.child)).toBe(0)
    await expect(fetch(address)).rejects.toThrow('fetch failed')
  })

  it('leaves no process behind where it is killed itself', async () => {
    const server = await start(newFolder())
    expect(await server.open).toBe(true)
    server.child.kill('SIGKILL')
    await ended(server.child)
    const address = `${server.origin}/health`
    for (let tries = 0; tries < 100; tries += 1) {
      const answer = await fetch(address).catch(() => null)
      if (answer === null) return
      await sleep(100)
    }
    expect.fail('The port answers still')
  })
})
