import { combineQueries, execute } from '../../db/query'
import { actorRefsOf } from '../../domain/accounts/find-actor-refs'
import { ensureInstanceActor, findInstanceActor } from '../../domain/instance/actor'
import { collectionUrisIn, reportById } from '../../domain/reports/find'
import { type ForwardedStatus, statusesInReport } from '../../domain/statuses/find-reported'
import { instanceActorUri } from '../../lib/addresses'
import { instanceActorId } from '../../lib/ids'
import type { FederatedEvent } from '../../messages/events'
import type { Ctx } from '../../ports/ctx'
import { flagActivity } from '../serialise/activities'
import type { OutboundDelivery } from './delivery'

/**
 * Forwards a report to a remote server. The instance actor sends it, so that the reporter stays unknown there.
 *
 * The reported account's server receives every reported object; other servers only statuses that reply to their
 * accounts.
 */
export async function reportForwarded(
  ctx: Ctx,
  { reportId, domain }: Extract<FederatedEvent, { kind: 'report.forwarded' }>,
): Promise<OutboundDelivery | null> {
  const { report, statuses, collections, instanceActor } = await execute(
    ctx.db,
    combineQueries({
      report: reportById(ctx, reportId),
      statuses: statusesInReport(ctx, reportId),
      collections: collectionUrisIn(ctx, reportId),
      instanceActor: findInstanceActor(ctx),
    }),
  )
  if (report === null) return null
  const target = (await execute(ctx.db, actorRefsOf(ctx, [report.targetAccountId]))).get(
    report.targetAccountId,
  )
  if (target === undefined || target.domain === null) return null
  const isHome = target.domain === domain
  const shown = isHome ? statuses : statuses.filter(({ answers }) => answers === domain)
  const people = isHome ? [target.id] : answeredIn(shown)
  if (people.length === 0) return null
  await ensureInstanceActor(ctx, instanceActor)
  const actor = instanceActorUri(ctx.config.origin)
  const objects = [target.uri, ...shown.map(({ uri }) => uri), ...(isHome ? collections : [])]
  return {
    senderId: instanceActorId,
    sender: actor,
    recipients: { people, personal: isHome },
    activities: [flagActivity({ actor, id: report.id, objects, content: report.comment })],
  }
}

function answeredIn(statuses: readonly ForwardedStatus[]) {
  return statuses.flatMap(({ answeredId }) => answeredId ?? [])
}
