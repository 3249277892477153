import type { Ctx } from '../../ports/ctx'

/** A file about to be stored. */
export interface NewFile {
  readonly key: string
  readonly bytes: Uint8Array
  readonly mime: string
}

/**
 * A folder for the files of one upload. Ids can be guessed, so a random part keeps files from being found without
 * their URL.
 */
export function freshFolder(
  ctx: Ctx,
  kind: 'attachments' | 'avatars' | 'emojis' | 'headers' | 'site',
  id: number,
): string {
  return `${kind}/${id}/${ctx.random.token().slice(0, 16)}`
}

/**
 * Stores the files, then runs `commit`, which writes the rows that name them.
 *
 * When either fails none of the files stays: no half-written upload, and no row without its file.
 */
export async function withFiles<T>(
  ctx: Ctx,
  files: readonly NewFile[],
  commit: () => Promise<T>,
): Promise<T> {
  try {
    await putAll(ctx, files)
    return await commit()
  } catch (failure) {
    const keys = files.map(({ key }) => key)
    await ctx.files
      .delete(keys)
      .catch((cause: unknown) =>
        ctx.log.error('Failed to delete the files of a failed upload', { keys, cause }),
      )
    throw failure
  }
}

/** Waits for every file even when one fails: a late one would survive the cleanup. */
async function putAll(ctx: Ctx, files: readonly NewFile[]): Promise<void> {
  const stored = await Promise.allSettled(
    files.map(({ key, bytes, mime }) => ctx.files.put(key, bytes, mime)),
  )
  for (const outcome of stored) if (outcome.status === 'rejected') throw outcome.reason
}
