import { eq } from 'drizzle-orm'
import { follows, statuses } from '../../src/db/schema'
import { type ImportRequest, importStatus } from '../../src/domain/statuses/remote/import'
import type { RemoteStatus } from '../../src/domain/statuses/remote/remote-status'
import type { StatusId } from '../../src/lib/ids'
import { clock, context } from './test-app'

interface RemoteAuthor {
  readonly id: number
  readonly uri: string
}

let written = 0

/** A post of another server as the reader hands it over, published now. */
export function remotePost(by: RemoteAuthor, more: Partial<RemoteStatus> = {}): RemoteStatus {
  written += 1
  const uri = `${by.uri}/statuses/${written}`
  return {
    uri,
    url: null,
    author: by.uri,
    visibility: 'public',
    content: '<p>The wren sings.</p>',
    spoilerText: '',
    sensitive: false,
    language: null,
    inReplyTo: null,
    editedAt: null,
    publishedAt: clock.now(),
    mentioned: [],
    silent: [],
    tags: [],
    emojis: [],
    attachments: [],
    attachedPage: null,
    poll: null,
    quote: null,
    repliesUri: null,
    contextUri: null,
    collections: [],
    favouritesCount: null,
    reblogsCount: null,
    quotePolicy: 'public',
    replyPolicy: 'public',
    reblogPolicy: 'public',
    likePolicy: 'public',
    askedFirst: [],
    ...more,
  }
}

/** A post of another server, stored; fetched unless it is said to have been delivered. */
export async function importedStatus(
  by: RemoteAuthor,
  more: Partial<RemoteStatus> = {},
  order: Partial<Omit<ImportRequest, 'status'>> = {},
): Promise<{ readonly id: StatusId; readonly uri: string }> {
  clock.advance(1_000)
  const status = remotePost(by, more)
  const imported = await importStatus(context(), by.id, { status, occasion: 'fetched', ...order })
  if (imported.kind !== 'stored') throw new Error(`${status.uri} was not stored: ${imported.kind}`)
  return { id: imported.id, uri: status.uri }
}

/** A follow written straight into the tables. */
export async function followed(
  by: { readonly id: number },
  target: { readonly id: number },
  more: Partial<typeof follows.$inferInsert> = {},
): Promise<void> {
  const ctx = context()
  await ctx.db.insert(follows).values({
    id: ctx.ids.next(),
    accountId: by.id,
    targetAccountId: target.id,
    createdAt: clock.now(),
    ...more,
  })
}

/** The stored status at an address; null where there is none. */
export async function statusAt(uri: string) {
  const [row] = await context().db.select().from(statuses).where(eq(statuses.uri, uri))
  return row ?? null
}
