import { sql } from 'drizzle-orm'
import type { RunnableQuery } from 'drizzle-orm/runnable-query'
import type { TransferKind } from '../../db/schema/transfers'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { heldSources } from './find-exports'

export interface HeldComparison {
  readonly owner: AccountId
  readonly kind: TransferKind
  readonly importId: number
  readonly overwrite: boolean
}

/**
 * Statements that compare a stored file with what its owner has: its entries that are here are marked, and both are counted.
 * Some four rows for each entry that is here.
 */
export function compareWithHeld(
  ctx: Ctx,
  { owner, kind, importId, overwrite }: HeldComparison,
): readonly RunnableQuery<unknown, 'sqlite'>[] {
  const { from, key } = heldSources(ctx, { owner })[kind]
  const isNamed = sql`exists (select 1 from import_entries e where e.import_id = ${importId} and e.key = ${key})`
  const surplus = overwrite ? sql`(select count(*) ${from} and not ${isNamed})` : sql`0`
  return [
    ctx.db.run(sql`update import_entries set present = 1 where import_id = ${importId} and error is null
      and key in (select ${key} ${from})`),
    ctx.db.run(sql`update imports set surplus = ${surplus}, present = (
        select count(*) from import_entries e where e.import_id = ${importId} and e.present = 1)
      where id = ${importId}`),
  ]
}
