import * as z from 'zod'

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
