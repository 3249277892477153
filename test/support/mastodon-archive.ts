/** Entries of archives as Mastodon 4.6 writes them. No part of the test app: scripts and e2e tests use it too. */

export const oldServer = 'https://old.example'
export const archivedActor = `${oldServer}/users/wren`
const everybody = 'https://www.w3.org/ns/activitystreams#Public'
const followers = `${archivedActor}/followers`

export type Item = Readonly<Record<string, unknown>>

export interface PostOptions {
  readonly visibility?: 'public' | 'unlisted' | 'private' | 'direct'
  readonly mentions?: readonly { readonly href: string; readonly name: string }[]
  readonly hashtags?: readonly string[]
  readonly files?: readonly {
    readonly path: string
    readonly description: string | null
    readonly mediaType?: string
  }[]
  readonly poll?: {
    readonly options: Readonly<Record<string, number>>
    readonly multiple?: boolean
    readonly endTime: string
    readonly closed?: string
    readonly votersCount: number
  }
  readonly inReplyTo?: string | null
  readonly summary?: string | null
  readonly sensitive?: boolean
  readonly language?: string
  readonly updated?: string
  readonly more?: Item
}

/** An id of 18 digits, as Mastodon has them: more than a number holds. */
function idOf(number: number): string {
  return `11${String(number).padStart(16, '0')}`
}

export function addressOf(number: number): string {
  return `${archivedActor}/statuses/${idOf(number)}`
}

/** A Create as it stands in `outbox.json`. */
export function archivedPost(
  number: number,
  published: string,
  content: string,
  options: PostOptions = {},
): Item {
  const uri = addressOf(number)
  const audience = audienceOf(options)
  return {
    id: `${uri}/activity`,
    type: 'Create',
    actor: archivedActor,
    published,
    ...audience,
    object: { ...noteOf(number, published, content, options), ...audience, ...options.more },
  }
}

function noteOf(number: number, published: string, content: string, options: PostOptions): Item {
  const uri = addressOf(number)
  const { inReplyTo = null, summary = null, sensitive = summary !== null, language = 'en', poll } = options
  const conversation = `tag:old.example,2023-01-01:objectId=${number}:objectType=Conversation`
  return {
    id: uri,
    type: poll === undefined ? 'Note' : 'Question',
    summary,
    inReplyTo,
    published,
    url: `${oldServer}/@wren/${idOf(number)}`,
    attributedTo: archivedActor,
    sensitive,
    atomUri: uri,
    inReplyToAtomUri: inReplyTo,
    conversation,
    context: `${oldServer}/contexts/${number}`,
    content,
    contentMap: { [language]: content },
    interactionPolicy: {
      canQuote: { automaticApproval: [everybody] },
    },
    ...(options.updated === undefined ? {} : { updated: options.updated }),
    attachment: (options.files ?? []).map(({ path, description, mediaType = 'image/png' }) => ({
      type: 'Document',
      mediaType,
      url: path,
      name: description,
      blurhash: 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
      focalPoint: [0.25, -0.5],
      width: 1,
      height: 1,
    })),
    tag: [
      ...(options.mentions ?? []).map(({ href, name }) => ({ type: 'Mention', href, name })),
      ...(options.hashtags ?? []).map((name) => ({
        type: 'Hashtag',
        href: `${oldServer}/tags/${name.toLowerCase()}`,
        name: `#${name}`,
      })),
    ],
    replies: {
      id: `${uri}/replies`,
      type: 'Collection',
      first: { type: 'CollectionPage', next: `${uri}/replies?only_other_accounts=true&page=true`, items: [] },
    },
    likes: { id: `${uri}/likes`, type: 'Collection', totalItems: 3 },
    shares: { id: `${uri}/shares`, type: 'Collection', totalItems: 2 },
    ...(poll === undefined
      ? {}
      : {
          [poll.multiple === true ? 'anyOf' : 'oneOf']: Object.entries(poll.options).map(([name, votes]) => ({
            type: 'Note',
            name,
            replies: { type: 'Collection', totalItems: votes },
          })),
          endTime: poll.endTime,
          ...(poll.closed === undefined ? {} : { closed: poll.closed }),
          votersCount: poll.votersCount,
        }),
  }
}

function audienceOf({ visibility = 'public', mentions = [] }: PostOptions): { to: string[]; cc: string[] } {
  const people = mentions.map(({ href }) => href)
  switch (visibility) {
    case 'public':
      return { to: [everybody], cc: [followers, ...people] }
    case 'unlisted':
      return { to: [followers], cc: [everybody, ...people] }
    case 'private':
      return { to: [followers], cc: people }
    case 'direct':
      return { to: people, cc: [] }
  }
}

/** An Announce as it stands in `outbox.json`. */
export function archivedReblog(number: number, published: string, object: string): Item {
  return {
    id: `${addressOf(number)}/activity`,
    type: 'Announce',
    actor: archivedActor,
    published,
    to: [everybody],
    cc: [object.replace(/\/statuses\/.*$/, ''), followers],
    object,
  }
}

/** `actor.json`. */
export function actorDocument(): Item {
  return {
    '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
    id: archivedActor,
    type: 'Person',
    preferredUsername: 'wren',
    name: 'Wren',
    summary: '<p>Small bird</p>',
    inbox: `${archivedActor}/inbox`,
    followers,
    following: `${archivedActor}/following`,
    featured: `${archivedActor}/collections/featured`,
    outbox: 'outbox.json',
    likes: 'likes.json',
    bookmarks: 'bookmarks.json',
    icon: { type: 'Image', mediaType: 'image/png', url: 'avatar.png' },
    image: { type: 'Image', mediaType: 'image/png', url: 'header.png' },
  }
}

/** `outbox.json`, `likes.json` or `bookmarks.json`. */
export function collectionDocument(name: 'outbox' | 'likes' | 'bookmarks', items: readonly unknown[]): Item {
  return {
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: `${name}.json`,
    type: 'OrderedCollection',
    totalItems: items.length,
    orderedItems: items,
  }
}
