import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import type { Endpoint } from '../../../src/api/endpoint'
import { actorKeys } from '../../../src/db/schema'
import { as, type Body } from '../../support/as'
import { fediverse } from '../../support/fediverse'
import type { Document } from '../../support/fediverse/documents'
import { testKey } from '../../support/fediverse/keys'
import type { Peer } from '../../support/fediverse/peer'
import { given } from '../../support/given'
import type { Scale } from '../../support/scale/figures'
import { fillD1 } from '../../support/scale/in-d1'
import type { ScaledInstance } from '../../support/scale/scaled-instance'
import { clock, context } from '../../support/test-app'
import { Meter } from './meter'

const local = ['star', 'crowded', 'reader', 'withdrawn', 'viral', 'member', 'owner'] as const
export type LocalRole = (typeof local)[number]

/** A generated instance with tokens of its accounts, remote actors that sign, and a meter. */
export interface World {
  readonly instance: ScaledInstance
  readonly meter: Meter
  readonly tokens: Readonly<Record<LocalRole, string>>
  /** Remote actors of the instance, able to sign. */
  readonly prolific: Peer
  readonly stranger: Peer
  /** Calls the API. Returns the bytes of the answer, or what went wrong. */
  call(by: LocalRole | null, method: Endpoint['method'], path: string, body?: Body): Promise<number | string>
  /** Delivers to the shared inbox. */
  deliver(peer: Peer, activity: Document): Promise<number | string>
  readonly uriOf: (status: number) => Promise<string>
}

export async function worldOf(scale: Scale): Promise<World> {
  const instance = await fillD1(scale)
  const { accounts } = instance.facts
  const meter = new Meter()
  const scopes = 'read write follow push profile admin:read admin:write'
  const entries = await Promise.all(
    local.map(async (role) => [role, await given.token({ accountId: accounts[role], scopes })] as const),
  )
  const tokens = Object.fromEntries(entries) as Record<LocalRole, string>
  const prolific = await signing(accounts.prolific)
  const stranger = await given.peer()
  const encoder = new TextEncoder()
  meter.start()
  return {
    instance,
    meter,
    tokens,
    prolific,
    stranger,
    call: async (by, method, path, body) => {
      clock.advance(1_000)
      const caller = as(by === null ? null : tokens[by])
      const answer = await caller.call(method, path, body, { overrides: meter.overrides })
      if (answer.status >= 400)
        return `${answer.status} ${JSON.stringify(answer.body).slice(0, 100)}: ${path}`
      return encoder.encode(JSON.stringify(answer.body)).byteLength
    },
    deliver: async (peer, activity) => {
      clock.advance(1_000)
      const answer = await peer.send(activity, { overrides: meter.overrides })
      return answer.status >= 300 ? `${answer.status} ${answer.text.slice(0, 100)}` : answer.text.length
    },
    uriOf: async (status) => {
      const found = await env.DB.prepare(
        'select coalesce(s.uri, ?1 || a.username || ?2 || s.id) as uri from statuses s join accounts a on a.id = s.account_id where s.id = ?3',
      )
        .bind(`${env.ORIGIN}/users/`, '/statuses/', status)
        .first<string>('uri')
      return found ?? ''
    },
  }
}

/** Gives a generated remote account the key of tests, so that it can sign. */
async function signing(id: number): Promise<Peer> {
  const row = await env.DB.prepare('select username, domain from accounts where id = ?')
    .bind(id)
    .first<{ username: string; domain: string }>()
  if (row === null) throw new Error(`no account ${id}`)
  const peer = await fediverse.actor({ host: row.domain, username: row.username })
  const { publicPem } = await testKey('rsa')
  await context().db.update(actorKeys).set({ publicKey: publicPem }).where(sql`account_id = ${id}`)
  return peer
}

/** Names of all tables, those behind full-text indexes included. */
export async function tablesOf(db: D1Database): Promise<readonly string[]> {
  const { results } = await db
    .prepare("select name from sqlite_master where type = 'table'")
    .all<{ name: string }>()
  return results.map(({ name }) => name)
}
