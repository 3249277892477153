import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { combineQueries, execute, first, inList, jsonRows, limitTo, rows } from '../../db/query'
import { accounts, domainSuspensions, followRequests } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { FollowOptions } from '../relationships/follow-rows'
import { type EndingFollow, FollowsChanged, notifySevered, severFollows } from '../relationships/sever'
import { domainsUnder } from './find-limits'

/** Maximum of accounts that one part suspends, and of follows that it ends. */
const accountsPerPart = 150
const followsPerPart = 1_000
/** Maximum of accounts that one part notifies. */
const noticesPerPart = 500
/** Maximum of statements that one part sends. */
const statementsPerPart = 16

/** Adds the start of a suspension; `continueSuspension` does the rest. One in progress continues. */
export function startSuspension(ctx: Ctx, changes: Changes, domain: string, suspendedAt: Date): void {
  changes.add(
    ctx.db.run(sql`insert into ${domainSuspensions}
        (domain, event_id, suspended_at, domains, accounts_count, progressed_at)
      select ${domain}, ${ctx.ids.next()}, ${suspendedAt.getTime()}, json_group_array(name),
        coalesce(sum((select count(*) from accounts there where there.domain = name)), 0),
        ${ctx.clock.now().getTime()}
      from (${domainsUnder(domain)}) where true
      on conflict do nothing`),
  )
}

/**
 * Continues suspending the accounts of a server and its subdomains: one part, further ones while the invocation has
 * statements left, and a job for the rest.
 *
 * A part marks accounts, ends their follows and deletes their follow requests; the last parts notify the owners of
 * severed follows. Notifications by suspended accounts stay, hidden, and return when the limit is lifted. Each part
 * is one batch that also moves the progress, and may run twice. None in progress is no error: the limit was lifted.
 */
export async function continueSuspension(ctx: Ctx, domain: string): Promise<void> {
  do {
    if (!(await runPart(ctx, domain))) return
  } while (ctx.usage.statementsLeft() >= statementsPerPart)
  await ctx.jobs.send({ kind: 'continue-suspension', domain })
}

/** A suspension without progress for this long has lost its job. */
const stalledMilliseconds = 10 * 60_000

const isStalled = ({ clock }: Ctx) =>
  sql`${domainSuspensions.progressedAt} < ${clock.now().getTime() - stalledMilliseconds}`

/** Condition: the suspension of a server has stalled. */
export const hasStalledSuspensions = (ctx: Ctx) =>
  sql`exists (select 1 from ${domainSuspensions} where ${isStalled(ctx)})`

/** Cron: resumes stalled suspensions. */
export async function resumeSuspensions(ctx: Ctx): Promise<void> {
  const { domain } = domainSuspensions
  const stalled = await execute(
    ctx.db,
    rows(ctx.db.select({ domain }).from(domainSuspensions).where(isStalled(ctx))),
  )
  for (const row of stalled) await ctx.jobs.send({ kind: 'continue-suspension', domain: row.domain })
}

/** Runs one part, or nothing of it where a follow ended meanwhile. False: nothing is left to do. */
async function runPart(ctx: Ctx, domain: string): Promise<boolean> {
  const found = await execute(ctx.db, findPart(ctx, domain))
  if (found.suspension === null) return false
  const { stage } = found.suspension
  const changes = new Changes()
  if (stage === 'accounts') suspendPart(ctx, changes, { ...found, suspension: found.suspension })
  else notifyPart(ctx, changes, { ...found, suspension: found.suspension })
  try {
    await commit(ctx, changes)
  } catch (failure) {
    if (failure instanceof FollowsChanged) return true
    throw failure
  }
  return stage === 'accounts' || found.affected.length === noticesPerPart
}

type Suspension = typeof domainSuspensions.$inferSelect

interface Part {
  readonly suspension: Suspension
  /** Next accounts, with the position of their domain in the list of all. */
  readonly members: readonly { readonly id: AccountId; readonly position: number }[]
  /** Follows of and to these accounts. */
  readonly follows: readonly EndingFollow[]
  /** Next accounts to notify. */
  readonly affected: readonly { readonly id: AccountId }[]
}

