import {
  actorDocument,
  addressOf,
  archivedPost,
  archivedReblog,
  collectionDocument,
  type Item,
  type PostOptions,
} from './mastodon-archive'

const visibilities = ['public', 'unlisted', 'private', 'direct'] as const

/** A post of the archive, as it has to be found after the import. */
export interface ExpectedPost {
  readonly number: number
  readonly createdAt: string
  readonly visibility: PostOptions['visibility']
  readonly replyTo: number | null
  readonly pictures: number
  readonly isPoll: boolean
  readonly warning: string
}

export interface WholeArchive {
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly posts: readonly ExpectedPost[]
}

/**
 * The archive of somebody who wrote so many posts, one an hour: every eighth for followers or fewer, threads of five,
 * every 25th with a picture of `picture` and every 100th with a poll. Each text is the number of its post.
 */
export function wholeArchive(count: number, picture: Uint8Array): WholeArchive {
  const files = new Map<string, Uint8Array>()
  const posts: ExpectedPost[] = []
  const items: Item[] = []
  for (let number = 1; number <= count; number += 1) {
    const createdAt = new Date(Date.UTC(2018, 0, 1) + number * 3_600_000 + (number % 3)).toISOString()
    const visibility = visibilities[number % 8 === 0 ? 2 + ((number / 8) % 2) : number % 2] ?? 'public'
    const replyTo = number % 5 === 1 ? null : number - 1
    const pictures = number % 25 === 0 ? 1 + ((number / 25) % 2) : 0
    const isPoll = number % 100 === 1
    const warning = number % 11 === 0 ? `Warning ${number}` : ''
    const paths = Array.from(
      { length: pictures },
      (_, index) => `media_attachments/files/000/${number}/${index}/original/picture.png`,
    )
    for (const path of paths) files.set(path, picture)
    items.push(
      archivedPost(
        number,
        createdAt,
        `<p>${number} <a href="https://old.example/tags/birds">#birds</a></p>`,
        {
          visibility,
          inReplyTo: replyTo === null ? null : addressOf(replyTo),
          summary: warning === '' ? null : warning,
          hashtags: ['birds'],
          files: paths.map((path) => ({ path, description: `Picture of ${number}` })),
          ...(isPoll
            ? {
                poll: {
                  options: { Wren: number, Robin: 1 },
                  endTime: createdAt,
                  closed: createdAt,
                  votersCount: number,
                },
              }
            : {}),
        },
      ),
    )
    posts.push({ number, createdAt, visibility, replyTo, pictures, isPoll, warning })
  }
  items.push(archivedReblog(count + 1, '2018-06-01T12:00:00Z', addressOf(1)))
  const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
  files.set('outbox.json', json(collectionDocument('outbox', items)))
  files.set('likes.json', json(collectionDocument('likes', [addressOf(2), addressOf(3)])))
  files.set('bookmarks.json', json(collectionDocument('bookmarks', [addressOf(5)])))
  files.set('avatar.png', picture)
  files.set('actor.json', json(actorDocument()))
  return { files, posts }
}
