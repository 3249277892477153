// `npm run button`: writes wrangler.toml, which the "Deploy to Cloudflare" button reads, from wrangler.full.toml.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buttonConfigurationOf } from './lib/deploy/configuration.mjs'
import { root } from './lib/server.mjs'

const full = readFileSync(join(root, 'wrangler.full.toml'), 'utf8')
writeFileSync(join(root, 'wrangler.toml'), buttonConfigurationOf(full))
