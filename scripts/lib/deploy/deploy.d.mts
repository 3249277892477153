import type { Wrangler } from './wrangler.mjs'

export interface Order {
  readonly folder: string
  readonly options: object
  readonly log: (line: string) => void
  readonly question: ((question: string) => Promise<string>) | null
  readonly runWrangler?: Wrangler
}

export function deploy(
  order: Order & { readonly pause: (milliseconds: number) => Promise<unknown> },
): Promise<void>
