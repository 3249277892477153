import { sql } from 'drizzle-orm'
import { afterAll, beforeAll } from 'vitest'
import * as z from 'zod'
import { Announcement } from '../../src/contract/entities/announcement'
import { CryptoEncryptedMessage } from '../../src/contract/entities/crypto'
import { Notification } from '../../src/contract/entities/notification'
import { Status } from '../../src/contract/entities/status'
import { Conversation } from '../../src/contract/entities/timelines'
import { activeTopics, presences } from '../../src/db/schema'
import type { AddressedOrders, CalledObjects, StreamMessage } from '../../src/streaming/messages'
import { context, settleLateWork, useStreamTargets } from './test-app'

interface Person {
  readonly id: number
}

/** Lets somebody be here and listen, as their connections would note it. */
export async function addSubscriber(person: Person, ...channels: string[]): Promise<void> {
  const row = { accountId: person.id, channels }
  await context()
    .db.insert(presences)
    .values(row)
    .onConflictDoUpdate({ target: presences.accountId, set: { channels } })
}

/** Lets shared streams have listeners. */
export async function addActiveTopics(...channels: string[]): Promise<void> {
  const rows = channels.map((channel) => ({ channel }))
  await context().db.insert(activeTopics).values(rows).onConflictDoNothing()
}

/** Removes every connection. */
export async function disconnectAll(): Promise<void> {
  const { db } = context()
  await db.batch([db.delete(presences).where(sql`1`), db.delete(activeTopics).where(sql`1`)])
}

/** Payload of each event, as documented. */
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
export interface ParsedMessage extends StreamMessage {
  readonly body: unknown
}

function eventOf(message: StreamMessage): ParsedMessage {
  const { event, payload } = message
  const isPlain = payload === null || event === 'delete' || event === 'announcement.delete'
  const body: unknown = isPlain || event === 'notifications_merged' ? payload : JSON.parse(payload)
  return { ...message, body: payloads[event].parse(body) }
}

interface RecordedCall {
  readonly object: string
  readonly method: 'deliver' | 'clearRules' | 'end' | 'recheck' | 'spread'
  readonly messages: readonly StreamMessage[]
  readonly tokenIds?: readonly number[] | null
}

/** Stands for the objects that hold connections, and keeps what they are called with. */
export class FakeStreams {
  readonly calls: RecordedCall[] = []
  /** Orders handed to branches, which are not carried out. */
  readonly branches: { readonly branch: string; readonly orders: readonly AddressedOrders[] }[] = []
  /** Number of calls that fail before a call succeeds. */
  failures = 0
  /** Whether a failing call has its effect all the same, as when only the answer is lost. */
  failsAfterDelivery = false

  /** For the tests of the file that makes it: files share what this stands in for. */
  constructor() {
    beforeAll(() => useStreamTargets(this.objects))
    afterAll(() => useStreamTargets(null))
  }

  /** Messages sent to the connections of an account, in order. */
  async messagesTo(person: Person): Promise<readonly ParsedMessage[]> {
    return this.#notificationsOf(`account ${person.id}`)
  }

  /** Messages sent to a shared stream. */
  async messagesOn(channel: string): Promise<readonly ParsedMessage[]> {
    return this.#notificationsOf(`topic ${channel}`)
  }

  /** The calls of one kind so far, by object. */
  async callsOf(method: RecordedCall['method']): Promise<readonly string[]> {
    await settleLateWork()
    return this.calls.filter((call) => call.method === method).map(({ object }) => object)
  }

  forget(): void {
    this.calls.length = 0
  }

  async #notificationsOf(object: string): Promise<readonly ParsedMessage[]> {
    await settleLateWork()
    return this.calls
      .filter((call) => call.object === object)
      .flatMap(({ messages }) => messages.map(eventOf))
  }

  #take(call: RecordedCall): void {
    const fails = this.failures > 0
    // Arguments to an object are copied on the way: only plain data arrives.
    if (!fails || this.failsAfterDelivery) this.calls.push(structuredClone(call))
    if (!fails) return
    this.failures -= 1
    throw new Error('The object broke')
  }

  readonly objects: CalledObjects = {
    connection: (account) => ({
      handle: async ({ haveRulesChanged, endedSessions, needsRecheck, messages }) => {
        const object = `account ${account}`
        if (haveRulesChanged) this.#take({ object, method: 'clearRules', messages: [] })
        for (const tokenIds of endedSessions) this.#take({ object, method: 'end', messages: [], tokenIds })
        if (needsRecheck) this.#take({ object, method: 'recheck', messages: [] })
        if (messages.length > 0) this.#take({ object, method: 'deliver', messages })
        return 'delivered'
      },
    }),
    topic: (channel) => ({
      spread: async (messages) => this.#take({ object: `topic ${channel}`, method: 'spread', messages }),
      distribute: async (orders) => {
        this.branches.push({ branch: channel, orders: structuredClone(orders) })
        return []
      },
    }),
  }
}
