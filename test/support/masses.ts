import { env } from 'cloudflare:workers'
import type { TestAccount } from './given'
import { clock } from './test-app'

let made = 0

/** Rows of `count` numbers from 0 as a table `n(i)`. */
export const numbers = (count: number) =>
  `(with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1}) select i from n) n`

export interface Masses {
  /** Id of the first of the accounts; the others count up from it. */
  readonly from: number
  readonly count: number
  /** `h<number>.<domain>` are their servers. */
  readonly domain: string
  readonly inboxes: readonly string[]
}

/**
 * Writes `count` remote accounts by SQL: far more than requests could make. Every one of `inboxes` is the shared inbox
 * of a server.
 */
export async function remoteMasses({
  count,
  inboxes = count,
}: {
  readonly count: number
  readonly inboxes?: number
}): Promise<Masses> {
  made += 1
  const [from, domain] = [made * 10_000_000, `masses${made}.test`]
  const now = clock.now().getTime()
  const host = `'h' || (n.i % ${inboxes}) || '.${domain}'`
  await env.DB.batch([
    env.DB.prepare(`insert into accounts (id, username, domain, uri, created_at, updated_at)
      select ${from} + n.i, 'u' || n.i, ${host}, 'https://' || ${host} || '/users/u' || n.i, ${now}, ${now}
      from ${numbers(count)}`),
    env.DB.prepare(`insert into remote_actors (account_id, inbox, shared_inbox, fetched_at)
      select ${from} + n.i, 'https://' || ${host} || '/users/u' || n.i || '/inbox', 'https://' || ${host} || '/inbox',
        ${now} from ${numbers(count)}`),
  ])
  const urls = Array.from(
    { length: Math.min(count, inboxes) },
    (_, index) => `https://h${index}.${domain}/inbox`,
  )
  return { from, count, domain, inboxes: urls }
}

/** Makes all of these accounts follow `target`. */
export async function followedByMasses(target: TestAccount, { from, count }: Masses): Promise<void> {
  await env.DB.prepare(
    `insert into follows (id, account_id, target_account_id, inbox_id, created_at)
      select ${from} + n.i, ${from} + n.i, ${target.id},
        (select i.id from remote_actors r cross join inboxes i on i.url = r.shared_inbox
          where r.account_id = ${from} + n.i), ${clock.now().getTime()}
      from ${numbers(count)}`,
  ).run()
}

/** Writes `count` members by SQL; returns the id of the first, from which those of the others count up. */
export async function memberMasses(count: number): Promise<number> {
  made += 1
  const from = made * 10_000_000
  const now = clock.now().getTime()
  await env.DB.batch([
    env.DB.prepare(`insert into accounts (id, username, created_at, updated_at)
      select ${from} + n.i, 'm${made}x' || n.i, ${now}, ${now} from ${numbers(count)}`),
    env.DB.prepare(`insert into users (account_id, email, password_hash, confirmed_at, created_at)
      select ${from} + n.i, 'm${made}x' || n.i || '@mail.test', '', ${now}, ${now} from ${numbers(count)}`),
  ])
  return from
}

/** Connects `count` new members, as apps do that listen to their home. */
export async function connectedMasses(count: number): Promise<void> {
  const from = await memberMasses(count)
  await env.DB.prepare(`insert into presences (account_id, channels)
    select ${from} + n.i, '["user","user:notification"]' from ${numbers(count)}`).run()
}
