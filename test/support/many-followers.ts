import { accounts, follows, remoteActors } from '../../src/db/schema'
import type { QueuedDelivery, SigningFacts } from '../../src/ports/federation'
import { ManualCourier } from './courier'
import type { TestAccount } from './given'
import { clock, context } from './test-app'

let made = 0

/** `count` people spread over `hosts` servers with shared inboxes, who follow `target`. Answers the hosts. */
export async function followedByMany(
  target: TestAccount,
  { count, hosts }: { readonly count: number; readonly hosts: number },
): Promise<readonly string[]> {
  made += 1
  const { db, ids } = context()
  const now = clock.now()
  const hostOf = (index: number) => `h${String(index % hosts).padStart(3, '0')}.crowd${made}.test`
  const people = Array.from({ length: count }, (_, index) => ({ id: ids.next(), host: hostOf(index), index }))
  for (let start = 0; start < count; start += 50)
    await db.batch([
      db.select().from(accounts).limit(1),
      ...people.slice(start, start + 50).flatMap(({ id, host, index }) => {
        const uri = `https://${host}/users/u${index}`
        const account = { id, uri, username: `u${index}`, domain: host, createdAt: now, updatedAt: now }
        const inboxes = { inbox: `${uri}/inbox`, sharedInbox: `https://${host}/inbox` }
        const tie = { accountId: id, targetAccountId: target.id }
        return [
          db.insert(accounts).values(account),
          db.insert(remoteActors).values({ ...inboxes, accountId: id, fetchedAt: now }),
          db.insert(follows).values({ ...tie, id: ids.next(), createdAt: now }),
        ]
      }),
    ])
  return [...new Set(people.map(({ host }) => host))]
}

/** Couriers that only a test rings, and a queue that waits to be worked off. */
export function manualPorts() {
  const couriers = new Map<string, ManualCourier>()
  const calls: string[] = []
  const queue: unknown[] = []
  const of = (host: string) => {
    const known = couriers.get(host) ?? new ManualCourier(host)
    couriers.set(host, known)
    return known
  }
  const enqueue = async (
    host: string,
    parcels: readonly QueuedDelivery[],
    signing: SigningFacts | null = null,
  ) => {
    calls.push(host)
    await of(host).handWith(signing, parcels)
  }
  const overrides = {
    couriers: { enqueue, wake: async () => undefined },
    jobs: { send: async (job: unknown) => void queue.push(job) },
  }
  return { couriers, calls, queue, overrides }
}
