import { and, eq, sql } from 'drizzle-orm'
import { combineQueries, execute, first, map } from '../../db/query'
import { remoteActors, statusPins } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { done, ignored, type Outcome, rejected } from '../core/outcome'
import { statusOfActor } from '../statuses/remote/find-remote'
import { refusePin } from './pin'

/** Pins kept per remote account: other software has other limits. */
const maxRemotePins = 20

/** Add to or Remove from a collection of a remote account. */
export interface ReceivedPin {
  readonly statusUri: string
  /** Collection URI. Only the featured collection is supported. */
  readonly collection: string
}

/** Handles a remote pin; null where the status is unknown here. Idempotent. */
export async function receivePin(
  ctx: Ctx,
  actor: { readonly id: AccountId },
  { statusUri, collection }: ReceivedPin,
): Promise<Outcome | null> {
  const { featured, status } = await execute(ctx.db, facts(ctx, actor, statusUri))
  if (featured !== collection) return ignored('adds to an unsupported collection')
  if (status === null) return null
  if (status === 'of another') return rejected('pins a status of another account')
  const refusal = refusePin(actor.id, status)
  if (refusal !== null) return rejected(refusal.message)
  const pins = sql`(select count(*) from ${statusPins} where ${statusPins.accountId} = ${actor.id})`
  await commit(
    ctx,
    new Changes().add(
      ctx.db.run(sql`insert into ${statusPins} (id, account_id, status_id)
        select ${ctx.ids.next()}, ${actor.id}, ${status.id} where ${pins} < ${maxRemotePins}
        on conflict do nothing`),
    ),
  )
  return done
}

/** Handles the removal of a remote pin. */
export async function receiveUnpin(
  ctx: Ctx,
  actor: { readonly id: AccountId },
  { statusUri, collection }: ReceivedPin,
): Promise<Outcome> {
  const { featured, status } = await execute(ctx.db, facts(ctx, actor, statusUri))
  if (featured !== collection) return ignored('removes from an unsupported collection')
  if (status === null || status === 'of another') return ignored('unpins an unknown status')
  const own = and(eq(statusPins.accountId, actor.id), eq(statusPins.statusId, status.id))
  await commit(ctx, new Changes().add(ctx.db.delete(statusPins).where(own)))
  return done
}

function facts(ctx: Ctx, { id }: { readonly id: AccountId }, statusUri: string) {
  return map(
    combineQueries({
      actor: first(
        ctx.db
          .select({ featured: remoteActors.featured })
          .from(remoteActors)
          .where(eq(remoteActors.accountId, id)),
      ),
      status: statusOfActor(ctx, id, statusUri),
    }),
    ({ actor, status }) => ({ featured: actor?.featured ?? null, status }),
  )
}
