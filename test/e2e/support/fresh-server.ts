import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import * as z from 'zod'
import { writeMigrations } from '../../../scripts/lib/migrations.mjs'
import { childrenOf, killNow } from '../../../scripts/lib/processes.mjs'
import { bundle, root } from '../../../scripts/lib/server.mjs'
import { freePort } from './instance'

const Described = z.looseObject({ entry: z.string() })

/** A server as the button deploys it: with the services of wrangler.toml, one secret, and an empty database. */
export interface FreshServer {
  readonly origin: string
  readonly setupSecret: string
  /** Kills the runtime, and starts it again with what it stored. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Starts one at a port; `peers` are hosts on this machine that it may reach. */
export async function startFreshServer({
  port = null,
  peers = '',
}: {
  readonly port?: number | null
  readonly peers?: string
} = {}): Promise<FreshServer> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldfare-set-up-'))
  writeMigrations(root)
  const path = await bundle(folder, join(root, 'wrangler.toml'))
  const chosenPort = port ?? (await freePort())
  const described = Described.parse(JSON.parse(readFileSync(join(path, 'worker.json'), 'utf8')))
  const { entry, cronTriggers: _crons, modulesRules: _rules, ...worker } = described
  const setupSecret = 'a set-up secret of forty characters, in all'
  const options = convertV4MiniflareOptions({
    host: '127.0.0.1',
    port: chosenPort,
    cf: false,
    resourcePersistencePath: join(folder, 'v3'),
    workers: [
      {
        ...worker,
        rootPath: path,
        modules: [{ type: 'ESModule', path: join(path, entry) }],
        modulesRoot: path,
        bindings: { SETUP_SECRET: setupSecret, FEDERATION_TEST_HOSTS: peers },
      },
    ],
  })
  const start = async () => {
    const server = new Miniflare(options)
    await server.ready
    return server
  }
  let [before, server] = [new Set(childrenOf(process.pid)), await start()]
  return {
    origin: `http://localhost:${chosenPort}`,
    setupSecret,
    restart: async () => {
      for (const pid of childrenOf(process.pid)) if (!before.has(pid)) killNow(pid)
      await server.dispose()
      before = new Set(childrenOf(process.pid))
      server = await start()
    },
    close: async () => {
      await server.dispose()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
