import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { as } from '../../support/as'
import type { Browser, Page } from '../../support/browser'
import { type Crowd, crowdedClient } from '../../support/crowded-client'
import { expectCosts } from '../../support/expect-costs'

/** Bounds of section 11 of the design, in every view of a member whose lists are full. */

const most = { trips: 2, bytes: 25 * 1024 } as const

/** A view, and the calls with which an app shows the same. */
interface View {
  readonly path: string
  readonly calls: readonly string[]
  /** Posts that it shows at least. */
  readonly posts?: number
  /** Rows of what apps have no call for. */
  readonly own?: number
}

type Views = Readonly<Record<string, (crowd: Crowd) => View>>

const status = (id: string) => `/api/v1/statuses/${id}`
const account = (id: number) => `/api/v1/accounts/${id}`
const relationships = (ids: readonly number[]) =>
  `/api/v1/accounts/relationships?${ids.map((id) => `id[]=${id}`).join('&')}`

function who({ author }: Crowd): readonly string[] {
  return [`/api/v1/accounts/lookup?acct=${author.username}`, relationships([author.id])]
}

function profile(crowd: Crowd, list: string): readonly string[] {
  const path = account(crowd.author.id)
  return [...who(crowd), `${path}/featured_tags`, `${path}/statuses?limit=20&${list}`]
}

/** People of a page of followers, follows or marks. */
function people(crowd: Crowd, list: string): readonly string[] {
  return [list, relationships(crowd.people.map(({ id }) => id))]
}

/** Apps have no drafts: the session that says whose they are, and each with its index. */
function draftRows(drafts: number): number {
  return 2 + 2 * drafts
}

