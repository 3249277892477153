export type OptionalService = 'images' | 'email' | 'queues'

export interface Deployed {
  readonly worker: string
  readonly domain: string
  readonly accountId: string | null
  readonly databaseId: string | null
  readonly plan: 'free' | 'paid'
  readonly variables: Readonly<Record<string, string>>
  readonly without?: readonly OptionalService[]
  readonly lacking?: readonly OptionalService[]
}

export function writeConfiguration(folder: string, deployment: Deployed): string
export function configurationOf(text: string, deployment: Deployed): string

/** The configuration that the button deploys, from that of wrangler.full.toml. */
export function buttonConfigurationOf(text: string): string
