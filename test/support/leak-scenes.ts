import { eq } from 'drizzle-orm'
import {
  accounts,
  bookmarks,
  conversations,
  favourites,
  homeEntries,
  notifications,
  quotes,
  statusPins,
  trendingStatuses,
} from '../../src/db/schema'
import type { Page } from './browser'
import { freshName, given, type TestAccount } from './given'
import { storedPicture, storedStatus } from './given-stored'
import { clock, context } from './test-app'

// Statuses that nobody but their author may see, and every public page and feed that could show them.

export interface Scene {
  readonly author: TestAccount
  readonly friend: TestAccount
  readonly tag: string
  readonly hidden: number
  readonly quoting: number
  readonly question: number
  readonly reblog: number
  /** Notifications that members' policies hold back. */
  readonly held: number[]
}

type Sample = (scene: Scene) => readonly string[]

const none: Sample = () => []
export const samples: Readonly<Record<string, Sample>> = {
  '/': () => ['/'],
  '/about': () => ['/about'],
  '/about/rules': none,
  // Shows accounts alone.
  '/accounts': none,
  '/about/apps': none,
  '/explore': () => ['/explore'],
  // Shows hashtags and pages alone.
  '/explore/tags': none,
  '/explore/links': none,
  // Shows accounts alone.
  '/explore/suggestions': none,
  '/public': () => ['/public'],
  '/public/local': () => ['/public/local'],
  '/directory': () => ['/directory'],
  '/tags/:name': ({ tag }) => [`/tags/${tag}`],
  '/:handle{@[^/]+}': ({ author, friend }) => [`/@${author.username}`, `/@${friend.username}`],
  '/:handle{@[^/]+}/with_replies': ({ author, friend }) => [
    `/@${author.username}/with_replies`,
    `/@${friend.username}/with_replies`,
  ],
  '/:handle{@[^/]+}/media': ({ author }) => [`/@${author.username}/media`],
  '/:handle{@[^/]+}/tagged/:tag': ({ author, tag }) => [`/@${author.username}/tagged/${tag}`],
  '/:handle{@[^/]+}/:id{[0-9]{1,16}}': ({ author, friend, hidden, quoting, question, reblog }) => [
    `/@${author.username}/${hidden}`,
    ...[quoting, question, reblog].map((id) => `/@${friend.username}/${id}`),
  ],
  '/:handle{@[^/]+}/:id{[0-9]{1,16}}/photo/:number{[0-9]{1,2}}': ({ author, friend, hidden, reblog }) => [
    `/@${author.username}/${hidden}/photo/1`,
    `/@${friend.username}/${reblog}/photo/1`,
  ],
  '/:handle{@[^/]+}/:id{[0-9]{1,16}}/history': ({ author, friend, hidden, quoting, reblog }) => [
    `/@${author.username}/${hidden}/history`,
    ...[quoting, reblog].map((id) => `/@${friend.username}/${id}/history`),
  ],
  '/:handle{@[\\w.-]+}/:id{[0-9]{1,16}}/embed': ({ author, friend, hidden, quoting }) => [
    `/@${author.username}/${hidden}/embed`,
    `/@${friend.username}/${quoting}/embed`,
  ],
  '/interact/:id{[0-9]{1,16}}': ({ hidden, reblog }) => [`/interact/${hidden}`, `/interact/${reblog}`],
  '/authorize_interaction': ({ author, hidden }) => [
    `/authorize_interaction?${new URLSearchParams({ uri: `https://fieldfare.test/@${author.username}/${hidden}` })}`,
  ],
  // Shows an account alone; the tests of these pages have its cases.
  '/users/:username/remote_follow': none,
  '/users/:username': none,
  '/users/:username/statuses/:id{[0-9]{1,16}}': none,
  '/collections/:id{[0-9]{1,16}}': none,
  '/users/:username/collections/:id{[0-9]{1,16}}': none,
  // At an address that nobody guesses; the status on it is loaded for visitors.
  '/:handle{@[^/]+}/wrapstodon/:year{[0-9]{4}}/:key': none,
  '/privacy-policy': none,
  '/terms-of-service': none,
  '/terms-of-service/:day': none,
  '/.well-known/change-password': none,
  '/disputes/strikes': none,
  '/start': none,
  '/invites': none,
  '/unsubscribe/:token': none,
  '/statuses_cleanup': none,
  '/share': none,
  // Shows everybody the same.
  '/offline': none,
  '/publish': ({ hidden }) => [
    `/publish?reply_to=${hidden}`,
    `/publish?quote=${hidden}`,
    `/publish?edit=${hidden}`,
  ],
  '/posts/:id{[0-9]{1,16}}/delete': ({ hidden }) => [`/posts/${hidden}/delete`],
  '/posts/:id{[0-9]{1,16}}/react': ({ hidden }) => [`/posts/${hidden}/react`],
  '/posts/:id{[0-9]{1,16}}/filter': ({ hidden }) => [
    `/posts/${hidden}/filter`,
    `/settings/filters?post=${hidden}`,
  ],
  '/posts/:id{[0-9]{1,16}}/boost': ({ hidden }) => [`/posts/${hidden}/boost`],
  '/:handle{@[^/]+}/followers': ({ author }) => [`/@${author.username}/followers`],
  '/:handle{@[^/]+}/following': ({ author }) => [`/@${author.username}/following`],
  '/:handle{@[^/]+}/featured': ({ author }) => [`/@${author.username}/featured`],
  '/:handle{@[^/]+}/:id{[0-9]{1,16}}/reblogs': ({ author, hidden }) => [
    `/@${author.username}/${hidden}/reblogs`,
  ],
  '/:handle{@[^/]+}/:id{[0-9]{1,16}}/favourites': ({ author, hidden }) => [
    `/@${author.username}/${hidden}/favourites`,
  ],
  '/accounts/:id{[0-9]{1,16}}/mute': ({ author }) => [`/accounts/${author.id}/mute`],
  '/accounts/:id{[0-9]{1,16}}/block': ({ author }) => [`/accounts/${author.id}/block`],
  '/accounts/:id{[0-9]{1,16}}/block_server': ({ author }) => [`/accounts/${author.id}/block_server`],
  '/accounts/:id{[0-9]{1,16}}/remove_follower': ({ author }) => [`/accounts/${author.id}/remove_follower`],
  '/accounts/:id{[0-9]{1,16}}/note': ({ author }) => [`/accounts/${author.id}/note`],
  '/accounts/:id{[0-9]{1,16}}/shown': ({ author }) => [`/accounts/${author.id}/shown`],
  '/accounts/:id{[0-9]{1,16}}/lists': ({ author }) => [`/accounts/${author.id}/lists`],
  '/accounts/:id{[0-9]{1,16}}/report': ({ author, hidden }) => [
    `/accounts/${author.id}/report?status=${hidden}`,
  ],
  '/home': () => ['/home'],
  '/home/catch-up': () => ['/home/catch-up?span=24'],
  '/home/local': () => ['/home/local'],
  // Shows names of views, which are pages of their own.
  '/columns': none,
  // Shows the account of the member alone.
  '/menu': none,
  '/settings': none,
  '/admin': none,
  // Shows accounts alone.
  '/follow_requests': none,
  '/search': ({ author, hidden, tag }) => [
    `/search?${new URLSearchParams({ q: `https://fieldfare.test/@${author.username}/${hidden}` })}`,
    `/search?q=%23${tag}&type=statuses`,
  ],
  '/keyboard': () => ['/keyboard'],
  // Shows what the member has typed alone.
  '/drafts': none,
  // Shows texts of the operators.
  '/announcements': none,
  '/posts/:id{[0-9]{1,16}}': ({ hidden }) => [`/posts/${hidden}`],
  '/notifications': () => ['/notifications'],
  '/notifications/mentions': () => ['/notifications/mentions'],
  '/notifications/follows': none,
  '/notifications/activity': () => ['/notifications/activity'],
  // The member has the hidden post as the last of a conversation.
  '/conversations': () => ['/conversations'],
  '/conversations/:id{[0-9]{1,16}}': ({ hidden }) => [`/conversations/${hidden}`],
  '/conversations/:id{[0-9]{1,16}}/delete': ({ hidden }) => [`/conversations/${hidden}/delete`],
  '/notifications/requests': () => ['/notifications/requests'],
  '/notifications/requests/:id{[0-9]{1,16}}': ({ held }) => held.map((id) => `/notifications/requests/${id}`),
  '/bookmarks': () => ['/bookmarks'],
  '/favourites': () => ['/favourites'],
  '/lists': none,
  '/lists/:id{[0-9]{1,16}}': none,
}

