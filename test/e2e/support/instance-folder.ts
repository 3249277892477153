import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { instanceSecrets, migrate, root } from '../../../scripts/lib/server.mjs'

const memory = '/dev/shm'
const needed = 512 * 1024 ** 2

/**
 * A new folder for the files of an instance, whose name begins with `prefix`: in memory, where there is room for it. Every
 * commit of a database waits for a disk.
 */
export function newInstanceFolder(prefix: string): string {
  return mkdtempSync(join(hasRoomInMemory() ? memory : tmpdir(), prefix))
}

function hasRoomInMemory(): boolean {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= needed
}

/**
 * Makes `folder` that of a fresh instance, as `migrate` does. The database is a copy of one that `migrate` made with the
 * same migrations: making one takes three seconds.
 */
export async function fillInstanceFolder(folder: string): Promise<void> {
  const migrated = join(root, '.wrangler/migrated', keyOfMigrations())
  if (!existsSync(migrated)) await keepMigrated(migrated)
  instanceSecrets(folder)
  cpSync(join(migrated, 'v3'), join(folder, 'v3'), { recursive: true })
}

/** Keeps a migrated folder, in the place of those with other migrations. */
async function keepMigrated(migrated: string): Promise<void> {
  const unfinished = `${migrated}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  await migrate(unfinished)
  const remove = (path: string) => rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  // Another process may have made the same meanwhile.
  if (existsSync(migrated)) remove(unfinished)
  else renameSync(unfinished, migrated)
  const kept = dirname(migrated)
  for (const name of readdirSync(kept))
    if (/^[0-9a-f]+$/.test(name) && name !== basename(migrated)) remove(join(kept, name))
}

/** Digest of all that decides what a migrated database holds. */
function keyOfMigrations(): string {
  const digest = createHash('sha256')
  const files = ['wrangler.full.toml', 'package-lock.json', 'scripts/lib/server.mjs']
  for (const name of [...files, ...globSync('migrations/*.sql', { cwd: root }).toSorted()])
    digest.update(JSON.stringify([name, readFileSync(join(root, name), 'utf8')]))
  return digest.digest('hex')
}
