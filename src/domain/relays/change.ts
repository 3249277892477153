import { eq, sql } from 'drizzle-orm'
import { execute, first, map, oneRow, orNotFound, type Query, rows } from '../../db/query'
import { relays } from '../../db/schema'
import { Conflict, Invalid } from '../../errors'
import type { RelayId } from '../../lib/ids'
import { addressProblem } from '../../lib/outgoing'
import { hostOf, parseWebAddress } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit, done, ignored, type Outcome } from '../core/changes'
import { idPage, newestFirst, type Page } from '../core/page'
import type { Moderator } from '../core/viewer'
import { mayContact } from '../servers/limits'

/**
 * Adds a relay and asks it for its statuses (`relay.requested`). `Invalid` for an address that this server may not
 * contact, and for one that is added already.
 */
export async function createRelay(ctx: Ctx, moderator: Moderator, address: string): Promise<Relay> {
  const inboxUrl = requireInbox(ctx, address)
  await requireContact(ctx, inboxUrl)
  const now = ctx.clock.now()
  const idle = {
    id: ctx.ids.next(),
    inboxUrl,
    state: 'idle',
    followId: null,
    createdAt: now,
    updatedAt: now,
  } as const
  const relay = { ...idle, ...request(ctx) }
  const changes = new Changes()
    .require(
      sql`not exists (select 1 from ${relays} where inbox_url = ${inboxUrl})`,
      new Invalid('taken', { field: 'inbox_url' }),
    )
    .require(
      sql`(select count(*) from ${relays}) < ${mostRelays}`,
      new Invalid('too_many_relays', { max: mostRelays }),
    )
    .add(ctx.db.insert(relays).values(relay))
    .emit({ kind: 'relay.requested', relayId: relay.id, followId: relay.followId })
  const after = { inboxUrl, state: relay.state }
  recordAudit(ctx, changes, moderator, { action: 'create', target: targetOf(relay), after })
  await commit(ctx, changes)
  return relay
}

/**
 * Subscribes to a relay, again where it has not answered or rejected (`relay.requested`). An accepted
 * one stays as it is. `Conflict` where the relay changed meanwhile.
 */
export async function enableRelay(ctx: Ctx, moderator: Moderator, id: RelayId): Promise<Relay> {
  const relay = await relayOrNotFound(ctx, id)
  if (relay.state === 'accepted') return relay
  await requireContact(ctx, relay.inboxUrl)
  const asked = request(ctx)
  const changes = changeState(ctx, relay, asked).emit({
    kind: 'relay.requested',
    relayId: id,
    followId: asked.followId,
  })
  recordAudit(ctx, changes, moderator, {
    action: 'enable',
    target: targetOf(relay),
    before: { state: relay.state },
    after: { state: asked.state },
  })
  await commit(ctx, changes)
  return { ...relay, ...asked }
}

/** Leaves a relay (`relay.left`): it receives nothing more, and its activities are ignored. An idle one stays as it is. */
export async function disableRelay(ctx: Ctx, moderator: Moderator, id: RelayId): Promise<Relay> {
  const relay = await relayOrNotFound(ctx, id)
  if (relay.state === 'idle') return relay
  const idle: StateChange = { state: 'idle', followId: null, updatedAt: ctx.clock.now() }
  const changes = leave(changeState(ctx, relay, idle), relay)
  recordAudit(ctx, changes, moderator, {
    action: 'disable',
    target: targetOf(relay),
    before: { state: relay.state },
    after: { state: idle.state },
  })
  await commit(ctx, changes)
  return { ...relay, ...idle }
}

/** Leaves a relay and removes it. Statuses that came through it stay. */
export async function deleteRelay(ctx: Ctx, moderator: Moderator, id: RelayId): Promise<void> {
  const relay = await relayOrNotFound(ctx, id)
  const changes = new Changes()
    .require(isUnchanged(relay), changedMeanwhile())
    .add(ctx.db.delete(relays).where(eq(relays.id, id)))
  leave(changes, relay)
  const before = { inboxUrl: relay.inboxUrl, state: relay.state }
  recordAudit(ctx, changes, moderator, { action: 'delete', target: targetOf(relay), before })
  await commit(ctx, changes)
}

type StateChange = Pick<Relay, 'state' | 'followId' | 'updatedAt'>

function request(ctx: Ctx) {
  return { state: 'pending' as const, followId: ctx.ids.next(), updatedAt: ctx.clock.now() }
}