export const feeds = ({ author, friend, tag }: Scene) =>
  ['rss', 'atom'].flatMap((format) => [
    `/@${author.username}.${format}`,
    `/@${friend.username}.${format}`,
    `/@${author.username}/tagged/${tag}.${format}`,
    `/tags/${tag}.${format}`,
  ])

/** As a link on a page of this server is followed: pictures that their posts cover open for members then. */
export const fromHere = { headers: { 'sec-fetch-site': 'same-origin' } }

interface Situation {
  readonly row: object
  afterwards?(author: TestAccount): Promise<unknown>
}

/** Whether a page tells of the hidden post: its words, or that it is there to be answered. */
export function told(
  path: string,
  { html, status }: Pick<Page, 'html' | 'status'>,
  { hidden }: Scene,
  secret: string,
): boolean {
  return html.includes(secret) || (path === `/interact/${hidden}` && status === 200)
}

const change = (set: object) => (author: TestAccount) =>
  context().db.update(accounts).set(set).where(eq(accounts.id, author.id))

export const situations: Readonly<Record<string, Situation>> = {
  'for followers': { row: { visibility: 'private' } },
  'for those it mentions': { row: { visibility: 'direct' } },
  'for this server': { row: { localOnly: true } },
  'by a suspended author': { row: {}, afterwards: (author) => change({ suspendedAt: clock.now() })(author) },
}

