import { type SQL, sql } from 'drizzle-orm'
import type { FeaturePolicy } from '../../db/values'
import type { ViewerRef } from '../core/viewer'
import { isVisibleAccount } from './account-visibility'
import { blockSql, blockText } from './block-predicates'
import { accountNotBlockedOrMuted } from './blocks-and-mutes'
/** Columns that decide who may put an account into a collection. */
export interface Featurable {
  readonly domain: string | null
  readonly discoverable: boolean | null
  readonly featurePolicy: FeaturePolicy | null
}

/** Relation of an account that wants to feature another one to it; null where not looked up. */
export interface FeaturerRelation {
  readonly isSelf: boolean
  readonly followsTarget: boolean | null
  readonly followedByTarget: boolean | null
}

export type FeatureVerdict = 'automatic' | 'manual' | 'denied' | 'unknown' | 'missing'

const nobodyMayFeature: FeaturePolicy = { automatic: [], manual: [] }
const anybodyMayFeature: FeaturePolicy = { automatic: ['public'], manual: [] }

/**
 * Policy that decides who may feature an account: for local accounts by `discoverable` (Mastodon's rule), for remote ones
 * as their actor states. Null where it states nothing, which is no consent (FEP-7aa9).
 */
export function featurePolicyOf({ domain, discoverable, featurePolicy }: Featurable): FeaturePolicy | null {
  if (domain !== null) return featurePolicy
  return discoverable === true ? anybodyMayFeature : nobodyMayFeature
}

/** Decides whether an account may feature another one, and whether that has to consent first. Oneself: always. */
export function mayFeature(policy: FeaturePolicy | null, relation: FeaturerRelation): FeatureVerdict {
  if (relation.isSelf) return 'automatic'
  if (policy === null) return 'missing'
  if (covers(policy.automatic, relation)) return 'automatic'
  if (covers(policy.manual, relation)) return 'manual'
  const isUnclear = [...policy.automatic, ...policy.manual].some(
    (who) =>
      who === 'unsupported_policy' ||
      (who === 'followers' && relation.followsTarget === null) ||
      (who === 'following' && relation.followedByTarget === null),
  )
  return isUnclear ? 'unknown' : 'denied'
}

function covers(who: FeaturePolicy['automatic'], relation: FeaturerRelation): boolean {
  return (
    who.includes('public') ||
    (who.includes('followers') && relation.followsTarget === true) ||
    (who.includes('following') && relation.followedByTarget === true)
  )
}

/** Whether the account `a` may be recommended, by its own row. Same text as in the indexes of the directory. */
export const mayBeListed = sql`a.discoverable = 1 and a.suspended_at is null and a.silenced_at is null
  and a.moved_to_account_id is null and a.memorial = 0`

/**
 * Whether the account `a` may be recommended to this viewer: discoverable, not moved, not limited by moderators, and
 * neither blocked or muted by the viewer nor blocking them.
 */
export function mayBeRecommended(viewer: ViewerRef, now: Date): SQL {
  const open = sql`${mayBeListed} and ${isVisibleAccount('a')}`
  if (!viewer.signedIn) return open
  return sql`${open} and ${accountNotBlockedOrMuted(viewer, now, 'a')}
    and not ${blockSql.blocks(sql`a.id`, viewer.id)}`
}

/** Whether the viewer may see the featured content of the account `a`: not if it is suspended, unapproved or blocks them. */
export function featuredVisibleTo(viewer: ViewerRef): SQL {
  const open = sql`a.suspended_at is null and ${isVisibleAccount('a')}`
  if (!viewer.signedIn) return open
  return sql`${open} and not ${blockSql.blocks(sql`a.id`, viewer.id)}`
}

/** `featuredVisibleTo` for a viewer given as constant SQL, null for anonymous ones. */
export function featuredVisibleToMe(me: string): SQL {
  return sql`a.suspended_at is null and ${isVisibleAccount('a')} and not ${sql.raw(blockText.blocks('a.id', me))}`
}

/**
 * Whether the item `i` of the collection `c` with the account `target` is visible to `me`, given as constant SQL. Pending
 * items are visible to the owner of the collection only; accounts blocked by, or blocking, the viewer to neither.
 */
export function itemVisibleTo(me: string): SQL {
  return sql`(i.state = 'accepted' or (i.state = 'pending' and c.account_id = ${sql.raw(me)}))
    and target.suspended_at is null and ${isVisibleAccount('target')} and ${sql.raw(`
    not ${blockText.blocksEither(me, 'target.id')} and not ${blockText.blocksDomain(me, 'target.domain')}`)}`
}
