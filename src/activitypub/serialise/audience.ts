import type { Config } from '../../config'
import type { InteractionPolicy } from '../../db/schema/statuses'
import { actorAddresses } from '../../lib/addresses'
import type { NoteFacts } from '../../view/load/notes'
import { type JsonLdObject, publicCollection } from './document'
import { mentionedUri } from './tags'

export interface Addressing {
  readonly to: readonly string[]
  readonly cc: readonly string[]
}

/**
 * Addressees of a status. Other servers derive its visibility from this alone: the public collection in `to` is
 * public, in `cc` unlisted, followers without it private, and only accounts direct.
 */
export function addressingOf(config: Config, { status, actor, shared }: NoteFacts): Addressing {
  const { followers } = actorAddresses(actor)
  const people = status.mentions.map((mention) => mentionedUri(config, mention))
  const named = shared === null ? people : [shared.authorUri]
  switch (status.visibility) {
    case 'public':
      return { to: [publicCollection], cc: [followers, ...named] }
    case 'unlisted':
      return { to: [followers], cc: [publicCollection, ...named] }
    case 'private':
      return { to: [followers], cc: named }
    case 'direct':
      return { to: named, cc: [] }
  }
}

/** Accounts that may quote, reply to and reblog a status without asking. */
export function interactionPolicy(config: Config, facts: NoteFacts): JsonLdObject {
  const { status, actor } = facts
  const { followers } = actorAddresses(actor)
  const people = status.mentions.map((mention) => mentionedUri(config, mention))
  const isOpen = status.visibility === 'public' || status.visibility === 'unlisted'
  const allowed: Readonly<Record<InteractionPolicy | 'nobody', readonly string[]>> = {
    public: [publicCollection],
    followers: [followers, ...people],
    mentioned: [actor, ...people],
    nobody: [actor],
  }
  return {
    canQuote: automatic(isOpen ? quoters(facts, followers) : [actor]),
    canReply: automatic(allowed[status.replyPolicy]),
    canAnnounce: automatic(isOpen ? allowed[status.reblogPolicy] : [actor]),
    canLike: automatic([publicCollection]),
  }
}

/** An empty list would read as unset: the author's own id means no other account. */
function quoters({ status, actor }: NoteFacts, followers: string): readonly string[] {
  const allowed = { public: [publicCollection], followers: [followers], nobody: [actor] }
  return allowed[status.quotePolicy]
}

function automatic(automaticApproval: readonly string[]): JsonLdObject {
  return { automaticApproval, manualApproval: [] }
}
