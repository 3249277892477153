import type { FeaturePolicy } from '../../db/values'

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
