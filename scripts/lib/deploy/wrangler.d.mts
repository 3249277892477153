export interface Result {
  readonly code: number | null
  /** What the command printed; `stdout` without its errors. */
  readonly output: string
  readonly stdout: string
}

export type Wrangler = (folder: string, args: readonly string[]) => Promise<Result>

export const runWrangler: Wrangler
export function failureOf(title: string, result: Result): Error
export function jsonOf(result: Pick<Result, 'stdout'>): unknown
