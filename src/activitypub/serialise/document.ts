/** A JSON-LD object without its context, so that it can be nested. */
export type JsonLdObject = Readonly<Record<string, unknown>>

/** Public collection, as a full address: some readers know no shorter form. */
export const publicCollection = 'https://www.w3.org/ns/activitystreams#Public'

const activityStreams = 'https://www.w3.org/ns/activitystreams'

/** Context of actors' keys. */
const security = 'https://w3id.org/security/v1'
const securityTerms: ReadonlySet<string> = new Set(['publicKey', 'publicKeyPem', 'owner'])

/** Context of the handle in an actor (FEP-2c59). */
const webFinger = 'https://purl.archive.org/socialweb/webfinger'

const prefixes: Readonly<Record<string, string>> = {
  ostatus: 'http://ostatus.org#',
  schema: 'http://schema.org#',
  toot: 'http://joinmastodon.org/ns#',
  litepub: 'http://litepub.social/ns#',
  gts: 'https://gotosocial.org/ns#',
}

const address = (id: string) => ({ '@id': id, '@type': '@id' })

/** Terms beyond those of ActivityStreams and of keys. */
export const extensions: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
  Hashtag: 'as:Hashtag',
  alsoKnownAs: address('as:alsoKnownAs'),
  manuallyApprovesFollowers: 'as:manuallyApprovesFollowers',
  movedTo: address('as:movedTo'),
  sensitive: 'as:sensitive',

  atomUri: 'ostatus:atomUri',
  conversation: 'ostatus:conversation',
  inReplyToAtomUri: 'ostatus:inReplyToAtomUri',

  PropertyValue: 'schema:PropertyValue',
  value: 'schema:value',

  Emoji: 'toot:Emoji',
  attributionDomains: address('toot:attributionDomains'),
  blurhash: 'toot:blurhash',
  discoverable: 'toot:discoverable',
  featured: address('toot:featured'),
  featuredTags: address('toot:featuredTags'),
  focalPoint: { '@id': 'toot:focalPoint', '@container': '@list' },
  indexable: 'toot:indexable',
  memorial: 'toot:memorial',
  suspended: 'toot:suspended',
  votersCount: 'toot:votersCount',

  EmojiReact: 'litepub:EmojiReact',

  AnnounceAuthorization: 'gts:AnnounceAuthorization',
  AnnounceRequest: 'gts:AnnounceRequest',
  LikeAuthorization: 'gts:LikeAuthorization',
  LikeRequest: 'gts:LikeRequest',
  ReplyAuthorization: 'gts:ReplyAuthorization',
  ReplyRequest: 'gts:ReplyRequest',
  announceAuthorization: address('gts:announceAuthorization'),
  approvedBy: address('gts:approvedBy'),
  automaticApproval: address('gts:automaticApproval'),
  canAnnounce: address('gts:canAnnounce'),
  canLike: address('gts:canLike'),
  canQuote: address('gts:canQuote'),
  canReply: address('gts:canReply'),
  interactingObject: address('gts:interactingObject'),
  interactionPolicy: address('gts:interactionPolicy'),
  interactionTarget: address('gts:interactionTarget'),
  likeAuthorization: address('gts:likeAuthorization'),
  manualApproval: address('gts:manualApproval'),
  replyAuthorization: address('gts:replyAuthorization'),

  FeatureAuthorization: 'https://w3id.org/fep/7aa9#FeatureAuthorization',
  FeatureRequest: 'https://w3id.org/fep/7aa9#FeatureRequest',
  FeaturedCollection: 'https://w3id.org/fep/7aa9#FeaturedCollection',
  FeaturedItem: 'https://w3id.org/fep/7aa9#FeaturedItem',
  canFeature: address('https://w3id.org/fep/7aa9#canFeature'),
  featureAuthorization: address('https://w3id.org/fep/7aa9#featureAuthorization'),
  featuredCollections: address('https://w3id.org/fep/7aa9#featuredCollections'),
  featuredObject: address('https://w3id.org/fep/7aa9#featuredObject'),
  featuredObjectType: 'https://w3id.org/fep/7aa9#featuredObjectType',
  topic: address('https://w3id.org/fep/7aa9#topic'),

  QuoteAuthorization: 'https://w3id.org/fep/044f#QuoteAuthorization',
  QuoteRequest: 'https://w3id.org/fep/044f#QuoteRequest',
  quote: address('https://w3id.org/fep/044f#quote'),
  quoteAuthorization: address('https://w3id.org/fep/044f#quoteAuthorization'),
  quoteUri: 'http://fedibird.com/ns#quoteUri',
  _misskey_quote: 'https://misskey-hub.net/ns#_misskey_quote',
}

/**
 * Adds the context that an object's terms need and no more: a common one for all would be the greater part of a Like.
 * Readers of plain JSON skip it.
 */
export function withContext(thing: JsonLdObject): JsonLdObject {
  return { '@context': contextOf(thing), ...thing }
}

function contextOf(thing: JsonLdObject): unknown {
  const used = new Set<string>()
  collectTerms(thing, used)
  const named = [
    ...([...securityTerms].some((term) => used.has(term)) ? [security] : []),
    ...(used.has('webfinger') ? [webFinger] : []),
  ]
  const terms = Object.entries(extensions).filter(([term]) => used.has(term))
  if (terms.length === 0) return named.length === 0 ? activityStreams : [activityStreams, ...named]
  const leading = new Set(terms.map(([, meaning]) => prefixOf(meaning)))
  const led = Object.entries(prefixes).filter(([prefix]) => leading.has(prefix))
  return [activityStreams, ...named, Object.fromEntries([...led, ...terms])]
}

/** Collects property names and types at any depth. The keys of `contentMap` and its like are languages. */
function collectTerms(value: unknown, used: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) collectTerms(item, used)
  else if (typeof value === 'object' && value !== null)
    for (const [name, held] of Object.entries(value)) {
      used.add(name)
      if (name === 'type') for (const type of [held].flat()) used.add(String(type))
      else if (!name.endsWith('Map')) collectTerms(held, used)
    }
}

function prefixOf(meaning: string | Readonly<Record<string, string>>): string {
  const iri = typeof meaning === 'string' ? meaning : (meaning['@id'] ?? '')
  return iri.slice(0, iri.indexOf(':'))
}

/**
 * Formats an instant. Milliseconds are kept, as in Misskey: other servers sort by this time, and statuses of one
 * second would lose their order.
 */
export function instant(at: Date): string {
  return at.toISOString().replace('.000Z', 'Z')
}
