import { eq, lt, sql } from 'drizzle-orm'
import { parseDomain } from '../../contract/handle'
import { execute, first, map, orNotFound, type Query, rows } from '../../db/query'
import { emailDomainAttempts, emailDomainBlocks } from '../../db/schema'
import { Invalid, NotFound } from '../../errors'
import { dayOf } from '../../lib/days'
import { networkOf } from '../../lib/network'
import { sha256Hex } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import { idPage, newestFirst, type Page } from '../core/page'
import type { Moderator } from '../core/viewer'

export type EmailDomainBlockRow = typeof emailDomainBlocks.$inferSelect

/** Days that the history of attempts covers, today included. */
export const historyDays = 7

/** A page of blocks, newest first. One statement. */
export function findEmailDomainBlocks(ctx: Ctx, page: Page): Query<readonly EmailDomainBlockRow[]> {
  const { bounds, order } = idPage(page, sql`${emailDomainBlocks.id}`)
  return map(rows(ctx.db.select().from(emailDomainBlocks).where(bounds).orderBy(order)), newestFirst)
}

export function findEmailDomainBlock(ctx: Ctx, id: number): Query<EmailDomainBlockRow | null> {
  return first(ctx.db.select().from(emailDomainBlocks).where(eq(emailDomainBlocks.id, id)))
}

/**
 * Blocks e-mail addresses of a domain and its subdomains, and those whose mail a server of that domain receives.
 * `Invalid` for bad names and domains that are blocked already.
 */
export async function createEmailDomainBlock(
  ctx: Ctx,
  moderator: Moderator,
  { domain: name, allowWithApproval }: { readonly domain: string; readonly allowWithApproval: boolean },
): Promise<EmailDomainBlockRow> {
  const domain = requireMailDomain(name)
  const row = { id: ctx.ids.next(), domain, allowWithApproval, history: {}, createdAt: ctx.clock.now() }
  const changes = new Changes()
    .require(
      sql`not exists (select 1 from email_domain_blocks where domain = ${domain})`,
      new Invalid('taken', { field: 'domain' }),
    )
    .add(ctx.db.insert(emailDomainBlocks).values(row))
  recordAudit(ctx, changes, moderator, {
    action: 'create',
    target: targetOf(row),
    after: { allowWithApproval },
  })
  await commit(ctx, changes)
  return row
}

/** Lifts a block and forgets its history. `NotFound` where there is none. */
export async function deleteEmailDomainBlock(ctx: Ctx, moderator: Moderator, id: number): Promise<void> {
  const current = await execute(ctx.db, orNotFound(findEmailDomainBlock(ctx, id)))
  const changes = new Changes()
    .require(sql`exists (select 1 from email_domain_blocks where id = ${id})`, new NotFound())
    .add(
      ctx.db.delete(emailDomainAttempts).where(eq(emailDomainAttempts.blockId, id)),
      ctx.db.delete(emailDomainBlocks).where(eq(emailDomainBlocks.id, id)),
    )
  recordAudit(ctx, changes, moderator, {
    action: 'delete',
    target: targetOf(current),
    before: { allowWithApproval: current.allowWithApproval },
  })
  await commit(ctx, changes)
}

/** Adds an attempt to sign up to the history of the blocks that it met: each network counts once a day. */
export async function recordAttempt(
  ctx: Ctx,
  changes: Changes,
  { blockIds, ip }: { readonly blockIds: readonly number[]; readonly ip: string | null },
): Promise<void> {
  const today = dayOf(ctx.clock.now())
  const networkHash = await sha256Hex(`${ctx.config.domain} ${today} ${networkOf(ip ?? '')}`)
  // Inlined: a bound number is a float, and would become a key like `20780.0`.
  const [day, oldest] = [sql.raw(String(today)), sql.raw(String(today - historyDays + 1))]
  const at = (index: 0 | 1) =>
    sql`coalesce(json_extract(history, '$."${day}"[${sql.raw(String(index))}]'), 0)`
  for (const id of blockIds) {
    const isNew = sql`not exists (select 1 from email_domain_attempts
      where block_id = ${id} and day = ${day} and network_hash = ${networkHash})`
    const history = sql`(select json_group_object(cast(day as text), json(counts)) from (
      select key as day, value as counts from json_each(history)
        where cast(key as integer) between ${oldest} and ${day} - 1
      union all select ${day}, json_array(${at(0)} + (${isNew}), ${at(1)} + 1)))`
    changes.add(
      ctx.db.update(emailDomainBlocks).set({ history }).where(eq(emailDomainBlocks.id, id)),
      ctx.db.run(sql`insert or ignore into email_domain_attempts (block_id, day, network_hash)
        select id, ${day}, ${networkHash} from email_domain_blocks where id = ${id}`),
    )
  }
}

/** Deletes the hashes of networks of former days: a periodic task. */
export async function pruneAttempts(ctx: Ctx): Promise<void> {
  const former = lt(emailDomainAttempts.day, dayOf(ctx.clock.now()))
  await commit(ctx, new Changes().add(ctx.db.delete(emailDomainAttempts).where(former)))
}

function requireMailDomain(name: string): string {
  const text = name.trim().replace(/^@/, '')
  if (text === '') throw new Invalid('blank', { field: 'domain' })
  const domain = parseDomain(text)
  if (domain === null || domain.includes(':')) throw new Invalid('invalid_domain', { field: 'domain' })
  return domain
}

function targetOf({ id, domain }: Pick<EmailDomainBlockRow, 'id' | 'domain'>) {
  return { type: 'email_domain_block' as const, id, label: domain }
}
