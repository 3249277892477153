import { eq, sql } from 'drizzle-orm'
import { execute, first } from '../../db/query'
import { allowedDomains } from '../../db/schema'
import { NotFound } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/moderator'
import { type AllowedDomainRow, allowedById } from './find-limits'
import { requireDomainName } from './limitable-domain'

/** Adds a domain to the allow-list of limited federation mode; returns the entry, also one that existed. */
export async function allowDomain(ctx: Ctx, moderator: Moderator, name: string): Promise<AllowedDomainRow> {
  const domain = requireDomainName(name)
  const known = await execute(ctx.db, allowedOn(ctx, domain))
  if (known !== null) return known
  const row = { domain, id: ctx.ids.next(), createdAt: ctx.clock.now() }
  const changes = new Changes().add(ctx.db.insert(allowedDomains).values(row).onConflictDoNothing())
  await commit(ctx, recordAudit(ctx, changes, moderator, { action: 'create', target: targetOf(row) }))
  return row
}

/** Removes an entry from the allow-list. `NotFound` when it is not on it. */
export async function disallowDomain(ctx: Ctx, moderator: Moderator, id: number): Promise<void> {
  const row = await execute(ctx.db, allowedById(ctx, id))
  if (row === null) throw new NotFound()
  const changes = new Changes()
    .require(sql`exists (select 1 from allowed_domains where id = ${row.id})`, new NotFound())
    .add(ctx.db.delete(allowedDomains).where(eq(allowedDomains.id, row.id)))
  await commit(ctx, recordAudit(ctx, changes, moderator, { action: 'delete', target: targetOf(row) }))
}

function allowedOn(ctx: Ctx, domain: string) {
  return first(ctx.db.select().from(allowedDomains).where(eq(allowedDomains.domain, domain)))
}

function targetOf({ id, domain }: AllowedDomainRow) {
  return { type: 'domain_allow' as const, id, label: domain }
}
