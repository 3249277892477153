import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate, type Server, setup, startServer } from '../../../scripts/lib/server.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    origin: string
    setupToken: string
  }
}

/** Starts one instance for the whole run; what it answers stops it and removes every trace of it. */
export default async function openInstance(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'fieldfare-e2e-'))
  await migrate(folder)
  const server = await startServer({ folder, port: await freePort(), logLevel: 'warn', inherit: false })
  const words = listen(server)
  // Also when the run itself is killed: no server may outlive it.
  const abandon = () => server.child.kill('SIGTERM')
  process.once('exit', abandon)
  try {
    await furnish(server)
  } catch (failure) {
    await server.stop()
    console.error(words.join(''))
    throw failure
  }
  project.provide('origin', server.origin)
  project.provide('setupToken', server.secrets.SETUP_TOKEN)
  return async () => {
    process.off('exit', abandon)
    await server.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    const complaints = words.join('')
    if (complaints.includes('"level":"error"')) console.error(`The server complained:\n${complaints}`)
  }
}

/** Keeps what the server says; unread, its pipes would fill up and stop it. */
function listen({ child }: Server): readonly string[] {
  const words: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => words.push(chunk.toString()))
  return words
}

async function furnish(server: Server): Promise<void> {
  const owner = await setup(server, 'POST', 'owner', { username: 'owner' })
  if (owner.status !== 200) throw new Error(`No owner: ${JSON.stringify(owner.body)}`)
  const settings = { title: 'The Hedge', rules: ['Be kind to small birds', 'No cats'] }
  const saved = await setup(server, 'PUT', 'settings', settings)
  if (saved.status !== 200) throw new Error(`No settings: ${JSON.stringify(saved.body)}`)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port)
        else reject(new Error('No free port was found'))
      })
    })
  })
}
