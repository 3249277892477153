/** What a step in the background, or the deed of another server, came to. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'ignored'; readonly reason: string }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'retry'; readonly afterSeconds: number }

export const done: Outcome = { kind: 'done' }

/** Nothing was to be done, and nobody is at fault. */
export function ignored(reason: string): Outcome {
  return { kind: 'ignored', reason }
}

/** It must not be done. */
export function rejected(reason: string): Outcome {
  return { kind: 'rejected', reason }
}

export function retry(afterSeconds: number): Outcome {
  return { kind: 'retry', afterSeconds }
}
