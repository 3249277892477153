import { type SQL, sql } from 'drizzle-orm'

/**
 * A selection that looks at so many candidates at most, as rows (id, cursor, is_end).
 *
 * Where it stops for that reason before the page is full, a last row with `is_end` names the candidate it came to:
 * nothing of it is shown, and the next page goes on behind it.
 */
export class BoundedSelection {
  constructor(readonly rows: SQL) {}
}

/** Rows (id, cursor): all that belong to a page, or those among so many candidates. */
export type Selection = SQL | BoundedSelection

/** Any selection as rows (id, cursor, is_end). */
export function withEnd(selection: Selection): SQL {
  if (selection instanceof BoundedSelection) return selection.rows
  return sql`select id, cursor, 0 as is_end from (${selection})`
}
