/** Result of a background step, or of an activity received from another server. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'ignored'; readonly reason: string }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'retry'; readonly afterSeconds: number }

export const done: Outcome = { kind: 'done' }

/** No effect was needed; not an error. */
export function ignored(reason: string): Outcome {
  return { kind: 'ignored', reason }
}

/** Refused: carrying it out is not permitted. */
export function rejected(reason: string): Outcome {
  return { kind: 'rejected', reason }
}

export function retry(afterSeconds: number): Outcome {
  return { kind: 'retry', afterSeconds }
}
