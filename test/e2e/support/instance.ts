import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { TestProject } from 'vitest/node'
import * as z from 'zod'
import { type Server, setup, startServer } from '../../../scripts/lib/server.mjs'
import { saveSettings } from './administer'
import { fillInstanceFolder, newInstanceFolder } from './instance-folder'

declare module 'vitest' {
  interface ProvidedContext {
    origin: string
    setupToken: string
    /** Folder of the shared instance. */
    folder: string
    /** Port of the push service on this machine. */
    pushPort: number
  }
}

/** Starts one instance for the whole run; what it answers stops it and removes every trace of it. */
export default async function openInstance(project: TestProject): Promise<() => Promise<void>> {
  const pushPort = await freePort()
  const instance = await startInstance(settings, { FEDERATION_TEST_HOSTS: `127.0.0.1:${pushPort}` })
  project.provide('pushPort', pushPort)
  project.provide('origin', instance.origin)
  project.provide('setupToken', instance.setupToken)
  project.provide('folder', instance.folder)
  return instance.close
}

export interface Instance {
  readonly origin: string
  readonly setupToken: string
  /** Secret that links in mails are signed with. */
  readonly secret: string
  /** Credentials of the owner's account, as the first start shows them. */
  readonly owner: Credentials
  /** Folder with its database and its files. */
  readonly folder: string
  /** Process whose descendants are the server. */
  readonly processId: number
  close(): Promise<void>
}

const Credentials = z.object({ username: z.string(), password: z.string() })
type Credentials = Readonly<z.infer<typeof Credentials>>

/** A fresh instance with an owner, in a folder and on a port of its own. Whoever starts it closes it. */
export async function startInstance(
  furniture: Readonly<Record<string, unknown>>,
  variables: Readonly<Record<string, string>> = {},
): Promise<Instance> {
  const folder = newInstanceFolder('fieldfare-e2e-')
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  try {
    await fillInstanceFolder(folder)
    const server = await startServer({
      folder,
      port: await freePort(),
      variables,
      logLevel: 'warn',
      inherit: false,
      hasTriggers: true,
    })
    const words = listen(server)
    const forget = onAbandon(() => {
      server.child.kill('SIGTERM')
      remove()
    })
    const close = async () => {
      forget()
      await server.stop()
      remove()
      const complaints = words.join('')
      if (complaints.includes('"level":"error"')) console.error(`The server complained:\n${complaints}`)
    }
    const owner = await furnish(server, furniture).catch(async (failure: unknown) => {
      await close()
      throw failure
    })
    const { origin, secrets, child } = server
    const { SETUP_TOKEN: setupToken, INSTANCE_SECRET: secret } = secrets
    return { origin, setupToken, secret, owner, folder, processId: child.pid ?? 0, close }
  } catch (failure) {
    remove()
    throw failure
  }
}

/** Calls `end` when the run is killed before it could tidy up: no server may outlive it. */
export function onAbandon(end: () => void): () => void {
  const leave = () => process.exit(143)
  process.once('exit', end)
  process.once('SIGTERM', leave)
  return () => {
    process.off('exit', end)
    process.off('SIGTERM', leave)
  }
}

/** Keeps what the server says; unread, its pipes would fill up and stop it. */
function listen({ child }: Server): readonly string[] {
  const words: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => words.push(chunk.toString()))
  return words
}

async function furnish(server: Server, furniture: Readonly<Record<string, unknown>>): Promise<Credentials> {
  const owner = await setup(server, 'POST', 'owner', { username: 'owner' })
  if (owner.status !== 200) throw new Error(`No owner: ${JSON.stringify(owner.body)}`)
  await saveSettings(server, furniture)
  return Credentials.parse(owner.body)
}

const settings = {
  title: 'The Hedge',
  shortDescription: 'A small place for people who look up when something flies over.',
  extendedDescription: [
    '## Who we are\n\nWe count birds every winter and talk about *everything else* in between.',
    '- Everybody is welcome\n- Nobody is the product\n- The server sleeps in a garden shed',
    'Read [how we count](https://birds.example/a-very-long-address/that-does-not-break-anywhere/at-all/on-a-phone).',
  ].join('\n\n'),
  termsOfService: '## Terms\n\nBe here as long as you like. Leave when you like.',
  domainBlocksShownTo: 'all',
  domainBlockReasonsShownTo: 'all',
  contactEmail: 'keeper@hedge.example',
  contactUsername: 'owner',
  rules: ['Be kind to small birds', 'No cats'],
}

/**
 * A port without a server. Below the ports of outgoing connections, one of which could take it before its server
 * listens.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    if (await isFree(port)) return port
  }
  throw new Error('No free port was found')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
