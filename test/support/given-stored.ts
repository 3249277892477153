import { eq, sql } from 'drizzle-orm'
import { homeEntries, notifications, quotes, statuses, statusTags, tags } from '../../src/db/schema'
import type { Attachment, Card } from '../../src/db/values'
import { clock, context } from './test-app'

type StatusRow = typeof statuses.$inferInsert

export interface StoredOptions extends Partial<Omit<StatusRow, 'id' | 'tags'>> {
  readonly accountId: number
  /** Normalised names, made known where they are not. */
  readonly tags?: readonly string[]
  /** Accounts whose home feeds the status entered. */
  readonly inHomeOf?: readonly number[]
}

/** A picture as a status stores it. */
export const storedPicture: Attachment = {
  id: 1,
  type: 'image',
  file: { key: 'media/one.png' },
  preview: null,
  description: null,
  blurhash: null,
  meta: {},
}

/** A link preview as statuses store it. */
export const storedCard: Card = {
  url: 'https://birds.test/x',
  title: 'Fieldfares',
  description: 'They are back.',
  type: 'link',
  authorName: '',
  authorUrl: '',
  providerName: 'The Hedge',
  providerUrl: '',
  html: '',
  width: 1,
  height: 1,
  image: { key: 'cards/one.png' },
  imageDescription: '',
  blurhash: null,
  photo: null,
  language: 'en',
  publishedAt: null,
  creatorId: null,
}

/** Writes a status straight into the tables, a second after the one before: for tests of reading. */
export async function storedStatus(options: StoredOptions): Promise<number> {
  const { tags: names = [], inHomeOf = [], ...row } = options
  clock.advance(1_000)
  const ctx = context()
  const id = ctx.ids.next()
  const local = row.local ?? true
  await ctx.db.batch([
    ctx.db.insert(statuses).values({
      id,
      conversationId: id,
      visibility: 'public',
      content: '<p>a status</p>',
      createdAt: clock.now(),
      ...(local ? {} : { uri: `https://elsewhere.test/statuses/${id}` }),
      tags: names.map((name) => ({ name, display: name })),
      ...row,
      local,
    }),
    ...names.flatMap((name) => [
      ctx.db
        .insert(tags)
        .values({ id: ctx.ids.next(), name, displayName: name, createdAt: clock.now() })
        .onConflictDoNothing(),
      ctx.db.run(
        sql`insert into ${statusTags} (tag_id, status_id) select id, ${id} from tags where name = ${name}`,
      ),
    ]),
    ...inHomeOf.map((accountId) => ctx.db.insert(homeEntries).values({ accountId, statusId: id })),
  ])
  return id
}

/** Makes a stored status quote another one. */
export async function storedQuote({
  quotedId,
  ...row
}: Pick<QuoteRow, 'statusId' | 'accountId'> & { readonly quotedId: number }): Promise<void> {
  const quoted = { quotedStatusId: quotedId, quotedUri: '', state: 'accepted' } as const
  await context()
    .db.insert(quotes)
    .values({ ...row, ...quoted, createdAt: clock.now() })
}

type QuoteRow = typeof quotes.$inferInsert
type NotificationRow = typeof notifications.$inferInsert

/** Writes a notification straight into the tables, a second after what came before. */
export async function storedNotification(row: Omit<NotificationRow, 'id' | 'createdAt'>): Promise<number> {
  clock.advance(1_000)
  const ctx = context()
  const id = ctx.ids.next()
  await ctx.db.insert(notifications).values({ ...row, id, createdAt: clock.now() })
  return id
}

/** Kinds and senders of the stored notifications of an account. */
export async function storedNotificationsOf({ id }: { readonly id: number }) {
  const rows = await context().db.select().from(notifications).where(eq(notifications.accountId, id))
  return rows.map(({ type, fromAccountId }) => ({ type, from: fromAccountId }))
}
