import type * as z from 'zod'

export interface Argument {
  readonly name: string
  readonly about: string
  readonly kind: 'one' | 'optional' | 'several'
  readonly schema: z.ZodType
  readonly least?: number
}

export interface Option {
  readonly type: 'boolean' | 'string'
  readonly about: string
  readonly value?: string
  readonly schema?: z.ZodType
}

export interface Command {
  readonly name: string
  readonly path: readonly string[]
  readonly summary: string
  readonly args: readonly Argument[]
  readonly options: Readonly<Record<string, Option>>
  readonly calls: readonly string[]
  readonly result: z.ZodType
  readonly destroys: unknown
  readonly asks: boolean
}

export interface Group {
  readonly name: string
  readonly summary: string
  readonly notes: readonly string[]
  readonly commands: readonly Command[]
}

export interface Registry {
  readonly groups: readonly Group[]
  readonly singles: readonly Command[]
}

export function loadRegistry(): Promise<Registry>
export function commandsOf(registry: Registry): readonly Command[]
