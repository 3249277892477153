import { sql } from 'drizzle-orm'
import { afterAll, beforeAll } from 'vitest'
import * as z from 'zod'
import { Announcement } from '../../src/contract/entities/announcement'
import { Conversation } from '../../src/contract/entities/conversation'
import { CryptoEncryptedMessage } from '../../src/contract/entities/crypto'
import { Notification } from '../../src/contract/entities/notification'
import { Status } from '../../src/contract/entities/status'
import { heardTopics, presences } from '../../src/db/schema'
import type { Message } from '../../src/streaming/messages'
import type { Calls } from '../../src/streaming/publish'
import { connectTo, context, settled } from './world'

interface Person {
  readonly id: number
}

/** Lets somebody be here and listen, as their connections would note it. */
export async function listens(person: Person, ...channels: string[]): Promise<void> {
  const row = { accountId: person.id, channels }
  await context()
    .db.insert(presences)
    .values(row)
    .onConflictDoUpdate({ target: presences.accountId, set: { channels } })
}

/** Lets shared streams have listeners. */
export async function isHeard(...channels: string[]): Promise<void> {
  const rows = channels.map((channel) => ({ channel }))
  await context().db.insert(heardTopics).values(rows).onConflictDoNothing()
}

/** Nobody is here any more. */
export async function silence(): Promise<void> {
  const { db } = context()
  await db.batch([db.delete(presences).where(sql`1`), db.delete(heardTopics).where(sql`1`)])
}

/** What each event brings, as documented. */
const payloads = {
  update: Status,
  'status.update': Status,
  delete: z.string().regex(/^\d+$/),
  notification: Notification,
  notifications_merged: z.literal('1'),
  filters_changed: z.null(),
  conversation: Conversation,
  announcement: Announcement,
  'announcement.reaction': z.strictObject({ name: z.string(), count: z.int(), announcement_id: z.string() }),
  'announcement.delete': z.string().regex(/^\d+$/),
  encrypted_message: CryptoEncryptedMessage,
} as const

/** A message with its payload parsed, strictly. */
export interface Event extends Message {
  readonly body: unknown
}

function eventOf(message: Message): Event {
  const { event, payload } = message
  const isPlain = payload === null || event === 'delete' || event === 'announcement.delete'
  const body: unknown = isPlain || event === 'notifications_merged' ? payload : JSON.parse(payload)
  return { ...message, body: payloads[event].parse(body) }
}

interface Called {
  readonly object: string
  readonly method: 'deliver' | 'forgetRules' | 'end' | 'recheck' | 'spread'
  readonly messages: readonly Message[]
  readonly tokenIds?: readonly number[] | null
}

/** Stands for the objects that hold connections, and keeps what they are called with. */
export class Switchboard {
  readonly calls: Called[] = []
  /** How many calls fail before one gets through. */
  failures = 0
  /** Does one that fails get through all the same, without anybody knowing? */
  failsLate = false

  /** For the tests of the file that makes it: files share what this stands in for. */
  constructor() {
    beforeAll(() => connectTo(this.objects))
    afterAll(() => connectTo(null))
  }

  /** What reached the connections of a person, in order. */
  async toldTo(person: Person): Promise<readonly Event[]> {
    return this.#toldTo(`account ${person.id}`)
  }

  /** What was spread on a shared stream. */
  async spreadOn(channel: string): Promise<readonly Event[]> {
    return this.#toldTo(`topic ${channel}`)
  }

  /** The calls of one kind so far, by object. */
  async callsOf(method: Called['method']): Promise<readonly string[]> {
    await settled()
    return this.calls.filter((call) => call.method === method).map(({ object }) => object)
  }

  forget(): void {
    this.calls.length = 0
  }

  async #toldTo(object: string): Promise<readonly Event[]> {
    await settled()
    return this.calls
      .filter((call) => call.object === object)
      .flatMap(({ messages }) => messages.map(eventOf))
  }

  #take(call: Called): void {
    const fails = this.failures > 0
    // What goes to an object is copied on the way: only plain data arrives.
    if (!fails || this.failsLate) this.calls.push(structuredClone(call))
    if (!fails) return
    this.failures -= 1
    throw new Error('The object broke')
  }

  readonly objects: Calls = {
    connection: (account) => ({
      deliver: async (messages) => {
        this.#take({ object: `account ${account}`, method: 'deliver', messages })
        return 'heard'
      },
      recheck: async () => this.#take({ object: `account ${account}`, method: 'recheck', messages: [] }),
      forgetRules: async () =>
        this.#take({ object: `account ${account}`, method: 'forgetRules', messages: [] }),
      end: async (tokenIds) =>
        this.#take({ object: `account ${account}`, method: 'end', messages: [], tokenIds }),
    }),
    topic: (channel) => ({
      spread: async (message) =>
        this.#take({ object: `topic ${channel}`, method: 'spread', messages: [message] }),
    }),
  }
}
