/** A thing as JSON, without its context: it may stand inside another. */
export type Thing = Readonly<Record<string, unknown>>

/** Everybody. As an address in full: some readers know no shorter form. */
export const publicCollection = 'https://www.w3.org/ns/activitystreams#Public'

/** One for all documents, so that it never lacks a term. Readers of plain JSON skip it. */
export const context = [
  'https://www.w3.org/ns/activitystreams',
  'https://w3id.org/security/v1',
  {
    Hashtag: 'as:Hashtag',
    alsoKnownAs: { '@id': 'as:alsoKnownAs', '@type': '@id' },
    manuallyApprovesFollowers: 'as:manuallyApprovesFollowers',
    movedTo: { '@id': 'as:movedTo', '@type': '@id' },
    sensitive: 'as:sensitive',

    ostatus: 'http://ostatus.org#',
    atomUri: 'ostatus:atomUri',
    conversation: 'ostatus:conversation',
    inReplyToAtomUri: 'ostatus:inReplyToAtomUri',

    schema: 'http://schema.org#',
    PropertyValue: 'schema:PropertyValue',
    value: 'schema:value',

    toot: 'http://joinmastodon.org/ns#',
    Emoji: 'toot:Emoji',
    attributionDomains: { '@id': 'toot:attributionDomains', '@type': '@id' },
    blurhash: 'toot:blurhash',
    discoverable: 'toot:discoverable',
    featured: { '@id': 'toot:featured', '@type': '@id' },
    featuredTags: { '@id': 'toot:featuredTags', '@type': '@id' },
    focalPoint: { '@id': 'toot:focalPoint', '@container': '@list' },
    indexable: 'toot:indexable',
    memorial: 'toot:memorial',
    suspended: 'toot:suspended',
    votersCount: 'toot:votersCount',

    litepub: 'http://litepub.social/ns#',
    EmojiReact: 'litepub:EmojiReact',

    gts: 'https://gotosocial.org/ns#',
    automaticApproval: { '@id': 'gts:automaticApproval', '@type': '@id' },
    canAnnounce: { '@id': 'gts:canAnnounce', '@type': '@id' },
    canLike: { '@id': 'gts:canLike', '@type': '@id' },
    canQuote: { '@id': 'gts:canQuote', '@type': '@id' },
    canReply: { '@id': 'gts:canReply', '@type': '@id' },
    interactingObject: { '@id': 'gts:interactingObject', '@type': '@id' },
    interactionPolicy: { '@id': 'gts:interactionPolicy', '@type': '@id' },
    interactionTarget: { '@id': 'gts:interactionTarget', '@type': '@id' },
    manualApproval: { '@id': 'gts:manualApproval', '@type': '@id' },

    FeatureAuthorization: 'https://w3id.org/fep/7aa9#FeatureAuthorization',
    FeatureRequest: 'https://w3id.org/fep/7aa9#FeatureRequest',
    FeaturedCollection: 'https://w3id.org/fep/7aa9#FeaturedCollection',
    FeaturedItem: 'https://w3id.org/fep/7aa9#FeaturedItem',
    canFeature: { '@id': 'https://w3id.org/fep/7aa9#canFeature', '@type': '@id' },
    featureAuthorization: { '@id': 'https://w3id.org/fep/7aa9#featureAuthorization', '@type': '@id' },
    featuredCollections: { '@id': 'https://w3id.org/fep/7aa9#featuredCollections', '@type': '@id' },
    featuredObject: { '@id': 'https://w3id.org/fep/7aa9#featuredObject', '@type': '@id' },
    featuredObjectType: 'https://w3id.org/fep/7aa9#featuredObjectType',
    topic: { '@id': 'https://w3id.org/fep/7aa9#topic', '@type': '@id' },

    QuoteAuthorization: 'https://w3id.org/fep/044f#QuoteAuthorization',
    QuoteRequest: 'https://w3id.org/fep/044f#QuoteRequest',
    quote: { '@id': 'https://w3id.org/fep/044f#quote', '@type': '@id' },
    quoteAuthorization: { '@id': 'https://w3id.org/fep/044f#quoteAuthorization', '@type': '@id' },
    quoteUri: 'http://fedibird.com/ns#quoteUri',
    _misskey_quote: 'https://misskey-hub.net/ns#_misskey_quote',
  },
] as const

/** A thing as a document of its own. */
export function documentOf(thing: Thing): Thing {
  return { '@context': context, ...thing }
}

/**
 * An instant as documents write it. With its milliseconds, as Misskey writes them: other servers sort by this time,
 * and posts of one second would lose their order.
 */
export function instant(at: Date): string {
  return at.toISOString().replace('.000Z', 'Z')
}
