import { sql } from 'drizzle-orm'
import { homeEntries, statusMentions } from '../../db/schema'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { done, type Outcome } from '../core/outcome'

interface PersonalDelivery {
  readonly statusId: StatusId
  /** The person of this server whose own inbox it was put into. */
  readonly username: string
}

/**
 * A post that is known here was put into the inbox of another person of this server: one that is not for everybody
 * is from now on for them too, and enters their home where they follow its author. One trip; again it changes nothing.
 */
export async function receiveForRecipient(
  ctx: Ctx,
  author: { readonly id: AccountId },
  { statusId, username }: PersonalDelivery,
): Promise<Outcome> {
  const reached = sql`statuses s cross join accounts reader
    where s.id = ${statusId} and s.account_id = ${author.id} and s.visibility in ('direct', 'private')
      and lower(reader.username) = lower(${username}) and coalesce(reader.domain, '') = '' and reader.suspended_at is null`
  const isFollowing = sql`exists (select 1 from follows f
    where f.account_id = reader.id and f.target_account_id = s.account_id)`
  // The home first: once the person is among the readers, nothing tells that they were not before.
  const changes = new Changes().add(
    ctx.db.run(sql`insert into ${homeEntries} (account_id, status_id) select reader.id, s.id from ${reached}
      and s.visibility = 'direct' and ${isFollowing} and not exists (select 1 from status_mentions m
        where m.status_id = s.id and m.account_id = reader.id)
      on conflict do nothing`),
    ctx.db.run(sql`insert into ${statusMentions} (status_id, account_id) select s.id, reader.id from ${reached}
      on conflict do nothing`),
  )
  await commit(ctx, changes)
  return done
}
