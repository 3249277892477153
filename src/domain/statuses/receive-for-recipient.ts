import { sql } from 'drizzle-orm'
import { homeEntries, statusMentions } from '../../db/schema'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { done, type Outcome } from '../core/outcome'

interface PersonalDelivery {
  readonly statusId: StatusId
  /** Local account whose personal inbox received it. */
  readonly username: string
}

/**
 * Handles a known status delivered to the inbox of another local account. A direct or private status becomes
 * visible to that account and enters its home feed if it follows the author. One round trip; repeating it changes
 * nothing.
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
  // Home feed first: once the account is a recipient, the earlier state is lost.
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
