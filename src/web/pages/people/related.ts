import { execute } from '../../../db/query'
import { selectKnown } from '../../../domain/accounts/find'
import { viewerById } from '../../../domain/core/viewer'
import type { Ctx } from '../../../ports/ctx'
import type { AccountBundle } from '../../../view/load/accounts'
import { loadRelationships } from '../../../view/load/relationships'
import { presentAccounts, presentRelationship } from '../../../view/present/account'
import { type RelatedPerson, relatedPerson } from '../../people/profile-view'

/** The accounts of a bundle with the relationship of the member to each: one round trip, as with the API. */
export async function relatedPeople(
  ctx: Ctx,
  bundle: AccountBundle,
  readerId: number,
): Promise<readonly RelatedPerson[]> {
  if (bundle.ids.length === 0) return []
  const selection = selectKnown(bundle.ids)
  const facts = await execute(ctx.db, loadRelationships(ctx, viewerById(readerId), selection))
  const relationships = new Map(facts.map((one) => [String(one.id), presentRelationship(one)]))
  return presentAccounts(ctx.config, bundle).flatMap((account) => {
    const relationship = relationships.get(account.id)
    return relationship === undefined ? [] : [relatedPerson(ctx.config, account, { relationship, readerId })]
  })
}
