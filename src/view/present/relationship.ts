import type { Relationship } from '../../contract/entities/relationship'
import type { RelationshipFacts } from '../load/relationships'
import { timestampOrNull } from './time'

export function presentRelationship(facts: RelationshipFacts): Relationship {
  return {
    id: String(facts.id),
    following: facts.following,
    showing_reblogs: facts.showReblogs === true,
    notifying: facts.notify === true,
    languages: facts.languages === null ? null : [...facts.languages],
    followed_by: facts.followedBy,
    blocking: facts.blocking,
    blocked_by: facts.blockedBy,
    muting: facts.muting,
    muting_notifications: facts.mutingNotifications,
    muting_expires_at: timestampOrNull(facts.mutingExpiresAt),
    requested: facts.requested && !facts.following,
    requested_by: facts.requestedBy,
    domain_blocking: facts.domainBlocking,
    endorsed: facts.endorsed,
    note: facts.note,
  }
}
