import * as z from 'zod'
import { DeliveryHealthPage } from '../../contract/entities/admin/maintenance'
import { Flag } from '../../contract/scalars'
import { execute } from '../../db/query'
import { type CourierOf, findCouriers, findFailingHosts } from '../../domain/servers/reachability'
import { staff } from '../caller'
import { endpoint } from '../endpoint'

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
