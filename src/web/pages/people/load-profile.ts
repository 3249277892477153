import type { Handle } from '../../../contract/handle'
import { combineQueries, constant, execute, type Query } from '../../../db/query'
import { idByHandle, selectByHandle } from '../../../domain/accounts/find'
import type { ViewerRef } from '../../../domain/core/viewer'
import { type Familiar, familiarFollowers } from '../../../domain/relationships/find'
import { type Imported, importsShownBy } from '../../../domain/statuses/archived/find-imports'
import { NotFound } from '../../../errors'
import type { Ctx } from '../../../ports/ctx'
import { type AccountBundle, accountsById, loadAccount, loadAccounts } from '../../../view/load/accounts'
import { loadRelationships, type RelationshipFacts } from '../../../view/load/relationships'
import { type FeaturedTagFacts, featuredTagsOf } from '../../../view/load/tags'
import { presentAccounts, presentOnlyAccount, presentRelationship } from '../../../view/present/account'
import { presentFeaturedTag } from '../../../view/present/tag'
import type { ProfileHeadProps } from '../../people/profile-head'
import { profileOf } from '../../people/profile-view'
import { personView } from '../../posts/post-view'

/** Rows behind the head of a profile. */
export interface ProfileFound {
  readonly account: AccountBundle
  readonly relationships: readonly RelationshipFacts[]
  readonly tags: readonly FeaturedTagFacts[]
  readonly imports: readonly Imported[]
  readonly familiar: readonly Familiar[]
}

/** Loads the head of the profile with this handle. Continued lists go without familiar followers. */
export function loadProfile(
  ctx: Ctx,
  as: ViewerRef,
  { handle, isFront }: { readonly handle: Handle; readonly isFront: boolean },
): Query<ProfileFound> {
  const owner = idByHandle(handle)
  return combineQueries({
    account: loadAccount(ctx, selectByHandle(handle)),
    relationships: loadRelationships(ctx, as, selectByHandle(handle)),
    tags: featuredTagsOf(ctx, owner),
    imports: importsShownBy(ctx, owner),
    familiar: isFront
      ? familiarFollowers(ctx, { viewer: as, ids: owner, now: ctx.clock.now() })
      : constant([]),
  })
}

const mostFaces = 3

/** Presents the head of a profile. Names of familiar followers take a round trip of their own. */
export async function profileHeadOf(
  ctx: Ctx,
  found: ProfileFound,
  { readerId, showsLimited }: { readonly readerId: number; readonly showsLimited: boolean },
): Promise<ProfileHeadProps> {
  const { config } = ctx
  const account = presentOnlyAccount(config, found.account)
  const [facts] = found.relationships
  if (facts === undefined) throw new NotFound()
  const profile = profileOf(config, account, {
    relationship: presentRelationship(facts),
    readerId,
    showsLimited,
  })
  const known = profile.hiding === null && !profile.isOwn ? (found.familiar[0]?.followers ?? []) : []
  const faces = known.slice(0, mostFaces)
  const bundle = faces.length === 0 ? null : await execute(ctx.db, loadAccounts(ctx, accountsById(faces)))
  return {
    profile,
    tags: found.tags.map((tag) => {
      const { name, statuses_count: posts } = presentFeaturedTag(config, tag)
      return { name, posts: Number(posts) }
    }),
    imports: found.imports,
    familiar: {
      people: bundle === null ? [] : presentAccounts(config, bundle).map((one) => personView(config, one)),
      count: known.length,
    },
  }
}
