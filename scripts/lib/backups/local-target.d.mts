import type { Miniflare } from 'miniflare'

type Store = {
  readonly server: Miniflare
  readonly database: Awaited<ReturnType<Miniflare['getD1Database']>>
  readonly bucket: Awaited<ReturnType<Miniflare['getR2Bucket']>>
}

export interface Target {
  readonly bytesAtOnce: number
  describe(): string
  query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  run(statements: readonly string[]): Promise<void>
  close(): Promise<void>
}

export function openStore(folder: string): Promise<Store>
export function openLocalTarget(folder: string): Promise<Target>
