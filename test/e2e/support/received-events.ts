import { setTimeout as later } from 'node:timers/promises'
import * as z from 'zod'

/** An event as received; `stream` is empty where the connection carries a single stream. */
export interface ReceivedEvent {
  readonly stream: readonly string[]
  readonly event: string
  /** As text; null where there is none. */
  readonly payload: string | null
}

type Fits = (received: ReceivedEvent) => boolean

/** Wait that only a hang takes. */
const timeoutMilliseconds = 60_000

const Named = z.looseObject({ id: z.string() })

/** Events of a stream connection. Tests wait for the expected event, and count those before it. */
export class ReceivedEvents {
  readonly events: ReceivedEvent[] = []
  readonly #waiting = new Set<() => void>()

  note(received: ReceivedEvent): void {
    this.events.push(received)
    this.look()
  }

  /** Lets those who wait look again. */
  protected look(): void {
    for (const look of [...this.#waiting]) look()
  }

  /** The first event that fits, whether it came already or is still to come. */
  async first(what: string, fits: Fits): Promise<ReceivedEvent> {
    await this.until(what, () => this.events.some(fits))
    const found = this.events.find(fits)
    if (found === undefined) throw new Error(`${what} was heard and is gone`)
    return found
  }

  /** Waits until this holds; it is looked at whenever something came. */
  until(what: string, holds: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!holds()) return
        this.#waiting.delete(look)
        clearTimeout(limit)
        resolve()
      }
      const limit = setTimeout(() => {
        this.#waiting.delete(look)
        const kinds = this.events.map(({ event }) => event).join(', ')
        reject(new Error(`No ${what} was heard; there were: ${kinds}`))
      }, timeoutMilliseconds)
      this.#waiting.add(look)
      look()
    })
  }

  /** The event of this kind that is about the object with this id. */
  about(event: string, id: string): Promise<ReceivedEvent> {
    return this.first(`${event} of ${id}`, (received) => received.event === event && isAbout(received, id))
  }

  /** The kinds of all events about the object with this id, in their order. */
  kindsOf(id: string): readonly string[] {
    return this.events.filter((received) => isAbout(received, id)).map(({ event }) => event)
  }

  count(event: string): number {
    return this.events.filter((received) => received.event === event).length
  }
}

/** The object an event is about, where its payload is that object or its id. */
function isAbout({ payload }: ReceivedEvent, id: string): boolean {
  if (payload === null) return false
  if (payload === id) return true
  if (!payload.startsWith('{')) return false
  const parsed = Named.safeParse(JSON.parse(payload))
  return parsed.success && parsed.data.id === id
}

/** The payload as an entity, held against its contract. */
export function entityOf<S extends z.ZodType>({ payload }: ReceivedEvent, schema: S): z.infer<S> {
  return schema.parse(JSON.parse(payload ?? 'null'))
}

/**
 * Repeats `act` until the connection receives its event: clients are not told when a subscription begins to work, so
 * they cannot know it otherwise either.
 */
export async function repeatUntilReceived(
  received: { readonly events: readonly unknown[] },
  act: () => Promise<unknown>,
) {
  const end = Date.now() + timeoutMilliseconds
  const before = received.events.length
  while (received.events.length === before) {
    if (Date.now() > end) throw new Error('Nothing was heard')
    await act()
    for (let wait = 0; wait < 10 && received.events.length === before; wait += 1) await later(50)
  }
}
