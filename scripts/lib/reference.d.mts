export interface Fact {
  readonly name: string
  readonly form: string
  readonly fallback: string | null
}

interface Field {
  readonly description?: string | undefined
  safeParse(value: unknown): { readonly success: boolean; readonly data?: unknown }
}

interface Kind {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  readonly choices: readonly string[]
  readonly minimum: number | null
  readonly maximum: number | null
}

export const unwritten: string
export function referenceTable(title: string, facts: readonly Fact[], before: string): string
export function variableFacts(fields: Readonly<Record<string, Field>>): readonly Fact[]
export function settingFacts(
  kinds: readonly Kind[],
  defaults: Readonly<Record<string, unknown>>,
): readonly Fact[]
