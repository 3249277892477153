import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { FilterRule } from '../../contract/filters'
import { filterCells, filterOf } from '../../db/filters'
import { combineQueries, execute, first, map, oneRow, type Query, rows } from '../../db/query'
import { filters, users } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type BlockAndMuteRules, type RuleList, selectRuleEntries } from '../policy/block-predicates'
/** Blocks, mutes and filters of a stream subscriber. */
export interface SubscriberRules {
  readonly hiding: BlockAndMuteRules
  readonly filters: readonly FilterRule[]
}

/** Entries of a list per query: some 700 kB of the two megabytes a value may have. */
const partSize = 20_000

/**
 * Loads all rules of an account, in one round trip; each further 20,000 entries of a list take another. Expired
 * mutes and filters may be included: rules are cached while time passes.
 */
export async function findRules(ctx: Ctx, accountId: AccountId): Promise<SubscriberRules> {
  const owner = { ctx, accountId }
  const found = await execute(
    ctx.db,
    combineQueries({
      blocks: part(owner, lists.blocks),
      blockedBy: part(owner, lists.blockedBy),
      mutes: part(owner, lists.mutes),
      domains: part(owner, lists.domains),
      filters: filtersOf(owner),
      languages: languagesOf(owner),
    }),
  )
  const whole = <E extends Entry>(list: List<E>, firstPart: readonly E[]) => loadRest(owner, list, firstPart)
  const keys = <K extends string | number>(entries: readonly (readonly [K])[]) =>
    new Set(entries.map(([key]) => key))
  const mutes = await whole(lists.mutes, found.mutes)
  return {
    hiding: {
      blocks: keys(await whole(lists.blocks, found.blocks)),
      blockedBy: keys(await whole(lists.blockedBy, found.blockedBy)),
      mutes: new Map(
        mutes.map(([id, hides, until]) => [
          id,
          { hidesNotifications: hides === 1, expiresAt: until === null ? null : new Date(until) },
        ]),
      ),
      domains: keys(await whole(lists.domains, found.domains)),
      languages: found.languages,
    },
    filters: found.filters,
  }
}

interface Owner {
  readonly ctx: Ctx
  readonly accountId: AccountId
}

type Entry = readonly [string | number, ...unknown[]]

/** A list of rules and the schema of its entries. */
interface List<E extends Entry> {
  readonly name: RuleList
  readonly read: z.ZodType<E[]>
}

const Ids = z.array(z.tuple([z.number()]))
const lists = {
  blocks: { name: 'blocks', read: Ids },
  blockedBy: { name: 'blockedBy', read: Ids },
  mutes: { name: 'mutes', read: z.array(z.tuple([z.number(), z.number(), z.number().nullable()])) },
  domains: { name: 'domains', read: z.array(z.tuple([z.string()])) },
} as const

/** Entries of a list after `after`, as a single JSON column. */
function part<E extends Entry>({ ctx, accountId }: Owner, list: List<E>, after?: E): Query<E[]> {
  const cell = selectRuleEntries(list.name, accountId, { after: after?.[0], limit: partSize })
  const found = first(ctx.db.select({ entries: sql<string>`${cell}`.as('entries') }).from(oneRow))
  return map(found, (row) => list.read.parse(JSON.parse(row?.entries ?? '[]')))
}

/** Completes a list from its first part. */
async function loadRest<E extends Entry>(owner: Owner, list: List<E>, firstPart: readonly E[]) {
  const entries = [...firstPart]
  let latest = firstPart
  while (latest.length === partSize) {
    latest = await execute(owner.ctx.db, part(owner, list, latest.at(-1)))
    entries.push(...latest)
  }
  return entries
}

function filtersOf({ ctx, accountId }: Owner): Query<readonly FilterRule[]> {
  const found = rows(
    ctx.db.select(filterCells).from(filters).where(eq(filters.accountId, accountId)).orderBy(filters.id),
  )
  return map(found, (all) => all.map(filterOf).filter((rule) => rule !== null))
}

function languagesOf({ ctx, accountId }: Owner): Query<ReadonlySet<string> | null> {
  const found = first(
    ctx.db.select({ settings: users.settings }).from(users).where(eq(users.accountId, accountId)),
  )
  return map(found, (row) => {
    const chosen = row?.settings.chosenLanguages ?? []
    return chosen.length === 0 ? null : new Set(chosen)
  })
}
