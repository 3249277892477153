import type { Ctx } from '../../ports/ctx'
import { Changes } from './changes'

/** Statements after the batch: those that run effects, or leave them to a job. */
const statementsAfter = 3

/**
 * Adds the changes of the first of `parts`, as many as this invocation has statements for. Returns their number. With
 * `least` of 1 the first is added in any case: a job that began with the whole invocation continues.
 */
export function addFitting(
  ctx: Ctx,
  changes: Changes,
  parts: readonly ((part: Changes) => void)[],
  least: 0 | 1,
): number {
  let room = ctx.usage.statementsLeft() - changes.size - statementsAfter
  for (const [index, add] of parts.entries()) {
    const part = new Changes()
    add(part)
    room -= part.size
    if (room < 0 && index >= least) return index
    changes.include(part)
  }
  return parts.length
}
