import { type SQL, sql } from 'drizzle-orm'
import { limitTo } from '../../db/query'
import { accountDomainBlocks, blocks, mutes } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

// The rules of blocks, mutes and domain blocks, each as SQL and as a function on loaded rows. No other file spells the
// predicates; `block-rows.ts` and `relationships` read and write the rows.

/**
 * Predicates in SQL, made of a template tag. Operands are accounts, a domain, and the time in milliseconds. Column names
 * in operands have to be qualified.
 */
function predicates<I, O extends I>(tag: (strings: TemplateStringsArray, ...operands: I[]) => O) {
  const blocks = (by: I, target: I): O =>
    tag`exists (select 1 from blocks where blocks.account_id = ${by} and blocks.target_account_id = ${target})`
  return {
    /** Account `by` blocks `target`. */
    blocks,
    /** Either account blocks the other. */
    blocksEither: (one: I, other: I): O => tag`(${blocks(one, other)} or ${blocks(other, one)})`,
    /** Account `by` mutes `target` at `now`. */
    mutes: (by: I, target: I, now: I): O =>
      tag`exists (select 1 from mutes where mutes.account_id = ${by} and mutes.target_account_id = ${target}
        and (mutes.expires_at is null or mutes.expires_at > ${now}))`,
    /** Account `by` mutes notifications of `target` at `now`. */
    mutesNotifications: (by: I, target: I, now: I): O =>
      tag`exists (select 1 from mutes where mutes.account_id = ${by} and mutes.target_account_id = ${target}
        and mutes.hide_notifications = 1 and (mutes.expires_at is null or mutes.expires_at > ${now}))`,
    /** Account `by` blocks the domain; false for the null of local accounts. */
    blocksDomain: (by: I, domain: I): O =>
      tag`exists (select 1 from account_domain_blocks blocked
        where blocked.account_id = ${by} and blocked.domain = ${domain})`,
    /** A local account blocks the domain. The domains are read once in a statement. */
    isDomainBlocked: (domain: I): O =>
      tag`${domain} in (select blocked.domain from account_domain_blocks blocked)`,
    /** Account `by` blocks or mutes an account, or blocks a domain; expired mutes count. */
    hasAny: (by: I): O =>
      tag`(exists (select 1 from blocks where blocks.account_id = ${by})
        or exists (select 1 from mutes where mutes.account_id = ${by})
        or exists (select 1 from account_domain_blocks blocked where blocked.account_id = ${by}))`,
    /** Account `by` blocks the domain of `target`, whose row is looked up. */
    blocksDomainOf: (by: I, target: I): O =>
      tag`exists (select 1 from account_domain_blocks blocked join accounts there on there.domain = blocked.domain
        where blocked.account_id = ${by} and there.id = ${target})`,
  }
}

/** Predicates with bound operands: ids, milliseconds or SQL. Texts, such as domains, have to be wrapped in `sql`. */
export const blockSql = predicates<number | SQL, SQL>((strings, ...operands) => sql(strings, ...operands))

/** Predicates as constant SQL text, with operands of constant SQL text only. */
export const blockText = predicates<string, string>(String.raw)

/** Blocks, mutes and chosen languages of an account, loaded for matching live events. */
export interface BlockAndMuteRules {
  readonly blocks: ReadonlySet<AccountId>
  readonly blockedBy: ReadonlySet<AccountId>
  readonly mutes: ReadonlyMap<AccountId, Mute>
  readonly domains: ReadonlySet<string>
  /** Null: all languages. */
  readonly languages: ReadonlySet<string> | null
}

interface Mute {
  readonly hidesNotifications: boolean
  readonly expiresAt: Date | null
}

/** Whether a mute has not expired. */
export function isMuteActive({ expiresAt }: Mute, now: Date): boolean {
  return expiresAt === null || expiresAt > now
}

/** The predicates of `blockSql` on the loaded rules of one account. */
export const blockRules = {
  blocks: (by: BlockAndMuteRules, target: AccountId) => by.blocks.has(target),
  blockedBy: (by: BlockAndMuteRules, target: AccountId) => by.blockedBy.has(target),
  mutes: (by: BlockAndMuteRules, target: AccountId, now: Date) => {
    const mute = by.mutes.get(target)
    return mute !== undefined && isMuteActive(mute, now)
  },
  mutesNotifications: (by: BlockAndMuteRules, target: AccountId, now: Date) => {
    const mute = by.mutes.get(target)
    return mute?.hidesNotifications === true && isMuteActive(mute, now)
  },
  blocksDomain: (by: BlockAndMuteRules, domain: string | null) => domain !== null && by.domains.has(domain),
}