const views: Views = {
  home: () => ({
    path: '/home',
    calls: ['/api/v1/timelines/home?limit=20', '/api/v1/markers?timeline[]=home'],
    posts: 20,
  }),
  'older posts of home': ({ posts }) => ({
    path: `/home?max_id=${posts.at(-1)}`,
    calls: [`/api/v1/timelines/home?limit=20&max_id=${posts.at(-1)}`, '/api/v1/markers?timeline[]=home'],
    posts: 20,
  }),
  'catch-up': () => ({
    path: '/home/catch-up?span=24',
    calls: ['/api/v1/timelines/home?limit=20', '/api/v1/markers?timeline[]=home'],
    posts: 10,
  }),
  'home and local': () => ({
    path: '/home/local',
    calls: ['/api/v1/timelines/home?limit=20', '/api/v1/timelines/public?local=true&limit=20'],
    posts: 20,
  }),
  columns: () => ({ path: '/columns', calls: ['/api/v1/lists', '/api/v1/followed_tags'] }),
  notifications: () => ({
    path: '/notifications',
    calls: ['/api/v2/notifications?limit=20', '/api/v1/markers?timeline[]=notifications'],
    posts: 20,
  }),
  mentions: () => ({
    path: '/notifications/mentions',
    calls: [
      '/api/v2/notifications?limit=20&types[]=mention&types[]=quote',
      '/api/v1/markers?timeline[]=notifications',
    ],
    posts: 20,
  }),
  'new followers': () => ({
    path: '/notifications/follows',
    calls: [
      '/api/v2/notifications?limit=20&types[]=follow&types[]=follow_request',
      '/api/v1/markers?timeline[]=notifications',
    ],
  }),
  'activity around own posts': () => ({
    path: '/notifications/activity',
    calls: [
      `/api/v2/notifications?limit=20&${['reblog', 'favourite', 'status', 'poll', 'update', 'quoted_update']
        .map((type) => `types[]=${type}`)
        .join('&')}`,
      '/api/v1/markers?timeline[]=notifications',
    ],
  }),
  'the local timeline': () => ({
    path: '/public/local',
    calls: ['/api/v1/timelines/public?limit=20&local=true'],
    posts: 20,
  }),
  'the federated timeline': () => ({
    path: '/public',
    calls: ['/api/v1/timelines/public?limit=20'],
    posts: 20,
  }),
  'a hashtag': ({ tag }) => ({
    path: `/tags/${tag}`,
    calls: [`/api/v1/timelines/tag/${tag}?limit=20`, `/api/v1/tags/${tag}`],
    posts: 20,
  }),
  lists: () => ({ path: '/lists', calls: ['/api/v1/lists'] }),
  'a list': ({ list }) => ({
    path: `/lists/${list}`,
    calls: [`/api/v1/timelines/list/${list}?limit=20`, `/api/v1/lists/${list}`],
    posts: 20,
  }),
  bookmarks: () => ({ path: '/bookmarks', calls: ['/api/v1/bookmarks?limit=20'], posts: 18 }),
  favourites: () => ({ path: '/favourites', calls: ['/api/v1/favourites?limit=20'], posts: 18 }),
  'a thread': ({ author, thread }) => ({
    path: `/@${author.username}/${thread}`,
    calls: [status(thread), `${status(thread)}/context`],
    posts: 21,
  }),
  'a post alone': ({ thread }) => ({ path: `/posts/${thread}`, calls: [status(thread)], posts: 1 }),
  'the question about a post': ({ own }) => ({
    path: `/posts/${own}/delete`,
    calls: [status(own)],
    posts: 1,
  }),
  'the emojis to react with': ({ thread }) => ({
    path: `/posts/${thread}/react`,
    calls: [status(thread), '/api/v1/custom_emojis'],
  }),
  'the filters for a post': ({ thread }) => ({
    path: `/posts/${thread}/filter`,
    calls: [status(thread), '/api/v2/filters'],
  }),
  'the choice before a boost': ({ thread }) => ({ path: `/posts/${thread}/boost`, calls: [status(thread)] }),
  'people who favourited': (crowd) => ({
    path: `/@${crowd.author.username}/${crowd.thread}/favourites`,
    calls: people(crowd, `${status(crowd.thread)}/favourited_by?limit=40`).concat(status(crowd.thread)),
  }),
  'people who boosted': (crowd) => ({
    path: `/@${crowd.author.username}/${crowd.thread}/reblogs`,
    calls: people(crowd, `${status(crowd.thread)}/reblogged_by?limit=40`).concat(status(crowd.thread)),
  }),
  'a profile': (crowd) => ({
    path: `/@${crowd.author.username}`,
    calls: [
      ...profile(crowd, 'exclude_replies=true'),
      `${account(crowd.author.id)}/statuses?pinned=true`,
      `/api/v1/accounts/familiar_followers?id[]=${crowd.author.id}`,
    ],
    posts: 18,
  }),
  'a profile with replies': (crowd) => ({
    path: `/@${crowd.author.username}/with_replies`,
    calls: profile(crowd, ''),
    posts: 18,
  }),
  'media of a profile': (crowd) => ({
    path: `/@${crowd.author.username}/media`,
    calls: profile(crowd, 'only_media=true'),
    posts: 4,
  }),
  'a hashtag of a profile': (crowd) => ({
    path: `/@${crowd.author.username}/tagged/${crowd.tag}`,
    calls: profile(crowd, `tagged=${crowd.tag}`),
    posts: 18,
  }),
  'what a profile features': (crowd) => ({
    path: `/@${crowd.author.username}/featured`,
    calls: [
      ...who(crowd),
      `${account(crowd.author.id)}/featured_tags`,
      ...people(crowd, `${account(crowd.author.id)}/endorsements?limit=40`),
      `${account(crowd.author.id)}/collections`,
    ],
  }),
  followers: (crowd) => ({
    path: `/@${crowd.author.username}/followers`,
    calls: [...who(crowd), ...people(crowd, `${account(crowd.author.id)}/followers?limit=40`)],
  }),
  follows: (crowd) => ({
    path: `/@${crowd.author.username}/following`,
    calls: [...who(crowd), ...people(crowd, `${account(crowd.author.id)}/following?limit=40`)],
  }),
  search: () => ({ path: '/search', calls: [] }),
  'results of a search': (crowd) => ({
    path: `/search?q=${crowd.word}`,
    calls: people(crowd, `/api/v2/search?q=${crowd.word}&limit=20`),
  }),
  'posts of a search': ({ word }) => ({
    path: `/search?q=${word}&type=statuses`,
    calls: [`/api/v2/search?q=${word}&type=statuses&limit=20`],
    posts: 20,
  }),
  explore: () => ({
    path: '/explore',
    calls: [
      '/api/v1/trends/statuses?limit=10',
      '/api/v1/trends/tags?limit=12',
      '/api/v1/trends/links?limit=6',
    ],
  }),
  'the composer': ({ drafts }) => ({
    path: '/publish',
    calls: ['/api/v1/preferences', '/api/v1/scheduled_statuses'],
    own: draftRows(1) + draftRows(drafts),
  }),
  'the composer of a reply': ({ thread, drafts, savedReplies }) => ({
    path: `/publish?reply_to=${thread}`,
    calls: ['/api/v1/preferences', '/api/v1/scheduled_statuses', status(thread)],
    own: draftRows(1) + draftRows(drafts) + 2 * savedReplies,
  }),
  drafts: ({ drafts }) => ({ path: '/drafts', calls: [], own: draftRows(drafts) }),
  'the menu of settings': () => ({ path: '/settings', calls: [] }),
  menu: ({ member }) => ({ path: '/menu', calls: [account(member.id)] }),
  'the question before a mute': ({ author }) => ({
    path: `/accounts/${author.id}/mute`,
    calls: [account(author.id), relationships([author.id])],
  }),
  'what home shows of an account': ({ author }) => ({
    path: `/accounts/${author.id}/shown`,
    calls: [account(author.id), relationships([author.id]), relationships([author.id])],
  }),
  'the form of a report': ({ author, thread }) => ({
    path: `/accounts/${author.id}/report?status=${thread}`,
    calls: [
      account(author.id),
      relationships([author.id]),
      status(thread),
      `${account(author.id)}/statuses?limit=20`,
    ],
  }),
}

