import { and, eq, sql } from 'drizzle-orm'
import { combineQueries, execute, first, map } from '../../db/query'
import { remoteActors, statusPins } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { done, ignored, type Outcome, rejected } from '../core/outcome'
import { statusOfActor } from '../statuses/remote/find-remote'
import { refusePin } from './pin'

/** How many pins of somebody elsewhere are kept: other software has other limits than ours. */
const maxRemotePins = 20

/** What somebody elsewhere added to a collection of theirs, or removed from it. */
export interface ReceivedPin {
  readonly statusUri: string
  /** The collection. Only that of pinned posts has a meaning here. */
  readonly collection: string
}

/** Somebody elsewhere pinned a post of theirs; null where it is unknown here. Again changes nothing. */
export async function receivePin(
  ctx: Ctx,
  doer: { readonly id: AccountId },
  { statusUri, collection }: ReceivedPin,
): Promise<Outcome | null> {
  const { featured, status } = await execute(ctx.db, facts(ctx, doer, statusUri))
  if (featured !== collection) return ignored('adds to a collection nobody looks at')
  if (status === null) return null
  if (status === 'of another') return rejected('pins what somebody else wrote')
  const refusal = refusePin(doer.id, status)
  if (refusal !== null) return rejected(refusal.message)
  const pins = sql`(select count(*) from ${statusPins} where ${statusPins.accountId} = ${doer.id})`
  await commit(
    ctx,
    new Changes().add(
      ctx.db.run(sql`insert into ${statusPins} (id, account_id, status_id)
        select ${ctx.ids.next()}, ${doer.id}, ${status.id} where ${pins} < ${maxRemotePins}
        on conflict do nothing`),
    ),
  )
  return done
}

/** Somebody elsewhere took a pin of theirs back. */
export async function receiveUnpin(
  ctx: Ctx,
  doer: { readonly id: AccountId },
  { statusUri, collection }: ReceivedPin,
): Promise<Outcome> {
  const { featured, status } = await execute(ctx.db, facts(ctx, doer, statusUri))
  if (featured !== collection) return ignored('removes from a collection nobody looks at')
  if (status === null || status === 'of another') return ignored('takes back no pin of theirs')
  const own = and(eq(statusPins.accountId, doer.id), eq(statusPins.statusId, status.id))
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
