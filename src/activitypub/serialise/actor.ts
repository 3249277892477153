import type { Config } from '../../config'
import {
  actorAddresses,
  actorUri,
  instanceActorUri,
  keyIdOf,
  profileUrl,
  sharedInboxUri,
} from '../../contract/addresses'
import type { ActorFacts } from '../../view/load/actors'
import { type JsonLdObject, publicCollection } from './document'
import { emojiTag, imageOf } from './note'

/**
 * Serialises a local account as an actor. A suspended one keeps its name, key and addresses, so that other servers
 * learn of the suspension and believe its later activities (its deletion); it has no other fields.
 */
export function serialiseActor(config: Config, facts: ActorFacts): JsonLdObject {
  const { account } = facts
  const suspended = account.suspendedAt !== null
  const id = actorUri(config.origin, account.username)
  // An empty list would read as unset: no consent is written as the actor itself (FEP-7aa9).
  const isFeaturable = !suspended && account.discoverable === true
  const featurer = isFeaturable ? publicCollection : id
  return {
    id,
    webfinger: `${account.username}@${config.domain}`,
    type: account.actorType,
    preferredUsername: account.username,
    url: profileUrl(config.origin, account.username),
    ...actorAddresses(id),
    endpoints: { sharedInbox: sharedInboxUri(config.origin) },
    published: `${account.createdAt.toISOString().slice(0, 10)}T00:00:00Z`,
    memorial: account.memorial,
    suspended,
    ...(suspended ? blank : profile(config, facts)),
    interactionPolicy: { canFeature: { automaticApproval: [featurer], manualApproval: [] } },
    ...(account.publicKey === null ? {} : { publicKey: publicKey(id, account.publicKey) }),
  }
}

const blank = {
  name: '',
  summary: '',
  manuallyApprovesFollowers: false,
  discoverable: false,
  indexable: false,
  attachment: [],
  tag: [],
}

function profile(config: Config, { account, movedTo }: ActorFacts): JsonLdObject {
  const { avatar, avatarDescription, header, headerDescription } = account
  return {
    name: account.displayName === '' ? account.username : account.displayName,
    summary: account.noteHtml,
    manuallyApprovesFollowers: account.locked,
    discoverable: account.discoverable ?? false,
    indexable: account.indexable,
    alsoKnownAs: account.alsoKnownAs,
    ...(movedTo === null ? {} : { movedTo }),
    attributionDomains: account.attributionDomains,
    attachment: account.fields.map(({ name, html }) => ({ type: 'PropertyValue', name, value: html })),
    tag: account.emojis.map((emoji) => emojiTag(config, emoji)),
    ...(avatar === null ? {} : { icon: imageOf(config, avatar, avatarDescription) }),
    ...(header === null ? {} : { image: imageOf(config, header, headerDescription) }),
  }
}

/** Serialises the instance actor, which signs this server's fetches. */
export function serialiseInstanceActor(
  config: Config,
  facts: { readonly publicKey: string; readonly name: string },
): JsonLdObject {
  const id = instanceActorUri(config.origin)
  const { inbox, outbox } = actorAddresses(id)
  return {
    id,
    webfinger: `${config.domain}@${config.domain}`,
    type: 'Application',
    preferredUsername: config.domain,
    name: facts.name,
    url: `${config.origin}/about`,
    inbox,
    outbox,
    endpoints: { sharedInbox: sharedInboxUri(config.origin) },
    manuallyApprovesFollowers: true,
    publicKey: publicKey(id, facts.publicKey),
  }
}

function publicKey(owner: string, publicKeyPem: string): JsonLdObject {
  return { id: keyIdOf(owner), owner, publicKeyPem }
}
