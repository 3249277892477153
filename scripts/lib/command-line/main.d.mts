export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isInteractive: boolean
  print(text: string): void
  complain(text: string): void
  ask(question: string): Promise<string>
  askSecret(question: string): Promise<string>
  readonly showProgress: ((line: string) => void) | null
}

export function main(words: readonly string[], terminal: Terminal): Promise<number>
