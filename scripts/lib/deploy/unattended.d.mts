interface Result {
  readonly code: number
  readonly output: string
  readonly stdout: string
}

export function isUnattended(environment: Readonly<Record<string, string | undefined>>): boolean

export function deployUnattended(order: {
  readonly folder: string
  readonly log: (line: string) => void
  readonly command?: (folder: string, args: readonly string[]) => Promise<Result>
}): Promise<void>
