import { eq, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { first, limitTo, type Query } from '../../db/query'
import { browserPushSubscriptions } from '../../db/schema'
import { NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { checkReceiver, type PushChoices, type PushReceiver } from './subscribe-push'

/** Session of a browser. */
interface BrowserSession {
  readonly id: number
  readonly accountId: AccountId
}

/** More than the browsers of any user; each costs a request for each notification. */
const mostPerAccount = 20

/**
 * Subscribes a browser to pushes for as long as its session lives, replacing its previous subscription, and that of whoever
 * was signed in there before.
 *
 * `Invalid` for an address that is not public https and for invalid keys. Beyond 20 subscriptions of an account the
 * oldest are deleted.
 */
export async function subscribeBrowser(
  ctx: Ctx,
  { id: sessionId, accountId }: BrowserSession,
  request: PushReceiver & PushChoices,
): Promise<void> {
  const receiver = await checkReceiver(ctx, request)
  const { alerts, policy } = request
  const own = browserPushSubscriptions
  const kept = alias(own, 'kept')
  const oldestKept = sql`(select ${kept.id} from ${own} ${kept} where ${kept.accountId} = ${accountId}
    order by ${kept.id} desc ${limitTo(1)} offset ${sql.raw(String(mostPerAccount - 1))})`
  const changes = new Changes().add(
    ctx.db.delete(own).where(or(eq(own.sessionId, sessionId), eq(own.endpoint, receiver.endpoint))),
    ctx.db.insert(own).values({
      id: ctx.ids.next(),
      sessionId,
      accountId,
      ...receiver,
      alerts,
      policy,
      createdAt: ctx.clock.now(),
    }),
    ctx.db.delete(own).where(sql`${own.accountId} = ${accountId} and ${own.id} < ${oldestKept}`),
  )
  await commit(ctx, changes)
}

/** Kinds and senders that are pushed to the browser of a session; null where nothing is. */
export function browserPushOf(ctx: Ctx, sessionId: number): Query<PushChoices | null> {
  const { alerts, policy } = browserPushSubscriptions
  const found = ctx.db
    .select({ alerts, policy })
    .from(browserPushSubscriptions)
    .where(eq(browserPushSubscriptions.sessionId, sessionId))
  return first(found)
}

/** Changes kinds and senders that are pushed to the browser of a session. `NotFound` where nothing is. */
export async function updateBrowserPush(ctx: Ctx, sessionId: number, choices: PushChoices): Promise<void> {
  const { alerts, policy } = choices
  const update = ctx.db
    .update(browserPushSubscriptions)
    .set({ alerts, policy })
    .where(eq(browserPushSubscriptions.sessionId, sessionId))
  const [changed] = await commit(ctx, new Changes().add(update))
  if (changed === 0) throw new NotFound()
}

/** Ends the pushes to the browser of a session. */
export async function unsubscribeBrowser(ctx: Ctx, sessionId: number): Promise<void> {
  const removal = ctx.db
    .delete(browserPushSubscriptions)
    .where(eq(browserPushSubscriptions.sessionId, sessionId))
  await commit(ctx, new Changes().add(removal))
}
