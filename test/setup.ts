import { applyD1Migrations, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { network } from './support/fediverse/everywhere'
import { refuseCapture } from './support/statements'
import { beginFile } from './support/world'

await reset()
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
beginFile()
network.clear()

refuseCapture(env.DB)

// No test reaches a network: requests and Durable Objects alike meet servers that tests made.
globalThis.fetch = network.fetch
