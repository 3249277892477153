export function checkRelease(folder: string): {
  readonly tag: string
  readonly isTagged: boolean
  readonly reasons: readonly string[]
}
