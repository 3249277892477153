import * as z from 'zod'
import {
  AdminArchiveImport,
  CleanedMedia,
  DeliveryHealthPage,
  Pruning,
  Relay,
} from '../../contract/entities/admin/maintenance'
import { PlatformUsage } from '../../contract/entities/admin/metrics'
import { AuditLogEntry } from '../../contract/entities/admin/report'
import { Flag, Id, OptionalId, OptionalText } from '../../contract/scalars'
import { execute, orNotFound } from '../../db/query'
import { removeImport } from '../../domain/cleanup/remove-archive-import'
import { type AuditFilter, findAuditLog } from '../../domain/core/audit'
import { cleanMedia } from '../../domain/pruning/clean-media'
import { pruneLimits } from '../../domain/pruning/prune'
import { loadState } from '../../domain/pruning/state'
import {
  createRelay,
  deleteRelay,
  disableRelay,
  enableRelay,
  findRelay,
  findRelays,
} from '../../domain/relays/change'
import { type CourierOf, findCouriers, findFailingHosts } from '../../domain/servers/reachability'
import { findImportById, findImports } from '../../domain/statuses/archived/find-imports'
import { loadUsage } from '../../domain/usage/read'
import { presentAuditLogEntry } from '../../view/present/admin-account'
import { presentAdminArchiveImport, presentPruning, presentRelay } from '../../view/present/admin-maintenance'
import { presentPlatformUsage } from '../../view/present/admin-metrics'
import { endpoint, readEndpoint, staff } from '../endpoint'
import { pageOf, paging, showPage } from '../paginate'
import { AdminResource } from './resource'

const path = '/api/fieldfare/v1/admin/archive_imports'

export const adminArchiveImports = [
  readEndpoint({
    path,
    summary: 'The archives that members imported, latest first, with what each brought',
    auth: staff('admin:read', 'manageUsers'),
    input: z.object(paging(40, 100)),
    output: z.array(AdminArchiveImport),
    read: (ctx, { input }) => findImports(ctx, pageOf(input)),
    show: showPage(presentAdminArchiveImport),
  }),
  endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    summary:
      'Removes an import: its statuses are deleted little by little, and nothing more of its actor is imported',
    auth: staff('admin:write', 'manageUsers'),
    input: z.object({ id: Id }),
    output: AdminArchiveImport,
    run: async (ctx, { input: { id }, viewer }) => {
      await removeImport(ctx, viewer, id)
      const found = await execute(ctx.db, orNotFound(findImportById(ctx, id)))
      return presentAdminArchiveImport(found)
    },
  }),
]

export const adminMedia = [
  endpoint({
    path: '/api/fieldfare/v1/admin/media/clean',
    summary:
      'Deletes files that nothing names, of the next 500, or with `dry_run` counts them; `next` goes on',
    auth: staff('admin:write', 'viewDevops'),
    input: z.object({ after: z.string().max(1_024).default(''), dry_run: Flag.default(false) }),
    output: CleanedMedia,
    run: async (ctx, { input: { after, dry_run: isDryRun }, viewer }) => {
      const { orphanBytes, ...part } = await cleanMedia(ctx, viewer, { after, isDryRun })
      return { ...part, orphan_bytes: orphanBytes }
    },
  }),
]

export const adminPruning = [
  readEndpoint({
    path: '/api/fieldfare/v1/admin/pruning',
    summary: 'Size of the database and its budget, what was pruned, and what is pruned next',
    auth: staff('admin:read', 'viewDashboard'),
    output: Pruning,
    read: loadState,
    show: (ctx, { found: { state, settings } }) =>
      presentPruning({
        state,
        limits: pruneLimits(ctx, settings),
        isOn: settings.pruning,
      }),
  }),
]

export const adminUsage = [
  readEndpoint({
    path: '/api/fieldfare/v1/admin/usage',
    summary: 'Usage of every quota of the platform with a forecast, and what is given up to stay within them',
    auth: staff('admin:read', 'viewDashboard'),
    output: PlatformUsage,
    read: loadUsage,
    show: (_, { found }) => presentPlatformUsage(found),
  }),
]

type Courier = Omit<CourierOf, 'failingSince'> & { readonly failingSince: Date | null }

export const adminDeliveryHealth = [
  endpoint({
    method: 'GET',
    path: '/api/fieldfare/v1/admin/delivery_health',
    summary: 'How deliveries to other servers go, the next of them; `failing` leaves out those that work',
    auth: staff('admin:read', 'manageFederation'),
    input: z.object({ failing: Flag.default(false), after: z.string().max(300).default('') }),
    output: DeliveryHealthPage,
    run: async (ctx, { input: { failing, after } }) => {
      if (!failing) {
        const { couriers, next } = await findCouriers(ctx, /^\d{1,16}$/.test(after) ? Number(after) : 0)
        return { hosts: couriers.map(presentHost), next: next === null ? null : String(next) }
      }
      const { hosts, next } = await execute(ctx.db, findFailingHosts(ctx, after))
      return {
        hosts: hosts.map((row) => presentHost({ ...row, pending: row.waiting, lastError: row.error })),
        next,
      }
    },
  }),
]

function presentHost(courier: Courier) {
  const state = courier.failures === 0 ? ('well' as const) : ('failing' as const)
  const at = (date: Date | null) => date?.toISOString() ?? null
  return {
    host: courier.host,
    state: courier.unreachable ? ('unreachable' as const) : state,
    last_success_at: at(courier.lastSuccessAt),
    failing_since: at(courier.failingSince),
    failures: courier.failures,
    waiting: courier.pending,
    oldest_at: at(courier.oldestAt),
    last_error: courier.lastError,
    next_attempt_at: at(courier.nextAt),
  }
}

const relays = new AdminResource({
  path: '/api/fieldfare/v1/admin/relays',
  reading: staff('admin:read', 'manageFederation'),
  writing: staff('admin:write', 'manageFederation'),
  output: Relay,
  present: presentRelay,
})

export const adminRelays = [
  relays.list('Relays, newest first', [40, 100], findRelays),
  relays.one('One relay', findRelay),
  relays.create('Adds a relay by the address of its inbox, and subscribes to it', {
    input: z.object({ inbox_url: OptionalText }),
    run: (ctx, { viewer, input }) => createRelay(ctx, viewer, input.inbox_url ?? ''),
  }),
  relays.act('enable', 'Subscribes to a relay, again where it has not accepted', enableRelay),
  relays.act('disable', 'Ends the subscription to a relay', disableRelay),
  relays.remove('Ends the subscription to a relay and removes it', deleteRelay),
]

const Filter = z.object({
  account_id: OptionalId,
  target_type: z.string().max(100).optional(),
  target_id: OptionalId,
})

export const adminAuditLog = [
  readEndpoint({
    path: '/api/fieldfare/v1/admin/audit_log',
    summary: 'Administrative acts, newest first, of one moderator or on one target',
    auth: staff('admin:read', 'viewAuditLog'),
    input: Filter.extend(paging(40, 100)),
    output: z.array(AuditLogEntry),
    read: (ctx, { input }) => findAuditLog(ctx, filterOf(input), pageOf(input)),
    show: showPage(presentAuditLogEntry),
  }),
]

function filterOf(input: z.output<typeof Filter>): AuditFilter {
  if (input.account_id !== undefined) return { by: input.account_id }
  if (input.target_type === undefined) return null
  return { targetType: input.target_type, targetId: input.target_id }
}