export async function sceneOf({ row, afterwards }: Situation, secret: string): Promise<Scene> {
  const { db, ids } = context()
  const author = await given.account({ discoverable: true })
  const friend = await given.account({ discoverable: true })
  const tag = freshName('bird')
  const by = (accountId: number, content: string, more: object = {}) =>
    storedStatus({ accountId, content: `<p>${content}</p>`, tags: [tag], language: 'en', ...more })
  const question = await by(friend.id, 'Who sings there?')
  const inReplyTo = { inReplyToId: question, inReplyToAccountId: friend.id }
  const attachments = [{ ...storedPicture, description: secret }]
  const hidden = await by(author.id, secret, { spoilerText: secret, attachments, ...row })
  await by(author.id, secret, { ...inReplyTo, ...row })
  const reblog = await by(friend.id, '', { reblogOfId: hidden })
  const quoting = await by(friend.id, 'so true')
  await db.insert(quotes).values({
    statusId: quoting,
    accountId: friend.id,
    quotedStatusId: hidden,
    quotedAccountId: author.id,
    quotedUri: '',
    state: 'accepted',
    createdAt: clock.now(),
  })
  await db.insert(statusPins).values({ id: ids.next(), accountId: author.id, statusId: hidden })
  const trend = { statusId: hidden, accountId: author.id, language: 'en', rank: 1e9, trendable: true }
  await db.insert(trendingStatuses).values(trend)
  await afterwards?.(author)
  return { author, friend, tag, hidden, quoting, question, reblog, held: [] }
}

/**
 * The member has the post in their home feed, marked it, and was notified of it, once in a way that their policy holds
 * back, whether they may see it or not.
 */
export async function remember(
  { id: accountId }: TestAccount,
  { hidden: statusId, author, held }: Scene,
): Promise<void> {
  const { db, ids } = context()
  await db.insert(homeEntries).values({ accountId, statusId })
  await db.insert(bookmarks).values({ id: ids.next(), accountId, statusId })
  await db.insert(favourites).values({ id: ids.next(), accountId, statusId })
  await db.insert(conversations).values({
    accountId,
    id: statusId,
    conversationId: statusId,
    participants: [author.id],
    lastStatusId: statusId,
    unread: true,
  })
  const id = ids.next()
  const mention = { type: 'mention', fromAccountId: author.id, groupKey: `ungrouped-${id}` } as const
  const row = { id, accountId, statusId, createdAt: clock.now(), ...mention }
  await db.insert(notifications).values(row)
  const heldBack = ids.next()
  await db
    .insert(notifications)
    .values({ ...row, id: heldBack, type: 'status', groupKey: `ungrouped-${heldBack}`, filtered: true })
  held.push(heldBack)
}
