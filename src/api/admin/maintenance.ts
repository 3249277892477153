import * as z from 'zod'
import {
  CourierPage,
  DeliveryCount,
  RebuiltCounters,
  SearchIndex,
  ServerCheck,
  WaitingEffects,
} from '../../contract/entities/admin/maintenance'
import { parseDomain } from '../../contract/handle'
import { Id, OptionalId } from '../../contract/scalars'
import { execute } from '../../db/query'
import { dropEffects, findWaitingEffects, retryEffects } from '../../domain/health/waiting-effects'
import { findIndexState, type IndexState, restartIndex } from '../../domain/search/index-statuses'
import { type CourierOf, dropCourier, findCouriers, retryCourier } from '../../domain/servers/reachability'
import { rebuildCounters } from '../../domain/statuses/rebuild-counters'
import { Invalid } from '../../errors'
import { endpoint, readEndpoint, staff } from '../endpoint'

const path = '/api/fieldfare/v1/admin'
const ById = z.object({ id: Id })
const devops = staff('admin:write', 'viewDevops')
const federation = staff('admin:write', 'manageFederation')

/** A host as people write it. */
const Host = z.string().transform((text, { addIssue }) => {
  const host = parseDomain(text)
  if (host !== null) return host
  addIssue('is not a host')
  return z.NEVER
})

const couriers = [
  endpoint({
    method: 'GET',
    path: `${path}/couriers`,
    summary: 'Deliveries to the servers of the next 40 inboxes, where any wait or failed; `next` goes on',
    auth: staff('admin:read', 'manageFederation'),
    input: z.object({ after: OptionalId }),
    output: CourierPage,
    run: async (ctx, { input }) => {
      const page = await findCouriers(ctx, input.after ?? 0)
      return {
        couriers: page.couriers.map(presentCourier),
        next: page.next === null ? null : String(page.next),
      }
    },
  }),
  ...(
    [
      ['retry', 'Retries all deliveries to a server at once', retryCourier],
      ['drop', 'Gives up all deliveries that wait for a server', dropCourier],
    ] as const
  ).map(([verb, summary, run]) =>
    endpoint({
      path: `${path}/couriers/${verb}`,
      summary,
      auth: federation,
      input: z.object({ host: Host }),
      output: DeliveryCount,
      run: async (ctx, { input, viewer }) => ({ count: await run(ctx, viewer, input.host) }),
    }),
  ),
]

const effects = [
  readEndpoint({
    path: `${path}/effects`,
    summary: 'Effects of events that were not run yet, or failed: the first 40',
    auth: staff('admin:read', 'viewDevops'),
    output: WaitingEffects,
    read: findWaitingEffects,
    show: (_ctx, { found: { count, entries } }) => ({
      count,
      entries: entries.map(({ id, kind, attempts, notBefore }) => ({
        id: String(id),
        kind,
        attempts,
        due_at: notBefore.toISOString(),
      })),
    }),
  }),
  endpoint({
    path: `${path}/effects/:id/retry`,
    summary: 'Runs effects with the next minute, with as many attempts as new ones',
    auth: devops,
    input: ById,
    run: (ctx, { input, viewer }) => retryEffects(ctx, viewer, input.id),
  }),
  endpoint({
    method: 'DELETE',
    path: `${path}/effects/:id`,
    summary: 'Drops effects, which then never happen',
    auth: devops,
    input: ById,
    run: (ctx, { input, viewer }) => dropEffects(ctx, viewer, input.id),
  }),
]

const rebuilding = [
  readEndpoint({
    path: `${path}/search_index`,
    summary: 'State of the index of statuses',
    auth: staff('admin:read', 'viewDevops'),
    output: SearchIndex,
    read: (ctx) => findIndexState(ctx),
    show: (_ctx, { found }) => presentIndex(found),
  }),
  endpoint({
    path: `${path}/search_index/rebuild`,
    summary: 'Indexes all statuses anew, the newest first, some 200 a minute',
    auth: devops,
    output: SearchIndex,
    run: async (ctx, { viewer }) => {
      await restartIndex(ctx, viewer)
      return presentIndex(await execute(ctx.db, findIndexState(ctx)))
    },
  }),
  endpoint({
    path: `${path}/counters/rebuild`,
    summary:
      'Counts statuses and follows of the next members anew, and in the end the instance; `next` goes on',
    auth: devops,
    input: z.object({ after: OptionalId }),
    output: RebuiltCounters,
    run: async (ctx, { input, viewer }) => {
      const { members, next } = await rebuildCounters(ctx, viewer, input.after ?? null)
      return { members, next: next === null ? null : String(next) }
    },
  }),
]

/** Upkeep of an instance: deliveries, effects, index and counters. */
export const adminMaintenance = [
  ...couriers,
  ...effects,
  ...rebuilding,
  endpoint({
    path: `${path}/federation/check`,
    summary: 'Tries each step of federation with a server: limits, software, WebFinger, signature, delivery',
    auth: federation,
    limit: 'remoteServers',
    input: z.object({ host: Host }),
    output: ServerCheck,
    run: async (ctx, { input: { host } }) => {
      if (ctx.config.ownDomains.includes(host)) throw new Invalid('this_server', { field: 'host' })
      return { host, steps: [...(await ctx.resolver.checkServer(host))] }
    },
  }),
]

function presentCourier(courier: CourierOf) {
  return {
    host: courier.host,
    pending: courier.pending,
    oldest_at: courier.oldestAt?.toISOString() ?? null,
    next_at: courier.nextAt?.toISOString() ?? null,
    failures: courier.failures,
    failing_since: courier.failingSince?.toISOString() ?? null,
    last_success_at: courier.lastSuccessAt?.toISOString() ?? null,
    last_error: courier.lastError,
    unreachable: courier.unreachable,
  }
}

function presentIndex({ waiting, walkedDownTo }: IndexState) {
  return { waiting, walked_down_to: walkedDownTo === null ? null : String(walkedDownTo) }
}
