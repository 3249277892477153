import { sql } from 'drizzle-orm'
import { inboxes, instances } from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

interface Contact {
  readonly domain: string
  /** Host of its actors and inboxes. */
  readonly host: string
}

/** Records that a server contacted this one: written at most once a day. Its inboxes count as reachable again. */
export async function touchInstance(ctx: Ctx, { domain, host }: Contact): Promise<void> {
  const now = ctx.clock.now()
  const changes = new Changes().add(
    ctx.db
      .update(instances)
      .set({ lastSeenAt: now })
      .where(sql`domain = ${domain} and coalesce(last_seen_at, 0) <= ${now.getTime() - dayMilliseconds}`),
    // Addresses that begin with this host: '0' comes after '/'.
    ctx.db
      .update(inboxes)
      .set({ unreachableSince: null })
      .where(
        sql`url > ${`https://${host}/`} and url < ${`https://${host}0`} and unreachable_since is not null`,
      ),
  )
  await commit(ctx, changes)
}
