import * as z from 'zod'
import { NotFound } from '../errors'
import type { Ctx } from '../ports/ctx'

/** The empty response body. */
export const EmptyObject = z.strictObject({})

/** A response with more than a body: a status other than 200, or headers. */
export class ApiResponse<T> {
  readonly body: T
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(
    body: T,
    more: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    this.body = body
    this.status = more.status ?? 200
    this.headers = more.headers ?? {}
  }

  static of<T>(answer: T | ApiResponse<T>): ApiResponse<T> {
    return answer instanceof ApiResponse ? answer : new ApiResponse(answer)
  }
}

/** Shows the row that was read; `NotFound` without one. */
export function showFound<Row, T>(present: (row: Row, ctx: Ctx) => T) {
  return (ctx: Ctx, { found }: { readonly found: Row | null }): T => {
    if (found === null) throw new NotFound()
    return present(found, ctx)
  }
}