describe('views of a member whose lists are full', () => {
  let crowd: Crowd
  /** Rows of the session, of the settings and of the navigation: those of a page that loads nothing else. */
  let frameRows: number

  const visit = async (browser: Browser, path: string): Promise<Page> => {
    // The first visit of a day renews the session.
    await browser.get(path)
    const page = await browser.get(path)
    // Catch-up leads on to the address of its first page.
    return page.location === null ? page : browser.get(page.location)
  }

  beforeAll(async () => {
    crowd = await crowdedClient()
    frameRows = (await visit(crowd.browser, '/keyboard')).costs.rowsRead
  })

  it.each(Object.entries(views))('%s keeps its bounds of trips, rows and bytes', async (_, viewOf) => {
    const { path, calls, posts = 0, own = 0 } = viewOf(crowd)
    const { status, html, costs } = await visit(crowd.browser, path)
    expect([path, status]).toEqual([path, 200])
    expect(html.split('<article').length - 1).toBeGreaterThanOrEqual(posts)
    let rowsRead = frameRows + own
    for (const call of calls) {
      const answer = await as(crowd.member).get(call)
      expect([call, answer.status]).toEqual([call, 200])
      rowsRead += answer.costs.rowsRead
    }
    expectCosts(costs, { trips: most.trips, rowsRead, rowsWritten: 0 })
    expect(gzipSync(html).byteLength).toBeLessThanOrEqual(most.bytes)
    // Forms can be sent without scripts.
    const [, ...forms] = html.split('<form')
    const idle = forms.filter((form) => !form.slice(0, form.indexOf('</form>')).includes('type="submit"'))
    expect(idle.map((form) => form.slice(0, 100))).toEqual([])
  })
})
