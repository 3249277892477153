import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { CourierObject } from '../../src/cloudflare/durable-objects/courier'
import type { Ctx } from '../../src/ports/ctx'
import type { CourierState, QueuedDelivery, SigningFacts } from '../../src/ports/federation'
import type { Overrides } from '../../src/wire'
import { context, settleLateWork, TestClock } from './test-app'

/** Statements that made its tables, the rows of `parcels`, and values by their keys. */
export interface StoredCourier {
  readonly schema: readonly string[]
  readonly parcels: readonly Readonly<Record<string, string | number | null>>[]
  readonly values: Readonly<Record<string, unknown>>
}

/** A courier whose clock a test moves by hand; everything else is real, its storage included. */
export class ManualCourier {
  readonly host: string
  readonly clock = new TestClock()
  readonly lines: { readonly message: string; readonly facts: Readonly<Record<string, unknown>> }[] = []
  /** Replacements for the object's ports, besides clock and log. */
  overrides: Overrides = {}
  readonly #stub: DurableObjectStub<CourierObject>

  constructor(host: string) {
    this.host = host
    this.#stub = env.COURIER.get(env.COURIER.idFromName(`handled ${host}`))
    // Ahead of the machine's clock: alarms ring when the test says so, and not by themselves.
    this.clock.set(new Date('2040-01-01T00:00:00.000Z'))
  }

  /** Puts storage that another version left in the place of the object's own. */
  async restore({ schema, parcels, values }: StoredCourier): Promise<void> {
    await runInDurableObject(this.#stub, async (_, { storage }) => {
      await storage.deleteAll()
      for (const statement of schema) storage.sql.exec(statement)
      for (const row of parcels) {
        const names = Object.keys(row)
        const text = `insert into parcels (${names}) values (${names.map(() => '?')})`
        storage.sql.exec(text, ...Object.values(row))
      }
      for (const [key, value] of Object.entries(values)) storage.kv.put(key, value)
    })
  }

  hand(...parcels: readonly QueuedDelivery[]): Promise<void> {
    return this.#as((courier) => courier.hand(this.host, parcels))
  }

  /** Hands over keys too, to an object that keeps its memory until `evict`. */
  handWith(signing: SigningFacts | null, parcels: readonly QueuedDelivery[]): Promise<void> {
    this.#lasting = true
    return this.#as((courier) => courier.hand(this.host, parcels, signing))
  }

  /** Ends the object, so that the next call meets a new one. */
  evict(): void {
    this.#object = null
  }

  wake(): Promise<void> {
    return this.#as((courier) => courier.wake())
  }

  /** Calls what operators call. */
  control(verb: 'state'): Promise<CourierState | null>
  control(verb: 'retry' | 'drop'): Promise<number>
  control(verb: 'state' | 'retry' | 'drop'): Promise<CourierState | number | null> {
    return this.#as<CourierState | number | null>((courier) => courier[verb]())
  }

  /** Rings the alarm and moves the clock to it; answers false when none is set. */
  async ring(): Promise<boolean> {
    const at = await this.alarmAt()
    if (at === null) return false
    if (at > this.clock.now()) this.clock.set(at)
    await this.#as((courier) => courier.alarm())
    return true
  }

  /** Lets so much time pass; whatever falls due in it happens. */
  async pass(milliseconds: number): Promise<void> {
    const end = new Date(this.clock.now().getTime() + milliseconds)
    for (let at = await this.alarmAt(); at !== null && at <= end; at = await this.alarmAt()) await this.ring()
    this.clock.set(end)
  }

  async alarmAt(): Promise<Date | null> {
    const at = await runInDurableObject(this.#stub, (_, { storage }) => storage.getAlarm())
    return at === null ? null : new Date(at)
  }

  /** Number of deliveries that have not arrived yet. */
  waiting(): Promise<number> {
    return runInDurableObject(this.#stub, (_, { storage }) =>
      Number(storage.sql.exec('select count(*) as n from parcels where done_at is null').one()['n']),
    )
  }

  /** The names of the tables and keys that the object keeps. */
  kept(): Promise<readonly string[]> {
    return runInDurableObject(this.#stub, (_, { storage }) => [
      ...storage.sql
        .exec<{ name: string }>(
          `select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\'`,
        )
        .toArray()
        .map(({ name }) => name),
      ...[...storage.kv.list()].map(([key]) => key),
    ])
  }

  /** Storage of the object, as text. */
  stored(): Promise<string> {
    return runInDurableObject(this.#stub, (_, { storage }) =>
      JSON.stringify([storage.sql.exec('select * from parcels').toArray(), [...storage.kv.list()]]),
    )
  }

  #lasting = false
  #object: CourierObject | null = null

  /** Every call meets a new object on the old storage, as after an eviction. */
  #as<T>(act: (courier: CourierObject) => Promise<T>): Promise<T> {
    const begin = () => this.#context()
    class Handled extends CourierObject {
      protected begin = begin
    }
    return runInDurableObject(this.#stub, (_, state) => {
      const courier = this.#object ?? new Handled(state, env)
      if (this.#lasting) this.#object = courier
      return act(courier)
    })
  }

  #context(): Ctx {
    const note = (message: string, facts = {}) => void this.lines.push({ message, facts })
    return context({ clock: this.clock, log: { info: note, error: note }, ...this.overrides })
  }
}

/** Ids of the couriers that were called since their alarms were read: only these can have something due at once. */
const called = new Set<string>()
/** Alarms that couriers were left with, in milliseconds. */
const waiting = new Map<string, number>()
noteCalls()

/** Notes calls of couriers: reading the alarm of every courier of a test file took longer than most deliveries. */
function noteCalls(): void {
  const prototype: object = CourierObject.prototype
  for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
    if (typeof value === 'function' && key !== 'constructor')
      Object.defineProperty(prototype, key, {
        configurable: true,
        writable: true,
        value(this: CourierObject, ...given: unknown[]) {
          const state: DurableObjectState = Reflect.get(this, 'ctx')
          called.add(String(state.id))
          return Reflect.apply(value, this, given)
        },
      })
}

/** Rings the alarms of all couriers until nothing is due at once: what was handed over has then been sent. */
export async function runCourierAlarms(): Promise<void> {
  for (const [id, at] of waiting) if (isDue(at)) called.add(id)
  // Couriers that are called meanwhile join the end of the set.
  for (const id of called) {
    const stub = env.COURIER.get(env.COURIER.idFromString(id))
    let at = await alarmOf(stub)
    for (let round = 0; round < 20 && at !== null && isDue(at); round += 1) {
      await runDurableObjectAlarm(stub)
      at = await alarmOf(stub)
    }
    called.delete(id)
    if (at === null) waiting.delete(id)
    else waiting.set(id, at)
  }
}

function alarmOf(stub: DurableObjectStub<CourierObject>): Promise<number | null> {
  return runInDurableObject(stub, (_, { storage }) => storage.getAlarm())
}

function isDue(at: number): boolean {
  return at <= Date.now() + 1_000
}

/** Waits until what the answers so far set going is delivered. */
export async function sentByCouriers(): Promise<void> {
  await settleLateWork()
  await runCourierAlarms()
}