function findPart(ctx: Ctx, domain: string) {
  // Cross joins fix the order: by domain and then by id.
  const next = sql`select a.id as id, item.key as position
    from domain_suspensions d cross join json_each(d.domains) item cross join accounts a
    where d.domain = ${domain} and d.stage = 'accounts' and item.key >= d.position
      and a.domain = item.value and a.id > iif(item.key = d.position, d.after_id, 0) ${limitTo(accountsPerPart)}`
  const options = sql`json_array(f.show_reblogs, f.notify, json(f.languages), f.show_replies, f.fewer) as options`
  const follows = sql`select f.id as id, f.target_account_id as account_id, t.id as other_id, 0 as followed, ${options}
      from (${next}) t cross join follows f on f.account_id = t.id
    union all
    select f.id, f.account_id, t.id, 1, ${options} from (${next}) t cross join follows f on f.target_account_id = t.id
    ${limitTo(followsPerPart)}`
  const affected = sql`select s.account_id as id from domain_suspensions d cross join account_severances s
    where d.domain = ${domain} and d.stage = 'notices' and s.event_id = d.event_id and s.account_id > d.after_id
    order by s.account_id ${limitTo(noticesPerPart)}`
  const id = sql<AccountId>`part.id`.as('id')
  const position = sql<number>`part.position`.as('position')
  return combineQueries({
    suspension: first(ctx.db.select().from(domainSuspensions).where(eq(domainSuspensions.domain, domain))),
    members: rows(ctx.db.select({ id, position }).from(sql`(${next}) part`)),
    follows: rows(
      ctx.db
        .select({
          id: sql<number>`part.id`.as('id'),
          accountId: sql<AccountId>`part.account_id`.as('account_id'),
          otherId: sql<AccountId>`part.other_id`.as('other_id'),
          followed: sql<boolean>`part.followed`.mapWith(Boolean).as('followed'),
          options: sql`part.options`.mapWith(parseOptions).as('options'),
        })
        .from(sql`(${follows}) part`),
    ),
    affected: rows(ctx.db.select({ id }).from(sql`(${affected}) part`)),
  })
}

const Options = z.tuple([z.number(), z.number(), z.array(z.string()).nullable(), z.number(), z.number()])

function parseOptions(column: unknown): FollowOptions {
  const [showReblogs, notify, languages, showReplies, fewer] = Options.parse(JSON.parse(String(column)))
  return {
    showReblogs: showReblogs === 1,
    notify: notify === 1,
    languages,
    showReplies: showReplies === 1,
    fewer: fewer === 1,
  }
}

function suspendPart(ctx: Ctx, changes: Changes, { suspension, members, follows }: Part): void {
  const { domain, suspendedAt, eventId } = suspension
  const ids = members.map(({ id }) => id)
  changes.add(
    ctx.db.delete(followRequests).where(sql`id in (
      select r.id from ${jsonRows(ids)} cross join follow_requests r on r.account_id = item.value
      union all
      select r.id from ${jsonRows(ids)} cross join follow_requests r on r.target_account_id = item.value)`),
  )
  severFollows(ctx, changes, { id: eventId, type: 'domain_block', target: domain, ending: follows })
  // After the follows: of a suspended account, those that are left forget its inbox.
  changes.add(
    ctx.db
      .update(accounts)
      .set({ suspendedAt })
      .where(sql`${inList(accounts.id, ids)} and suspended_at is null`),
  )
  // Of accounts with more follows than one part ends, the next part ends the others.
  const isComplete = follows.length < followsPerPart
  if (isComplete) advanceProgress(ctx, changes, suspension, members)
  else advanceProgress(ctx, changes, suspension, null)
}

/** Moves the progress behind `members`, unless another run has moved it meanwhile; null leaves it where it is. */
function advanceProgress(
  ctx: Ctx,
  changes: Changes,
  { domain, position, afterId, accountsDone }: Suspension,
  members: Part['members'] | null,
): void {
  const last = members?.at(-1)
  const isLast = members !== null && members.length < accountsPerPart
  const { stage, place } = isLast
    ? { stage: 'notices' as const, place: { position: 0, afterId: 0 } }
    : {
        stage: 'accounts' as const,
        place: { position: last?.position ?? position, afterId: last?.id ?? afterId },
      }
  changes.add(
    ctx.db
      .update(domainSuspensions)
      .set({
        ...place,
        stage,
        accountsDone: accountsDone + (members?.length ?? 0),
        progressedAt: ctx.clock.now(),
      })
      .where(
        sql`domain = ${domain} and stage = 'accounts' and position = ${position} and after_id = ${afterId}`,
      ),
  )
}

function notifyPart(ctx: Ctx, changes: Changes, { suspension, affected }: Part): void {
  const { domain, eventId } = suspension
  const ids = affected.map(({ id }) => id)
  notifySevered(ctx, changes, eventId, ids)
  const isThis = eq(domainSuspensions.domain, domain)
  const afterId = ids.at(-1)
  if (afterId === undefined || ids.length < noticesPerPart)
    changes.add(ctx.db.delete(domainSuspensions).where(isThis))
  else
    changes.add(
      ctx.db.update(domainSuspensions).set({ afterId, progressedAt: ctx.clock.now() }).where(isThis),
    )
}
