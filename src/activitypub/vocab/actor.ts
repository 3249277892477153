import { parseDomain } from '../../contract/handle'
import type { ProfileField } from '../../db/values'
import type { RemoteActor, RemoteKey, RemotePicture } from '../../domain/accounts/remote-rows'
import { htmlToText, sanitiseHtml } from '../../lib/html'
import { cutTogether, withinBytes } from '../../lib/text/bytes'
import { hostOf, sameOrigin } from '../../lib/web-address'
import { featurePolicyIn } from './collections'
import {
  firstOf,
  hasType,
  idOf,
  idsOf,
  isObject,
  isPlainDocument,
  isTrue,
  type JsonObject,
  listOf,
  localizedTextOf,
  objectsOf,
  pastInstantOf,
  plainTextOf,
  singleLineOf,
  stringOf,
  truncate,
  typeAmong,
  type Unreadable,
  unreadable,
} from './json'
import { ownPageOf, pictureLinkOf } from './links'
import { emojisIn, tagsOf } from './tags'

const actorTypes = ['Person', 'Service', 'Group', 'Organization', 'Application'] as const

const MAX_NAME = 200
const MAX_HANDLE = 500
const MAX_NOTE = 20_000
const MAX_NOTE_BYTES = 20_480
const MAX_FIELDS = 16
const MAX_FIELD_NAME = 255
const MAX_FIELD_VALUE = 2_000
const MAX_FIELD_BYTES = 2_048
const MAX_FIELDS_BYTES = 16_384
const MAX_DESCRIPTION = 10_000
/** Of both pictures: an account is sent along with each of its statuses. */
const MAX_DESCRIPTIONS_BYTES = 32_768
const MAX_ALIASES = 50
const MAX_DOMAINS = 100

const username = /^\w(?:[\w.-]{0,198}\w)?$/

/**
 * Parses an actor document fetched from its own id.
 *
 * Required are the id, a name (`preferredUsername`, or that in `webfinger`) and an inbox. The actor's other addresses must be on its own server, or
 * count as absent: a shared inbox elsewhere would send unwanted deliveries to a third server, in that server's own
 * queue.
 */
export function readActor(document: unknown, now: Date): RemoteActor | Unreadable {
  if (!isPlainDocument(document)) return unreadable('not a plain document')
  const type = typeAmong(document, actorTypes)
  if (type === null) return unreadable('not an actor')
  const uri = idOf(document['id'])
  const domain = uri === null ? null : hostOf(uri)
  if (uri === null || domain === null) return unreadable('an actor without an id')
  const claimedHandle = claimedHandleOf(document['webfinger'])
  const name = usernameOf(document['preferredUsername']) ?? claimedHandle?.username ?? null
  if (name === null) return unreadable('an actor without a user name')
  const own = ownAddresses(document, uri)
  const inbox = own('inbox')
  if (inbox === null) return unreadable('an actor without an inbox on its server')
  return {
    uri,
    type,
    domain,
    inbox,
    username: name,
    claimedHandle,
    ...profileOf(document, uri),
    outbox: own('outbox'),
    followers: own('followers'),
    following: own('following'),
    featured: own('featured'),
    featuredTags: own('featuredTags'),
    featuredCollections: own('featuredCollections'),
    sharedInbox: sharedInboxOf(document, uri),
    ...settingsOf(document),
    featurePolicy: featurePolicyIn(document, {
      uri,
      followers: own('followers'),
      following: own('following'),
    }),
    alsoKnownAs: idsOf(document['alsoKnownAs'], MAX_ALIASES).filter((alias) => alias !== uri),
    movedTo: idOf(document['movedTo']) === uri ? null : idOf(document['movedTo']),
    publishedAt: pastInstantOf(document['published'], now),
    keys: keysOf(document, uri),
  }
}

function usernameOf(value: unknown): string | null {
  return typeof value === 'string' && username.test(value) ? value : null
}

/** Handle as `user@domain` or an `acct:` address; null for anything else. */
function claimedHandleOf(value: unknown): RemoteActor['claimedHandle'] {
  if (typeof value !== 'string' || value.length > MAX_HANDLE) return null
  const [, user, host] = /^(?:acct:)?@?([^@]+)@([^@]+)$/i.exec(value.trim()) ?? []
  const name = usernameOf(user)
  const domain = domainOf(host)
  return name === null || domain === null ? null : { username: name, domain }
}

function ownAddresses(actor: JsonObject, uri: string): (key: string) => string | null {
  return (key) => {
    const address = idOf(actor[key])
    return address !== null && sameOrigin(address, uri) ? address : null
  }
}

function sharedInboxOf(actor: JsonObject, uri: string): string | null {
  const endpoints = firstOf(actor['endpoints'])
  const address = idOf((isObject(endpoints) ? endpoints['sharedInbox'] : null) ?? actor['sharedInbox'])
  return address !== null && sameOrigin(address, uri) ? address : null
}

