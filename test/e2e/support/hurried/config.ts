import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../../scripts/lib/server.mjs'

/**
 * Writes the project's configuration for the Worker in a hurry. Returns its path, which is another one where configuration
 * or Worker changed: by path and text, and by nothing else outside src, a bundle is found that was made before.
 */
export function writeHurriedConfig(): string {
  const main = join(import.meta.dirname, 'worker.ts')
  const text = readFileSync(join(root, 'wrangler.full.toml'), 'utf8')
  const changed = text
    .replace(/^main = ".*"/m, `main = "${main}"`)
    .replace('migrations_dir = "', `migrations_dir = "${root}`)
    .replace('directory = "', `directory = "${root}`)
    .replace('max_batch_timeout = 5', 'max_batch_timeout = 1')
  const digest = createHash('sha256').update(changed).update(readFileSync(main)).digest('hex')
  const folder = join(root, '.wrangler/hurried', digest)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'wrangler.toml')
  writeFileSync(path, changed)
  return path
}