function changeState(ctx: Ctx, relay: Relay, change: StateChange): Changes {
  return new Changes()
    .require(isUnchanged(relay), changedMeanwhile())
    .add(ctx.db.update(relays).set(change).where(eq(relays.id, relay.id)))
}

/** A relay that rejected the Follow has none to undo. */
function leave(changes: Changes, { state, followId, inboxUrl }: Relay): Changes {
  if (followId === null || state === 'rejected') return changes
  return changes.emit({ kind: 'relay.left', inboxUrl, followId })
}

async function relayOrNotFound(ctx: Ctx, id: RelayId): Promise<Relay> {
  const relay = await execute(ctx.db, orNotFound(findRelay(ctx, id)))
  return relay
}

function requireInbox({ config }: Ctx, text: string): string {
  if (text.trim() === '') throw new Invalid('blank', { field: 'inbox_url' })
  const address = parseWebAddress(text)
  const rules = { testHosts: config.federation.testHosts, ownHosts: config.ownDomains }
  const problem = address === null ? 'no_address' : addressProblem(address, rules)
  if (address === null || problem !== null)
    throw new Invalid([{ code: problem ?? 'no_address', values: { field: 'inbox_url' } }])
  return address
}

async function requireContact(ctx: Ctx, inboxUrl: string): Promise<void> {
  if (await execute(ctx.db, mayContact(ctx, hostOf(inboxUrl) ?? ''))) return
  throw new Invalid('not_federated', { field: 'inbox_url' })
}

function isUnchanged({ id, state, followId }: Relay) {
  return sql`exists (select 1 from ${relays} where id = ${id} and state = ${state} and follow_id is ${followId})`
}

function changedMeanwhile() {
  return new Conflict('relay_changed')
}

function targetOf({ id, inboxUrl }: Pick<Relay, 'id' | 'inboxUrl'>) {
  return { type: 'relay' as const, id, label: inboxUrl }
}

/** Answer of a relay to the Follow with this number. */
export interface RelayAnswer {
  readonly relayId: RelayId
  readonly followId: number
}

/** Relay accepts the current Follow. An answer to an earlier one is ignored. */
export function receiveRelayAccept(ctx: Ctx, answer: RelayAnswer): Promise<Outcome> {
  return answered(ctx, answer, 'accepted')
}

/** Relay rejects the current Follow, also one that it had accepted. */
export function receiveRelayReject(ctx: Ctx, answer: RelayAnswer): Promise<Outcome> {
  return answered(ctx, answer, 'rejected')
}

async function answered(
  ctx: Ctx,
  { relayId, followId }: RelayAnswer,
  state: 'accepted' | 'rejected',
): Promise<Outcome> {
  const current = sql`id = ${relayId} and follow_id = ${followId} and state in ('pending', 'accepted')`
  const stale = new Conflict('no_relay_subscription')
  const changes = new Changes()
    .require(sql`exists (select 1 from ${relays} where ${current} and state <> ${state})`, stale)
    .add(ctx.db.update(relays).set({ state, updatedAt: ctx.clock.now() }).where(current))
  try {
    await commit(ctx, changes)
    return done
  } catch (failure) {
    if (failure === stale) return ignored(stale.message)
    throw failure
  }
}

export type Relay = typeof relays.$inferSelect

/** Limit on relays: each takes a delivery of every public status. */
const mostRelays = 20

/** A page of relays, newest first. One statement. */
export function findRelays(ctx: Ctx, page: Page): Query<readonly Relay[]> {
  const { bounds, order } = idPage(page, sql`${relays.id}`)
  return map(rows(ctx.db.select().from(relays).where(bounds).orderBy(order)), newestFirst)
}

export function findRelay(ctx: Ctx, id: RelayId): Query<Relay | null> {
  return first(ctx.db.select().from(relays).where(eq(relays.id, id)))
}

/** Inboxes of the relays that receive public statuses. One statement, no row without relays. */
export function acceptedRelayInboxes(ctx: Ctx): Query<readonly string[]> {
  const found = ctx.db.select({ inboxUrl: relays.inboxUrl }).from(relays).where(sql`state = 'accepted'`)
  return map(rows(found), (all) => all.map(({ inboxUrl }) => inboxUrl))
}

export function isAcceptedRelay(ctx: Ctx, id: RelayId): Query<boolean> {
  const accepted = sql<number>`exists (select 1 from relays where id = ${id} and state = 'accepted')`
  const found = first(ctx.db.select({ accepted: accepted.as('accepted') }).from(oneRow))
  return map(found, (row) => row?.accepted === 1)
}