/** Profile fields shown on the page of an actor. */
export function profileOf(actor: JsonObject, uri: string) {
  return {
    url: ownPageOf(actor['url'], uri),
    displayName: singleLineOf(localizedTextOf(actor, 'name')?.text, MAX_NAME),
    noteHtml: sanitiseHtml(truncate(localizedTextOf(actor, 'summary')?.text ?? '', MAX_NOTE), {
      maxBytes: MAX_NOTE_BYTES,
    }),
    fields: fieldsOf(actor),
    emojis: emojisIn(tagsOf(actor)),
    ...picturesOf(actor),
  }
}

function picturesOf(actor: JsonObject) {
  const [avatar, header] = [pictureOf(actor['icon']), pictureOf(actor['image'])]
  const [ofAvatar = '', ofHeader = ''] = cutTogether(
    [avatar?.description ?? '', header?.description ?? ''],
    MAX_DESCRIPTIONS_BYTES,
  )
  return {
    avatar: avatar && { ...avatar, description: ofAvatar },
    header: header && { ...header, description: ofHeader },
  }
}

function settingsOf(actor: JsonObject) {
  const { discoverable } = actor
  const domains = listOf(actor['attributionDomains'], MAX_DOMAINS)
  return {
    locked: isTrue(actor['manuallyApprovesFollowers']),
    discoverable: typeof discoverable === 'boolean' ? discoverable : null,
    indexable: isTrue(actor['indexable']),
    memorial: isTrue(actor['memorial']),
    suspended: isTrue(actor['suspended']),
    attributionDomains: [...new Set(domains.flatMap((name) => domainOf(name) ?? []))],
  }
}

function domainOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= 253 ? parseDomain(value) : null
}

function fieldsOf(actor: JsonObject): readonly ProfileField[] {
  const rows = objectsOf(actor['attachment'], MAX_FIELDS * 4).filter((row) => hasType(row, 'PropertyValue'))
  const fields = rows.slice(0, MAX_FIELDS).flatMap((row) => {
    const name = singleLineOf(row['name'], MAX_FIELD_NAME)
    const html = sanitiseHtml(truncate(stringOf(row['value']) ?? '', MAX_FIELD_VALUE), {
      maxBytes: MAX_FIELD_BYTES,
    })
    return name === '' ? [] : [{ name, value: htmlToText(html), html, verifiedAt: null }]
  })
  return withinBytes(fields, MAX_FIELDS_BYTES)
}

function pictureOf(value: unknown): RemotePicture | null {
  const picture = firstOf(value)
  const url = pictureLinkOf(value)
  if (url === null) return null
  const words = isObject(picture)
    ? (localizedTextOf(picture, 'name') ?? localizedTextOf(picture, 'summary'))
    : null
  return { url, description: plainTextOf(words?.text, MAX_DESCRIPTION) }
}

const MAX_KEYS = 8
const MAX_PEM_CHARACTERS = 8_192

// Headers of SPKI and of PKCS#1. The key import validates the body.
const pem = /-----BEGIN (?:RSA )?PUBLIC KEY-----/
// Multibase base58btc of the Ed25519 prefix and 32 bytes.
const ed25519 = /^z6Mk[1-9A-HJ-NP-Za-km-z]{44}$/

/**
 * Keys listed in an actor's document: `publicKey` (one or several) and Ed25519 Multikeys of `assertionMethod`.
 *
 * Keys with another owner or an id on another server are ignored.
 */
function keysOf(actor: JsonObject, uri: string): readonly RemoteKey[] {
  const found = new Map<string, RemoteKey>()
  for (const key of objectsOf(actor['publicKey'], MAX_KEYS)) keep(key['owner'], pemKey(key))
  for (const key of objectsOf(actor['assertionMethod'], MAX_KEYS))
    if (hasType(key, 'Multikey')) keep(key['controller'], multikey(key))
  return [...found.values()]

  function keep(owner: unknown, key: RemoteKey | null): void {
    const isOwn = owner === undefined || owner === null || idOf(owner) === uri
    if (key !== null && isOwn && sameOrigin(key.id, uri) && !found.has(key.id)) found.set(key.id, key)
  }
}

function pemKey(key: JsonObject): RemoteKey | null {
  const id = idOf(key['id'])
  const publicKey = stringOf(key['publicKeyPem']) ?? ''
  return id !== null && publicKey.length <= MAX_PEM_CHARACTERS && pem.test(publicKey)
    ? { id, publicKey }
    : null
}

function multikey(key: JsonObject): RemoteKey | null {
  const id = idOf(key['id'])
  const publicKey = stringOf(key['publicKeyMultibase']) ?? ''
  return id !== null && ed25519.test(publicKey) ? { id, publicKey } : null
}
