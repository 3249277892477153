import { type SQL, sql } from 'drizzle-orm'

/**
 * A selection that examines a limited number of candidates, as rows (id, cursor, is_end).
 *
 * If it stops at the limit before the page is full, a last row with `is_end` names the last candidate: it is
 * not shown, and the next page starts after it.
 */
export class BoundedSelection {
  constructor(
    readonly rows: SQL,
    /** The page as rows (id, cursor), without the row that says where it ended. */
    readonly page: SQL,
  ) {}
}

/** A selection that reads many rows for each: loaders keep its rows, instead of selecting again what they need twice. */
export class CostlySelection extends BoundedSelection {}

/**
 * A page whose rows were chosen before, each with what it refers to, as rows (id, cursor, is_quoted, linked): `linked` is the
 * JSON list of the collections that are read for the row.
 */
export class ExpandedSelection {
  constructor(readonly rows: SQL) {}
}

/** Rows (id, cursor): a whole page, or what is found among a limited number of candidates. */
export type Selection = SQL | BoundedSelection

/** Any selection as rows (id, cursor, is_end). */
export function withEnd(selection: Selection): SQL {
  if (selection instanceof BoundedSelection) return selection.rows
  return sql`select id, cursor, 0 as is_end from (${selection})`
}

/** A page of whole rows that are about statuses. */
export interface PageWithSubjects {
  readonly rows: SQL
  /** The statuses as rows (id, cursor, is_end); the cursor is the newest row about the status. */
  readonly subjects: BoundedSelection
}
