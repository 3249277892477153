export const knownVariables: readonly string[]
export function nameUnknown(
  variables: Readonly<Record<string, unknown>>,
  place: {
    readonly file: string
    readonly others?: readonly string[]
    readonly log: (line: string) => void
  },
): void
