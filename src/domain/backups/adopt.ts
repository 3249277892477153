import { backups } from '../../db/schema'
import { backupKey, backupStart, manifestFile } from '../../lib/backups'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { unknownNames } from './stored'

/** Backups taken over by one run. */
const adoptedAtOnce = 5

/** Takes over some of the backups of the bucket that the database does not know, as after a restore. */
export async function adoptBackups(ctx: Ctx): Promise<void> {
  await adopt(ctx, (await unknownNames(ctx)).slice(0, adoptedAtOnce))
}

/**
 * Takes over backups of the bucket: they are kept and deleted like others. One without a manifest was never complete,
 * and is deleted.
 */
export async function adopt(ctx: Ctx, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const found = await Promise.all(
    names.map(async (name) => ({ name, manifest: await ctx.files.head(backupKey(name, manifestFile)) })),
  )
  const values = found.map(({ name, manifest }) => {
    const startedAt = backupStart(name)
    return {
      id: ctx.ids.next(startedAt),
      name,
      state: manifest === null ? ('deleting' as const) : ('complete' as const),
      schema: '',
      position: { phase: 'manifest' as const },
      startedAt,
      finishedAt: manifest?.uploadedAt ?? startedAt,
    }
  })
  await commit(ctx, new Changes().add(ctx.db.insert(backups).values(values).onConflictDoNothing()))
}
