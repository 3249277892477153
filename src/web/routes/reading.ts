import type { C } from '../visit'

/** Where reading goes on, from the address of a page; undefined at the newest, as for anything that is no id. */
export function readMaxId(c: C): number | undefined {
  const asked = c.req.query('max_id') ?? ''
  return /^\d{1,16}$/.test(asked) ? Number(asked) : undefined
}

/** The address of the next page of this path, after as many `cursors` as were found; null at the end. */
export function olderThan(c: C, cursors: readonly number[], pageSize: number): string | null {
  return cursors.length < pageSize ? null : `${c.req.path}?max_id=${cursors.at(-1)}`
}
