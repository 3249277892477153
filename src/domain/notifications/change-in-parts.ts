import { and, eq, type SQL, sql } from 'drizzle-orm'
import { execute, inList, limitTo, rows } from '../../db/query'
import { notifications } from '../../db/schema'
import { NotFound } from '../../errors'
import type { AccountId, NotificationId } from '../../lib/ids'
import type { Job } from '../../messages/jobs'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { candidatesOfGroup } from './find-groups'

type ContinuedJob = Extract<Job, { kind: 'continue-notifications' }>

/** Notifications of one account that are deleted, or shown although they were filtered. */
export type NotificationChange = ContinuedJob['change']

/** Notifications that a request changes: each takes four to eight rows, of which 2,000 may be read. A job continues. */
const inRequest = { clear: 400, 'dismiss-group': 300, 'dismiss-senders': 260, show: 230 } as const
/** Filtered notifications beside those that a request clears; most accounts have none. */
const filteredInRequest = 80
const inJob = 5_000

/** Changes the latest notifications that are meant, in the request; a job changes those behind them. */
export async function changeNotifications(
  ctx: Ctx,
  accountId: AccountId,
  change: NotificationChange,
  changes = new Changes(),
): Promise<void> {
  // Later ones are not meant: ids count up.
  await changeSome(
    ctx,
    { accountId, before: ctx.ids.next(), change },
    { most: inRequest[change.what], changes },
  )
}

/** Changes the next notifications of a job. Runs may repeat. */
export async function continueNotifications(ctx: Ctx, job: ContinuedJob): Promise<void> {
  const changes = new Changes()
  if (job.change.what === 'show') changes.publish({ kind: 'notifications.merged', accountId: job.accountId })
  await changeSome(ctx, job, { most: inJob, changes })
}

type Part = Omit<ContinuedJob, 'kind'>

interface Extent {
  readonly most: number
  readonly changes: Changes
}

async function changeSome(ctx: Ctx, part: Part, { most, changes }: Extent): Promise<void> {
  const { change } = part
  if (change.what === 'dismiss-group')
    return dismissSome(ctx, { ...part, key: change.key }, { most, changes })
  const selections = selectionsOf(part, most)
  for (const selection of selections) {
    const meant = sql`${notifications.id} in (select id from (${selection}))`
    changes.add(
      change.what === 'show'
        ? ctx.db.update(notifications).set({ filtered: false }).where(meant)
        : ctx.db.delete(notifications).where(meant),
    )
  }
  // Evaluated after the writes: the remaining ones of the selection.
  const left = selectionsOf(part, 1).map((one) => sql`exists (${one})`)
  changes.enqueueWhere(sql`(${sql.join(left, sql` or `)})`, { kind: 'continue-notifications', ...part })
  await commit(ctx, changes)
}

/** The latest notifications that are meant, by index, as rows (id). */
function selectionsOf({ accountId, before, change }: Part, most: number): readonly SQL[] {
  const latest = (condition: SQL, count: number) => sql`select n.id from notifications n
    where n.account_id = ${accountId} and ${condition} and n.id < ${before} order by n.id desc ${limitTo(count)}`
  if (change.what === 'clear')
    return [
      latest(sql`n.filtered = 0`, most),
      latest(sql`n.filtered = 1`, most > inRequest.clear ? most : Math.min(most, filteredInRequest)),
    ]
  if (change.what === 'dismiss-group') return []
  // Same text as in the partial index, by sender: unordered, since several senders would be sorted.
  return [
    sql`select n.id from notifications n indexed by notifications_filtered where n.account_id = ${accountId}
      and n.filtered = 1 and ${inList(sql`n.from_account_id`, change.senders)} and n.id < ${before} ${limitTo(most)}`,
  ]
}

/** Dismisses those of a group among the latest of its time, which no index distinguishes. */
async function dismissSome(
  ctx: Ctx,
  { accountId, before, change, key }: Part & { readonly key: string },
  { most, changes }: Extent,
): Promise<void> {
  const { candidates, isMember } = candidatesOfGroup(viewerById(accountId), key, { before, most })
  const examined = await execute(
    ctx.db,
    rows(
      ctx.db
        .select({
          id: sql<NotificationId>`n.id`.as('id'),
          isMember: sql<number>`${isMember}`.as('is_member'),
        })
        .from(sql`(${candidates}) n`),
    ),
  )
  const members = examined.filter((each) => each.isMember === 1).map(({ id }) => id)
  if (members.length > 0) changes.add(ctx.db.delete(notifications).where(inList(notifications.id, members)))
  const oldest = Math.min(...examined.map(({ id }) => id))
  if (examined.length >= most)
    changes.enqueue({ kind: 'continue-notifications', accountId, before: oldest, change })
  await commit(ctx, changes)
}

/** Deletes one of the viewer's notifications; missing ones and those of other accounts are `NotFound`. */
export async function dismissNotification(ctx: Ctx, viewer: Viewer, id: NotificationId): Promise<void> {
  const own = and(eq(notifications.id, id), eq(notifications.accountId, viewer.id))
  const [removed] = await commit(ctx, new Changes().add(ctx.db.delete(notifications).where(own)))
  if (removed === 0) throw new NotFound()
}

/** Deletes all notifications of the viewer: the latest at once, a job those behind them. */
export function clearNotifications(ctx: Ctx, viewer: Viewer): Promise<void> {
  return changeNotifications(ctx, viewer.id, { what: 'clear' })
}

/** Deletes a group of the viewer's notifications: the latest at once, a job those behind. An unknown key is no error. */
export function dismissGroup(ctx: Ctx, viewer: Viewer, key: string): Promise<void> {
  return changeNotifications(ctx, viewer.id, { what: 'dismiss-group', key })
}

/** Deletes the viewer's notifications among `ids`. */
export async function dismissAll(ctx: Ctx, viewer: Viewer, ids: readonly NotificationId[]): Promise<void> {
  const own = and(eq(notifications.accountId, viewer.id), inList(notifications.id, ids))
  await commit(ctx, new Changes().add(ctx.db.delete(notifications).where(own)))
}
