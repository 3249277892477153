import * as z from 'zod'

/** What is answered where there is nothing to tell. */
export const Nothing = z.strictObject({})

/** An answer with more than a body: a status other than 200, or headers. */
export class Reply<T> {
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

  static of<T>(answer: T | Reply<T>): Reply<T> {
    return answer instanceof Reply ? answer : new Reply(answer)
  }
}
