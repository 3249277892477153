import type { ChildProcess } from 'node:child_process'

export interface Secrets {
  readonly INSTANCE_SECRET: string
  readonly SETUP_TOKEN: string
}

export interface StartOrder {
  readonly folder: string
  readonly port: number
  readonly variables?: Readonly<Record<string, string | number>>
  readonly logLevel?: string
  readonly inherit?: boolean
  readonly config?: string
  readonly bundled?: string
  readonly hasTriggers?: boolean
  readonly hasClock?: boolean
  readonly followsSecrets?: boolean
}

export interface Server {
  readonly origin: string
  readonly secrets: Secrets
  readonly child: ChildProcess
  readonly exited: Promise<number | null>
  /** Ends its processes at once: none has time to tidy up. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export const root: string
export const wrangler: string
export const quiet: Readonly<Record<string, string>>
export function instanceSecrets(folder: string, options?: { readonly mayReplace?: boolean }): Secrets
export function migrate(folder: string, options?: { readonly mayReplaceSecrets?: boolean }): Promise<void>
export function everyMigration(): string
export function startServer(order: StartOrder): Promise<Server>
export function bundle(folder: string, config?: string): Promise<string>
export function setup(
  server: { readonly origin: string; readonly secrets: { readonly SETUP_TOKEN: string } },
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly body: unknown }>
