import type { Miniflare } from 'miniflare'

export interface Person {
  readonly id: number
  readonly token: string
}

export interface CrowdedServer {
  readonly server: Miniflare
  readonly url: URL
  /** Followed by all listeners. */
  readonly author: Person
  readonly listeners: readonly Person[]
}

export function openCrowdedServer(folder: string, people: number): Promise<CrowdedServer>
