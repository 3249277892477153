import { eq, sql } from 'drizzle-orm'
import { execute, first } from '../../db/query'
import { accounts } from '../../db/schema'
import type { ProfileField } from '../../db/values'
import { Conflict, Unreachable } from '../../errors'
import { namesOfAccount } from '../../lib/addresses'
import type { AccountId } from '../../lib/ids'
import { findFieldLinks } from '../../lib/text/render'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit, done, ignored, type Outcome } from '../core/changes'
import { linksBack } from '../links/fetch-page'

/** Whether some field has a link whose page was not found to link back. */
export function hasUnprovenLink(fields: readonly ProfileField[]): boolean {
  return unprovenLinks(fields).some((link) => link !== null)
}

function unprovenLinks(fields: readonly ProfileField[]): readonly (string | null)[] {
  const links = findFieldLinks(fields.map(({ value }) => value))
  return links.map((link, index) => (fields[index]?.verifiedAt === null ? link : null))
}

/**
 * Fetches the pages that fields of a local account consist of, and marks the fields whose page links back to the account
 * with rel="me". What cannot be fetched stays unmarked until the profile is saved again. Emits `account.updated`.
 */
export async function verifyLinks(ctx: Ctx, id: AccountId): Promise<Outcome> {
  const { username, domain, fields, suspendedAt } = accounts
  const found = await execute(
    ctx.db,
    first(ctx.db.select({ username, domain, fields, suspendedAt }).from(accounts).where(eq(accounts.id, id))),
  )
  if (found === null || found.domain !== null || found.suspendedAt !== null)
    return ignored('the account is gone')
  const own = namesOfAccount(ctx.config.origin, found.username)
  const proofs = await Promise.all(
    unprovenLinks(found.fields).map((link) => (link === null ? false : isProven(ctx, link, own))),
  )
  if (!proofs.includes(true)) return done
  const verifiedAt = ctx.clock.now().getTime()
  const marked = found.fields.map((field, index) =>
    proofs[index] === true ? { ...field, verifiedAt } : field,
  )
  const isUnchanged = sql`exists (select 1 from accounts
    where id = ${id} and fields = ${JSON.stringify(found.fields)})`
  const changes = new Changes()
    .require(isUnchanged, new Conflict('profile_changed_meanwhile'))
    .add(
      ctx.db.update(accounts).set({ fields: marked, updatedAt: ctx.clock.now() }).where(eq(accounts.id, id)),
    )
    .emit({ kind: 'account.updated', accountId: id })
  try {
    await commit(ctx, changes)
    return done
  } catch (failure) {
    if (failure instanceof Conflict)
      return ignored('the profile was changed meanwhile, which is verified by itself')
    throw failure
  }
}

async function isProven(ctx: Ctx, link: string, own: readonly string[]): Promise<boolean> {
  try {
    return await linksBack(ctx, link, own)
  } catch (failure) {
    if (!(failure instanceof Unreachable)) throw failure
    ctx.log.info('Failed to fetch the page of a profile field', {
      host: URL.parse(link)?.host,
      cause: failure,
    })
    return false
  }
}
