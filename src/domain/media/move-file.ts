import type { Ctx } from '../../ports/ctx'

/**
 * Moves a file of the store; nothing happens where there is none. Copies first: a run that fails in between leaves two
 * files, and the next one deletes the first.
 */
export async function moveFile(ctx: Ctx, from: string, to: string): Promise<void> {
  const file = await ctx.files.get(from)
  if (file === null) return
  await ctx.files.put(to, file.body, file.mime)
  await ctx.files.delete([from])
}
