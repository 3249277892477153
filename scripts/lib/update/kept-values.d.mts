export function keepValues(texts: { readonly base: string; readonly own: string; readonly target: string }): {
  readonly text: string
  readonly conflicts: readonly string[]
}
