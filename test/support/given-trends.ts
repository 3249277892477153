import { eq } from 'drizzle-orm'
import { favourites, previewCards, statuses, statusLinks } from '../../src/db/schema'
import type { Card } from '../../src/db/values'
import { saveSettings } from '../../src/domain/instance/save-settings'
import { operator } from '../../src/domain/policy/permissions'
import { refreshTrends } from '../../src/domain/trends/refresh'
import { freshName, given } from './given'
import { type StoredOptions, storedStatus } from './given-stored'
import { clock, context } from './test-app'

/** Settings by which few accounts make a trend: with fifteen, most tests would only take longer. */
export const fewAccounts = {
  trendMinimumAccounts: 5,
  trendMinimumTagAccounts: 5,
  trendMinimumInteractions: 5,
}

/** Refreshes trends as the ten-minute cron does, where few accounts make a trend. */
export async function trendsRefreshed(): Promise<void> {
  clock.advance(60_000)
  await saveSettings(context(), operator, fewAccounts)
  await refreshTrends(context())
}

/** A public post by each of so many people. */
export async function postsBy(people: number, post: Omit<StoredOptions, 'accountId'>): Promise<number[]> {
  const ids: number[] = []
  for (let index = 0; index < people; index += 1) {
    const { id } = await given.remoteAccount()
    ids.push(await storedStatus({ ...post, accountId: id, local: false }))
  }
  return ids
}

/** A hashtag that so many people use now. */
export async function usedTag(
  people: number,
  post: Omit<StoredOptions, 'accountId' | 'tags'> = {},
): Promise<string> {
  const name = freshName('trend')
  await postsBy(people, { ...post, tags: [name] })
  return name
}

/** A post of somebody who wants to be found that so many favoured. */
export async function favouredStatus(
  marks: number,
  { accountId, ...post }: Partial<StoredOptions> = {},
): Promise<number> {
  const author = accountId ?? (await given.account({ discoverable: true })).id
  const id = await storedStatus({ language: 'en', ...post, accountId: author })
  await favour(id, marks)
  return id
}

/** So many favour a post; one row stands for all of them. */
export async function favour(statusId: number, marks: number): Promise<void> {
  const { db, ids } = context()
  const fan = await given.remoteAccount()
  await db.insert(favourites).values({ id: ids.next(), accountId: fan.id, statusId })
  await db.update(statuses).set({ favouritesCount: marks }).where(eq(statuses.id, statusId))
}

/** Link preview of a page that may trend. */
export const article: Omit<Card, 'url'> = {
  title: 'Fieldfares',
  description: 'They are back.',
  type: 'link',
  authorName: '',
  authorUrl: '',
  providerName: 'The Hedge',
  providerUrl: '',
  html: '',
  width: 0,
  height: 0,
  blurhash: null,
  photo: null,
  image: { key: 'cards/one.png' },
  imageDescription: '',
  language: 'en',
  publishedAt: null,
  creatorId: null,
}

/** A page that so many people link to now, by its address. */
export async function linkedPage(
  people: number,
  { card = {}, post = {}, host = `${freshName('hedge')}.test` }: LinkOptions = {},
): Promise<string> {
  const { db, ids } = context()
  const url = `https://${host}/${freshName('article')}`
  const id = ids.next()
  const said = { ...article, ...card, url }
  await db
    .insert(previewCards)
    .values({ id, url, host, card: said, createdAt: clock.now(), updatedAt: clock.now() })
  for (const statusId of await postsBy(people, { ...post, card: said })) {
    const [row] = await db.select({ by: statuses.accountId }).from(statuses).where(eq(statuses.id, statusId))
    await db.insert(statusLinks).values({ statusId, cardId: id, accountId: row?.by ?? 0 })
  }
  return url
}

interface LinkOptions {
  readonly card?: Partial<Card>
  readonly post?: Omit<StoredOptions, 'accountId'>
  readonly host?: string
}
