import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../../../scripts/lib/server.mjs'

/** Writes the project's configuration for the Worker in a hurry to `folder`. Returns the path. */
export async function writeHurriedConfig(folder: string): Promise<string> {
  const text = await readFile(join(root, 'wrangler.toml'), 'utf8')
  const changed = text
    .replace(/^main = ".*"/m, `main = "${join(import.meta.dirname, 'worker.ts')}"`)
    .replace('migrations_dir = "', `migrations_dir = "${root}`)
    .replace('directory = "', `directory = "${root}`)
    .replace('max_batch_timeout = 5', 'max_batch_timeout = 1')
  const path = join(folder, 'wrangler.toml')
  await writeFile(path, changed)
  return path
}
