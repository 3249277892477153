import { applyD1Migrations, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { network } from './support/fediverse/everywhere'

await reset()
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)

// Whatever goes past the ports (a Durable Object wires itself) meets the same servers.
globalThis.fetch = network.fetch
