import { type SQL, sql } from 'drizzle-orm'
import { map, optionalPrefixedColumns, prefixedColumns, type Query, rows } from '../../db/query'
import { accountWarnings, appeals } from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { idPage, newestFirst, type Page } from '../core/page'

/** Days for which a strike can be appealed against, as in Mastodon. */
const appealDays = 20

export type StrikeRow = typeof accountWarnings.$inferSelect

export interface FoundAppeal {
  readonly id: number
  readonly text: string
  readonly createdAt: Date
  readonly approvedAt: Date | null
  readonly rejectedAt: Date | null
  readonly decidedByAccountId: AccountId | null
}

/** A strike with its appeal and its context. */
export interface FoundStrike extends StrikeRow {
  readonly appeal: FoundAppeal | null
  /** Handle of the account it is against. */
  readonly targetAcct: string
  /** Rules that the report behind it names. */
  readonly ruleIds: readonly number[]
  /** End of the time for an appeal. */
  readonly appealableUntil: Date
  /** An appeal is possible now. */
  readonly isAppealable: boolean
}

/** Strikes against one account, newest first, or all. One statement. */
export function findStrikes(
  ctx: Ctx,
  of: { readonly targetId?: AccountId | undefined; readonly strikeId?: number },
  page: Page,
): Query<readonly FoundStrike[]> {
  const { bounds, order } = idPage(page, sql`${accountWarnings.id}`)
  const ofTarget =
    of.targetId === undefined ? sql`1` : sql`${accountWarnings.targetAccountId} = ${of.targetId}`
  const ofId = of.strikeId === undefined ? sql`1` : sql`${accountWarnings.id} = ${of.strikeId}`
  return map(strikesWhere(ctx, sql`${ofTarget} and ${ofId} and ${bounds}`, order), newestFirst)
}

/** Appeals with their strikes, newest first: pending ones, or all. */
export function findAppeals(
  ctx: Ctx,
  of: { readonly onlyPending: boolean; readonly appealId?: number },
  page: Page,
): Query<readonly FoundStrike[]> {
  const { bounds, order } = idPage(page, sql`${appeals.id}`)
  const isPending = sql`${appeals.approvedAt} is null and ${appeals.rejectedAt} is null`
  const ofId = of.appealId === undefined ? sql`1` : sql`${appeals.id} = ${of.appealId}`
  const found = strikesWhere(
    ctx,
    sql`${of.onlyPending ? isPending : sql`${appeals.id} is not null`} and ${ofId} and ${bounds}`,
    order,
    true,
  )
  return map(found, (all) => all.toSorted((a, b) => (b.appeal?.id ?? 0) - (a.appeal?.id ?? 0)))
}

function strikesWhere(ctx: Ctx, condition: SQL, order: SQL, fromAppeals = false): Query<FoundStrike[]> {
  const {
    id,
    accountId,
    targetAccountId,
    action,
    text,
    reportId,
    statusIds,
    createdAt,
    overruledAt,
    announced,
  } = accountWarnings
  const columns = {
    strike: prefixedColumns('w', {
      id,
      accountId,
      targetAccountId,
      action,
      text,
      reportId,
      statusIds,
      createdAt,
      overruledAt,
      announced,
    }),
    appeal: optionalPrefixedColumns('p', {
      id: appeals.id,
      text: appeals.text,
      createdAt: appeals.createdAt,
      approvedAt: appeals.approvedAt,
      rejectedAt: appeals.rejectedAt,
      decidedByAccountId: appeals.decidedByAccountId,
    }),
    acct: sql<string>`(select a.username || coalesce('@' || a.domain, '') from accounts a
      where a.id = ${targetAccountId})`.as('acct'),
    ruleIds: sql<string | null>`(select r.rule_ids from reports r where r.id = ${reportId})`.as('rule_ids'),
  }
  const isOf = sql`${appeals.strikeId} = ${id}`
  const found = fromAppeals
    ? ctx.db.select(columns).from(appeals).innerJoin(accountWarnings, isOf)
    : ctx.db.select(columns).from(accountWarnings).leftJoin(appeals, isOf)
  return map(rows(found.where(condition).orderBy(order)), (all) =>
    all.map(({ strike, appeal, acct, ruleIds }) =>
      withAppeal(strike, appeal, { acct, ruleIds: readIds(ruleIds), now: ctx.clock.now() }),
    ),
  )
}

function readIds(text: string | null): readonly number[] {
  const ids: unknown = JSON.parse(text ?? '[]')
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : []
}

type OptionalAppeal = { readonly [K in keyof FoundAppeal]: FoundAppeal[K] | null }

function withAppeal(
  strike: StrikeRow,
  { id, text, createdAt, ...decision }: OptionalAppeal,
  context: { readonly acct: string; readonly ruleIds: readonly number[]; readonly now: Date },
): FoundStrike {
  const appealableUntil = new Date(strike.createdAt.getTime() + appealDays * dayMilliseconds)
  const appeal =
    id === null || text === null || createdAt === null ? null : { id, text, createdAt, ...decision }
  return {
    ...strike,
    appeal,
    targetAcct: context.acct,
    ruleIds: context.ruleIds,
    appealableUntil,
    isAppealable: appeal === null && strike.overruledAt === null && context.now <= appealableUntil,
  }
}
