import type { Miniflare } from 'miniflare'
import type { WebSocket } from 'ws'
import type { Person } from './server.mjs'

export interface Listener {
  readonly ws: WebSocket
  readonly accountId: number
  readonly isOpen: boolean
  /** Arrival times of events, by `EVENT ID`. */
  readonly received: ReadonlyMap<string, number>
  /** Events that came again. */
  readonly extra: number
}

export interface Counts {
  readonly woken: number
  readonly deliveries: number
  readonly branches: number
  readonly largestBranch: number
  readonly trips: number
  readonly tripsOfObjects: number
}

export function gather(url: URL, people: readonly Person[], each: number): Promise<Listener[]>
export function arrivals(crowd: readonly Listener[], key: string): Promise<readonly number[]>
export function until(holds: () => boolean): Promise<boolean>
export function idleCounts(url: URL): Promise<Counts>
export function counting<T>(
  url: URL,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly change: Counts }>
export function post(url: URL, author: Person): Promise<{ readonly key: string }>
export function pingAll(crowd: readonly Listener[]): Promise<number>
export function evict(server: Miniflare, people: readonly Person[]): Promise<unknown>
export function disperse(crowd: readonly Listener[]): void
