import { globSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'

/** Writes what only time or other servers bring about into the database of a server. `id` is free, and later than others. */
export function writeDatabase(
  { folder }: { readonly folder: string },
  change: (database: DatabaseSync, id: number) => void,
): void {
  const file = globSync('**/d1/**/*.sqlite', { cwd: folder }).find((name) => !name.includes('metadata'))
  const database = new DatabaseSync(join(folder, file ?? ''), { timeout: 5_000 })
  const { id } = z
    .object({ id: z.number() })
    .parse(database.prepare('select max(id) as id from accounts').get())
  change(database, id + 1)
  database.close()
}