/**
 * Left joins of what stands between `page.me` and the account `a`: `b`, the block, `bb`, the block by the account, `m`, the
 * mute at `now` in milliseconds, and `d`, the domain block.
 */
export function joinBlocksAndMutes(now: number): SQL {
  return sql`left join blocks b on b.account_id = page.me and b.target_account_id = a.id
    left join blocks bb on bb.account_id = a.id and bb.target_account_id = page.me
    left join mutes m on m.account_id = page.me and m.target_account_id = a.id
      and (m.expires_at is null or m.expires_at > ${now})
    left join account_domain_blocks d on d.account_id = page.me and d.domain = a.domain`
}

/** Decoder of the column `m.expires_at` of `joinBlocksAndMutes`. */
export const muteExpiry = mutes.expiresAt

/** Statement that reads target and expiry of the mutes whose ids are the cursors of `selection`. */
export function selectMuteExpiries(ctx: Ctx, selection: SQL) {
  return ctx.db
    .select({ id: mutes.targetAccountId, expiresAt: mutes.expiresAt })
    .from(mutes)
    .where(sql`${mutes.id} in (select cursor from (${selection}))`)
}

/** Selects the target of the block by `by` whose activity has the id `uri`, with `kind` (kind, target). */
export function selectBlockByUri(kind: string, by: AccountId, uri: string): SQL {
  return sql`select ${kind} as kind, target_account_id as target
    from blocks where account_id = ${by} and uri = ${uri}`
}

/** From clauses of an account's own rows: `b` and `m` with their target `a`, and `d`. */
export const ownRows = {
  blocks: (owner: AccountId) =>
    sql`from blocks b join accounts a on a.id = b.target_account_id where b.account_id = ${owner}`,
  mutes: (owner: AccountId) =>
    sql`from mutes m join accounts a on a.id = m.target_account_id where m.account_id = ${owner}`,
  domainBlocks: (owner: AccountId) => sql`from account_domain_blocks d where d.account_id = ${owner}`,
}

/** Columns that count an account's own rows. */
export function countOwnRows(owner: AccountId) {
  const count = (table: string) =>
    sql<number>`(select count(*) from ${sql.raw(table)} where account_id = ${owner})`
  return {
    blocks: count('blocks').as('blocks'),
    mutes: count('mutes').as('mutes'),
    domain_blocks: count('account_domain_blocks').as('domain_blocks'),
  }
}

/** Parts of `BlockAndMuteRules` that are lists of rows. */
export type RuleList = 'blocks' | 'blockedBy' | 'mutes' | 'domains'

const lists: Readonly<Record<RuleList, { from: string; owner: string; key: string; rest: string }>> = {
  blocks: { from: 'blocks', owner: 'account_id', key: 'target_account_id', rest: '' },
  blockedBy: { from: 'blocks', owner: 'target_account_id', key: 'account_id', rest: '' },
  mutes: {
    from: 'mutes',
    owner: 'account_id',
    key: 'target_account_id',
    rest: ', hide_notifications, expires_at',
  },
  domains: { from: 'account_domain_blocks', owner: 'account_id', key: 'domain', rest: '' },
}

/** Sub-select of the first `limit` entries behind the key `after`, as a JSON array of rows [key, …] in order of the key. */
export function selectRuleEntries(
  list: RuleList,
  accountId: AccountId,
  { after, limit }: { readonly after?: string | number | undefined; readonly limit: number },
): SQL {
  const { from, owner, key, rest } = lists[list]
  return sql`(select json_group_array(json(entry)) from (
    select json_array(${sql.raw(`${key}${rest}`)}) as entry from ${sql.raw(from)}
    where ${sql.raw(owner)} = ${accountId} and ${after === undefined ? sql`1` : sql`${sql.raw(key)} > ${after}`}
    order by ${sql.raw(key)} ${limitTo(limit)}))`
}

/** Statements that delete at most `most` of the blocks, of the mutes and of the domain blocks by a deleted account. */
export function deleteSomeBlocksAndMutesBy(ctx: Ctx, id: AccountId, most: number) {
  return [accountDomainBlocks, blocks, mutes].map((table) =>
    ctx.db
      .delete(table)
      .where(
        sql`account_id = ${id} and id in (select id from ${table} where account_id = ${id} order by id ${limitTo(most)})`,
      ),
  )
}
