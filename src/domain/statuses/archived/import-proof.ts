import { eq, sql } from 'drizzle-orm'
import { first, map, type Query } from '../../../db/query'
import { accounts } from '../../../db/schema'
import type { ImportProof } from '../../../db/schema/archives'
import type { ProfileField } from '../../../db/values'
import { namesOfAccount } from '../../../lib/addresses'
import type { AccountId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'

/**
 * What proves that the actor of an archive is the account that imports it: the actor names the account as an alias or has
 * moved to it, a field of its profile links to it, or its page was found to link back to the profile of the account. What
 * the account says of itself proves nothing. Null where nothing does. One statement.
 */
export function findImportProof(ctx: Ctx, owner: AccountId, actor: string): Query<ImportProof | null> {
  const { alsoKnownAs, movedToAccountId, fields } = accounts
  const found = ctx.db
    .select({
      alsoKnownAs,
      movedToAccountId,
      fields,
      uri: sql<string>`${accounts.uri}`,
      url: accounts.url,
      username: sql<string>`(select o.username from accounts o where o.id = ${owner})`.as('owner_name'),
      ownFields: sql<readonly ProfileField[]>`(select o.fields from accounts o where o.id = ${owner})`
        .mapWith((cell: string): readonly ProfileField[] => JSON.parse(cell))
        .as('owner_fields'),
    })
    .from(accounts)
    .where(eq(accounts.uri, actor))
  return map(first(found), (row) => {
    if (row === null) return null
    const own = namesOfAccount(ctx.config.origin, row.username).map((one) => one.toLowerCase())
    const isOwn = (address: string) => own.includes(address.toLowerCase())
    if (row.movedToAccountId === owner || row.alsoKnownAs.some(isOwn)) return 'alias'
    const links = row.fields.flatMap(({ html }) => [...html.matchAll(/href="([^"]+)"/g)])
    if (links.some(([, address = '']) => isOwn(address))) return 'link'
    const theirs = [row.uri, row.url]
    const isVerified = row.ownFields.some(
      ({ value, verifiedAt }) => verifiedAt !== null && theirs.includes(value.trim()),
    )
    return isVerified ? 'link' : null
  })
}
