import { ageOfPage, chance, now } from './browser'

/** An event of a stream as the server sends it. */
export interface LiveEvent {
  readonly stream: readonly string[]
  readonly event: string
  readonly payload: string
}

interface Message {
  readonly stream?: unknown
  readonly event?: unknown
  readonly payload?: unknown
}

/** Reads a message of the socket; null for anything that is no event. */
export function readEvent(text: string): LiveEvent | null {
  const message: unknown = JSON.parse(text)
  if (typeof message !== 'object' || message === null) return null
  const { stream, event, payload = '' }: Message = message
  if (!Array.isArray(stream) || typeof event !== 'string') return null
  return { stream: stream.map(String), event, payload: String(payload) }
}

/** Id of the entity that an event brings; empty for anything else. */
export function idIn(payload: unknown): string {
  const entity: unknown = JSON.parse(String(payload))
  return typeof entity === 'object' && entity !== null && 'id' in entity ? String(entity.id) : ''
}

/** Streams that a page names, with their parameters; none for anything else. */
export function streamsIn(text: string | undefined): readonly Readonly<Record<string, string>>[] {
  const list: unknown = JSON.parse(text ?? '[]')
  return (Array.isArray(list) ? list : []).map((one: unknown) =>
    Object.fromEntries(Object.entries(one ?? {}).map(([name, value]) => [name, String(value)])),
  )
}

const firstWait = 1_000
const longestWait = 60_000

/** Milliseconds before the next try to connect after `failures` in a row; `spread` from 0 to 1 keeps readers apart. */
export function waitAfter(failures: number, spread: number): number {
  const longest = Math.min(longestWait, firstWait * 2 ** Math.min(failures, 10))
  return Math.round(longest * (0.5 + spread / 2))
}

export interface LiveParts {
  /** Opens a socket to the streaming API. */
  readonly open: () => Pick<WebSocket, 'addEventListener' | 'send'>
  /** Streams beside the one that the address names. */
  readonly streams: readonly Readonly<Record<string, string>>[]
  readonly onEvent: (event: LiveEvent) => void
  /** Called when events may have been missed: the connection is there late, or again. */
  readonly onReturn: () => void
  /** Milliseconds since the page was asked for. */
  readonly age?: () => number
}

/** Age of a page, in milliseconds, up to which its posts are the newest: scripts of a slow network come later. */
const fresh = 2_000

/** Keeps a connection to the streams of a page, and opens it again after it was lost. */
export class LiveSocket {
  readonly #parts: LiveParts
  #failures = 0
  #lostAt: number | null = null

  constructor(parts: LiveParts) {
    this.#parts = parts
    this.#connect()
  }

  /** Milliseconds since the connection was lost; 0 while there is one. */
  get lostFor(): number {
    return this.#lostAt === null ? 0 : now() - this.#lostAt
  }

  #connect(): void {
    const socket = this.#parts.open()
    socket.addEventListener('open', () => {
      for (const stream of this.#parts.streams) socket.send(JSON.stringify({ type: 'subscribe', ...stream }))
      const { onReturn, age = ageOfPage } = this.#parts
      if (this.#failures > 0 || age() > fresh) onReturn()
      this.#failures = 0
      this.#lostAt = null
    })
    socket.addEventListener('message', ({ data }) => {
      const event = readEvent(String(data))
      if (event !== null) this.#parts.onEvent(event)
    })
    socket.addEventListener('close', () => {
      this.#lostAt ??= now()
      setTimeout(() => this.#connect(), waitAfter(this.#failures, chance()))
      this.#failures += 1
    })
  }
}
