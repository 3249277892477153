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
}

export interface Server {
  readonly origin: string
  readonly secrets: Secrets
  readonly child: ChildProcess
  readonly exited: Promise<number | null>
  stop(): Promise<void>
}

export const root: string
export const quiet: Readonly<Record<string, string>>
export function instanceSecrets(folder: string): Secrets
export function migrate(folder: string): Promise<void>
export function startServer(order: StartOrder): Promise<Server>
export function tick(origin: string): Promise<void>
export function setup(
  server: { readonly origin: string; readonly secrets: { readonly SETUP_TOKEN: string } },
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly body: unknown }>
