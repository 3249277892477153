import { type SQL, sql } from 'drizzle-orm'
import type { AccountId } from '../../lib/ids'

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

export interface Mute {
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
