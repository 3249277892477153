import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../../../scripts/lib/server.mjs'

/**
 * Writes the project's configuration for the Worker in a hurry to `folder`. Its queues have names of their own: local
 * sessions of wrangler forward messages to whoever consumes a queue of that name. Returns the path.
 */
export async function writeHurriedConfig(folder: string, name: string): Promise<string> {
  const text = await readFile(join(root, 'wrangler.toml'), 'utf8')
  const changed = text
    .replace(/^main = ".*"/m, `main = "${join(import.meta.dirname, 'worker.ts')}"`)
    .replaceAll('"fieldfare-jobs', `"${name}-jobs`)
    .replace('migrations_dir = "', `migrations_dir = "${root}`)
    .replace('directory = "', `directory = "${root}`)
  const deadLetters = `
[[queues.consumers]]
queue = "${name}-jobs-dead"
max_batch_timeout = 1
`
  const path = join(folder, 'wrangler.toml')
  await writeFile(path, changed + deadLetters)
  return path
}
