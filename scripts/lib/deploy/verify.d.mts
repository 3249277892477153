interface Check {
  readonly name: string
  /** Null where all is well. */
  readonly problem: string | null
}

export function verify(order: {
  readonly origin: string
  readonly owner: string
  readonly secrets: Readonly<Record<string, string>> | null
}): Promise<readonly Check[]>
