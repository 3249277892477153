import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api'
import { FilterStatus } from '../../src/contract/entities/filter'
import {
  accountArchives,
  accountDomainBlocks,
  annualReports,
  conversations,
  customEmojis,
  domainLimits,
  emojiReactions,
  endorsements,
  favourites,
  instances,
  notifications,
  quotes,
  statuses,
  statusMentions,
  suggestionLists,
} from '../../src/db/schema'
import { beginRefresh, refreshId } from '../../src/domain/core/async-refreshes'
import { saveSettings } from '../../src/domain/instance/save-settings'
import { operator } from '../../src/domain/policy/permissions'
import { archiveKey } from '../../src/domain/statuses/archive-export/pack-archive'
import { openArchiveImport } from '../../src/domain/statuses/archived/open-import'
import { type Neighbourhood, neighbourhood } from '../bench/neighbourhood'
import { anonymous, as, type TestResponse } from '../support/as'
import type { Costs } from '../support/costs'
import { given, type TestAccount } from '../support/given'
import { announced, removeAnnounced } from '../support/given-announcement'
import { storedCollection } from '../support/given-collection'
import { fullDevice } from '../support/given-device'
import { givenFilter } from '../support/given-filter'
import { invite } from '../support/given-invite'
import { trendingLink } from '../support/given-link'
import { storedList } from '../support/given-list'
import { relation } from '../support/given-relationships'
import { scheduledStatus } from '../support/given-scheduled'
import { givenOwner } from '../support/given-staff'
import { storedStatus } from '../support/given-stored'
import { article } from '../support/given-trends'
import { storedUpload } from '../support/given-upload'
import { pushDevice } from '../support/push-device'
import { clock, context } from '../support/test-app'

/**
 * Budget of every GET at the database, among 200 people and 2,000 statuses. An endpoint that is not in the
 * table fails: its budget is decided when it is written.
 */

/** Budget of the most frequent requests: one round trip. */
const hot: Costs = { trips: 1, statements: 24, rowsRead: 400, rowsWritten: 0 }
const usual: Costs = { ...hot, trips: 3 }
const thread: Costs = { trips: 4, statements: 28, rowsRead: 1_200, rowsWritten: 0 }
const publicDocument: Costs = { trips: 1, statements: 6, rowsRead: 20, rowsWritten: 0 }

interface Place extends Neighbourhood {
  /** Account with 40 entries in everything accounts keep lists of. */
  readonly keeper: TestAccount
  readonly upload: string
  /** Of the keeper, ready. */
  readonly archive: number
  readonly archiveImport: number
  /** Of the reader, with a hundred keywords. */
  readonly filter: { readonly id: string; readonly keyword: string; readonly status: string }
  readonly poll: number
  readonly scheduled: string
  readonly notification: number
  readonly invitation: string
  /** Of the keeper, with 40 members. */
  readonly list: number
  readonly collection: number
  /** Of the reader, with what is in their home. */
  readonly readerList: number
  readonly refresh: string
  /** The address of a status. */
  readonly page: string
  /** `?url=` of a page that trends, with a full timeline. */
  readonly linked: string
}

interface Case {
  readonly budget: Costs
  /** Holder of the token; the reader follows 50 accounts and interacted with many statuses. */
  readonly by: 'reader' | 'keeper' | 'nobody'
  /** Value for the parameter of the path. */
  readonly id?: (place: Place) => number | string
  readonly query?: (place: Place) => string
  /** Without a body; else 200. */
  readonly success?: 204
  /** Entries that the answer must have, so that a full page is measured. */
  readonly entries?: number
}

const ids = (list: readonly number[]) => list.map((id) => `id[]=${id}`).join('&')
const page20 = { by: 'reader', budget: hot, query: () => 'limit=20', entries: 20 } as const
const kept = { by: 'keeper', budget: usual, query: () => 'limit=40', entries: 40 } as const
const ofInstance = { by: 'nobody', budget: publicDocument } as const
const own = { by: 'reader', budget: usual } as const
const trending = { by: 'reader', budget: hot, entries: 20 } as const
// Every candidate is checked against seven kinds of relationship at the time of reading.
const suggested = { by: 'reader', budget: { ...hot, rowsRead: 720 }, entries: 40 } as const

// Found by a walk, then read with what lies in the twelve hours before, then loaded: three readings of each.
const groupedPage: Case = {
  ...own,
  query: () => 'limit=20',
  budget: { ...usual, trips: 2, rowsRead: 670 },
}
const oneGroup: Case = {
  ...own,
  budget: { ...usual, trips: 2 },
  id: ({ notification }) => `ungrouped-${notification}`,
}
const unreadGroups: Case = { ...own, budget: { ...hot, rowsRead: 1_000 } }

const table: Readonly<Record<string, Case>> = {
  '/.well-known/keybase-proof-config': ofInstance,
  '/.well-known/oauth-authorization-server': ofInstance,
  '/api/oembed': {
    by: 'nobody',
    budget: publicDocument,
    query: ({ page }) => `url=${encodeURIComponent(page)}`,
  },
  '/api/proofs': {
    by: 'nobody',
    budget: publicDocument,
    query: (place) => `provider=keybase&username=${place.keeper.username}`,
  },
  '/api/v1/accounts': { ...own, query: ({ acquaintances }) => ids(acquaintances), entries: 40 },
  '/api/v1/accounts/:id': { ...own, budget: hot, id: ({ author }) => author },
  // Ten collections of 25 people, each of whom has to be somebody who may be shown.
  '/api/v1/accounts/:account_id/collections': {
    ...own,
    id: ({ keeper }) => keeper.id,
    budget: { ...hot, rowsRead: 1_100 },
  },
  '/api/v1/accounts/:account_id/in_collections': {
    ...own,
    id: ({ reader }) => reader,
    budget: { ...hot, rowsRead: 1_100 },
  },
  '/api/v1/accounts/:id/endorsements': { ...kept, by: 'reader', id: ({ keeper }) => keeper.id },
  '/api/v1/accounts/:id/featured_tags': { ...own, id: ({ author }) => author },
  '/api/v1/accounts/:id/followers': { ...kept, by: 'reader', id: ({ keeper }) => keeper.id },
  '/api/v1/accounts/:id/following': { ...kept, by: 'reader', id: ({ reader }) => reader },
  '/api/v1/accounts/:id/lists': { ...own, by: 'keeper', id: ({ author }) => author, entries: 1 },
  '/api/v1/accounts/:id/identity_proofs': { ...own, budget: hot, id: ({ author }) => author },
  '/api/v1/accounts/:id/statuses': { ...page20, id: ({ author }) => author, entries: 8 },
  // The accounts in the lists are read in a round trip of their own, instead of looking for them twice.
  '/api/v1/accounts/familiar_followers': {
    ...own,
    budget: { ...usual, trips: 2 },
    entries: 4,
    query: ({ acquaintances }) => ids(acquaintances.slice(0, 4)),
  },
  '/api/v1/accounts/lookup': { ...own, query: () => 'acct=neighbour2' },
  '/api/v1/accounts/relationships': {
    ...own,
    budget: hot,
    entries: 40,
    query: ({ acquaintances }) => ids(acquaintances),
  },
  '/api/v1/accounts/search': { ...own, query: () => 'q=neighbour2&limit=10', entries: 10 },
  '/api/v1/accounts/verify_credentials': { ...own, budget: hot },
  '/api/v1/announcements': { ...own, budget: hot, entries: 3 },
  '/api/v1/annual_reports': { ...own, by: 'keeper', budget: hot },
  '/api/v1/annual_reports/:year': { ...own, by: 'keeper', budget: hot, id: () => 2026 },
  '/api/v1/annual_reports/:year/state': { ...own, budget: hot, id: () => 2026 },
  '/api/v1/apps/verify_credentials': own,
  '/api/v1/blocks': kept,
  '/api/v1/bookmarks': page20,
  // Selected twice, each time within a bounded number of candidates.
  '/api/v1/conversations': { ...page20, by: 'keeper', budget: { ...hot, rowsRead: 460 } },
  '/api/v1/collections/:id': { ...own, budget: hot, id: ({ collection }) => collection },
  '/api/v1/crypto/encrypted_messages': { ...kept, budget: hot },
  '/api/v1/crypto/keys/count': { ...own, by: 'keeper', budget: hot },
  '/api/v1/custom_emojis': { by: 'nobody', budget: hot, entries: 40 },
  '/api/v1/directory': { ...own, budget: hot, entries: 40 },
  '/api/v1/domain_blocks': kept,
  '/api/v1/domain_blocks/preview': { ...own, query: () => 'domain=elsewhere.example' },
  '/api/v1/donation_campaigns': { ...own, budget: hot, success: 204 },
  '/api/v1/emails/check_confirmation': { ...own, budget: hot },
  '/api/v1/endorsements': kept,
  '/api/v1/favourites': page20,
  '/api/v1/featured_tags': own,
  // Uses of a week are counted when they are asked for: up to a hundred per tag and day.
  '/api/v1/featured_tags/suggestions': { ...own, budget: { ...usual, rowsRead: 4_000 } },
  '/api/v1/filters': { ...own, budget: hot, entries: 100 },
  '/api/v1/filters/:filter_id/keywords': { ...own, budget: hot, id: ({ filter }) => filter.id, entries: 100 },
  '/api/v1/filters/:filter_id/statuses': { ...own, budget: hot, id: ({ filter }) => filter.id, entries: 1 },
  '/api/v1/filters/:id': { ...own, budget: hot, id: ({ filter }) => filter.keyword },
  '/api/v1/filters/keywords/:id': { ...own, budget: hot, id: ({ filter }) => filter.keyword },
  '/api/v1/filters/statuses/:id': { ...own, budget: hot, id: ({ filter }) => filter.status },
  '/api/v1/follow_requests': kept,
  '/api/v1/followed_tags': { ...kept, budget: { ...usual, rowsRead: 4_000 }, entries: 7 },
  '/api/v1/instance': ofInstance,
  '/api/v1/instance/activity': { by: 'nobody', budget: hot },
  // Domain limits are a single document.
  '/api/v1/instance/domain_blocks': { by: 'nobody', budget: hot, entries: 40 },
  '/api/v1/instance/extended_description': ofInstance,
  '/api/v1/instance/languages': ofInstance,
  '/api/v1/instance/peers': { by: 'nobody', budget: hot },
  '/api/v1/instance/privacy_policy': ofInstance,
  '/api/v1/instance/rules': ofInstance,
  '/api/v1/instance/terms_of_service': ofInstance,
  '/api/v1/instance/terms_of_service/:date': {
    ...ofInstance,
    id: () => clock.now().toISOString().slice(0, 10),
  },
  '/api/v1/instance/translation_languages': ofInstance,
  '/api/v1/lists': { ...own, by: 'keeper', budget: hot, entries: 1 },
  '/api/v1/lists/:id': { by: 'keeper', budget: hot, id: ({ list }) => list },
  '/api/v1/lists/:id/accounts': { ...kept, budget: hot, id: ({ list }) => list },
  '/api/v1/markers': { ...own, budget: hot, query: () => 'timeline[]=home&timeline[]=notifications' },
  '/api/v1/media/:id': { by: 'keeper', budget: hot, id: ({ upload }) => upload },
  // Each mute is read twice: for the account and for when it ends.
  '/api/v1/mutes': { ...kept, budget: { ...usual, rowsRead: 480 } },
  // The budget of a page is meant for 20; the API's default here is 40, each a person and a status.
  '/api/v1/notifications': {
    ...page20,
    query: () => '',
    entries: 40,
    budget: { ...hot, rowsRead: 580 },
  },
  '/api/v1/notifications/:id': { ...own, budget: hot, id: ({ notification }) => notification },
  '/api/v1/notifications/policy': { ...own, budget: hot },
  // Forty people, how often each was held back, and with what.
  '/api/v1/notifications/requests': {
    ...own,
    query: () => 'limit=40',
    entries: 40,
    budget: { ...usual, rowsRead: 600 },
  },
  '/api/v1/notifications/requests/:id': { ...own, id: () => heldBack },
  '/api/v1/notifications/requests/merged': { ...own, budget: hot },
  '/api/v1/notifications/unread_count': { ...own, budget: hot },
  '/api/v1/peers/search': {
    ...ofInstance,
    query: ({ acquaintances }) => `q=${acquaintances[0]}`,
    entries: 1,
  },
  '/api/v1/pleroma/statuses/:id/reactions': { ...own, budget: hot, id: ({ status }) => status, entries: 1 },
  '/api/v1/polls/:id': { ...own, budget: hot, id: ({ poll }) => poll },
  '/api/v1/preferences': { ...own, budget: hot },
  '/api/v1/profile': { ...own, budget: hot },
  '/api/v1/push/subscription': { ...own, by: 'keeper', budget: hot },
  '/api/v1/reports': { ...own, budget: hot },
  '/api/v1/scheduled_statuses': { ...kept, budget: hot },
  '/api/v1/scheduled_statuses/:id': { by: 'keeper', budget: hot, id: ({ scheduled }) => scheduled },
  '/api/v1/statuses': { ...own, budget: hot, query: ({ status }) => `id[]=${status}`, entries: 1 },
  '/api/v1/statuses/:id': { ...own, budget: hot, id: ({ status }) => status },
  '/api/v1/statuses/:id/card': { ...own, budget: hot, id: ({ status }) => status },
  '/api/v1/statuses/:id/context': { ...own, budget: thread, id: (place) => place.thread },
  '/api/v1/statuses/:id/favourited_by': { ...kept, by: 'reader', id: ({ status }) => status },
  // Each status of the list quotes the status asked for.
  '/api/v1/statuses/:id/quotes': {
    ...page20,
    id: ({ status }) => status,
    budget: { ...hot, rowsRead: 450 },
  },
  '/api/v1/statuses/:id/reblogged_by': { ...kept, by: 'reader', id: ({ status }) => status },
  '/api/v1/statuses/:id/history': { ...own, id: ({ status }) => status },
  '/api/v1/statuses/:id/source': { ...own, id: ({ status }) => status },
  '/api/v1/suggestions': suggested,
  '/api/v1/tags/:name': { ...own, budget: { ...hot, rowsRead: 1_500 }, id: ({ tag }) => tag },
  // A full page is measured where it is made: the keeper hides everybody who writes to them here.
  '/api/v1/timelines/direct': { ...own, by: 'keeper', budget: hot },
  '/api/v1/timelines/home': page20,
  '/api/v1/timelines/list/:list_id': { ...page20, id: ({ readerList }) => readerList },
  '/api/v1/timelines/link': { ...page20, query: ({ linked }) => `${linked}&limit=20` },
  '/api/v1/timelines/public': page20,
  '/api/v1/timelines/tag/:hashtag': { ...page20, id: ({ tag }) => tag },
  '/api/v1_alpha/async_refreshes/:id': { ...own, budget: hot, id: ({ refresh }) => refresh },
  '/api/v1_alpha/collections/:id': { ...own, budget: hot, id: ({ collection }) => collection },
  '/api/v2/filter_keywords/:id': { ...own, budget: hot, id: ({ filter }) => filter.keyword },
  '/api/v2/filters': { ...own, budget: hot },
  '/api/v2/filters/:filter_id/keywords': { ...own, budget: hot, id: ({ filter }) => filter.id, entries: 100 },
  '/api/v2/filters/:filter_id/statuses': { ...own, budget: hot, id: ({ filter }) => filter.id, entries: 1 },
  '/api/v2/filters/:id': { ...own, budget: hot, id: ({ filter }) => filter.id },
  '/api/v2/filters/keywords/:id': { ...own, budget: hot, id: ({ filter }) => filter.keyword },
  '/api/v2/filters/statuses/:id': { ...own, budget: hot, id: ({ filter }) => filter.status },
  // Trending items are a table of a hundred or two rows, which is sorted for every reader.
  '/api/fieldfare/v1/account_archives': { ...own, by: 'keeper', budget: hot },
  '/api/fieldfare/v1/account_archives/:id/file': {
    ...own,
    by: 'keeper',
    budget: usual,
    id: ({ archive }) => archive,
  },
  '/api/fieldfare/v1/archive_imports': { ...own, by: 'keeper', budget: hot },
  '/api/fieldfare/v1/archive_imports/:id/refusals': {
    ...own,
    by: 'keeper',
    budget: hot,
    id: ({ archiveImport }) => archiveImport,
  },
  '/api/fieldfare/v1/strikes': { ...own, by: 'keeper' },
  '/api/v1/trends': { ...trending, query: () => 'limit=20' },
  '/api/v1/trends/links': { ...trending, query: () => 'limit=20', budget: { ...hot, rowsRead: 480 } },
  '/api/v1/trends/statuses': { ...trending, query: () => 'limit=20', budget: { ...hot, rowsRead: 620 } },
  '/api/v1/trends/tags': { ...trending, query: () => 'limit=20' },
  '/api/v2/instance': ofInstance,
  '/api/v2/notifications': groupedPage,
  '/api/v2/notifications/:group_key': oneGroup,
  '/api/v2/notifications/:group_key/accounts': {
    ...own,
    budget: hot,
    id: ({ notification }) => `ungrouped-${notification}`,
  },
  '/api/v2/notifications/policy': { ...own, budget: hot },
  '/api/v2/notifications/unread_count': unreadGroups,
  '/api/v2_alpha/notifications': groupedPage,
  '/api/v2_alpha/notifications/:group_key': oneGroup,
  '/api/v2_alpha/notifications/unread_count': unreadGroups,
  // The use of each hashtag in the last week comes on top.
  '/api/v2/search': { ...own, budget: { ...usual, rowsRead: 4_000 }, query: () => 'q=neighbour&limit=20' },
  '/api/v2/suggestions': suggested,
  '/invite/:invite_code': { ...ofInstance, id: ({ invitation }) => invitation },
  '/oauth/userinfo': { ...own, budget: hot },
}

/** An import of an archive that was opened. */
async function openedImport({ id: accountId }: TestAccount): Promise<number> {
  const actorUri = 'https://old.test/users/keeper'
  const { id } = await openArchiveImport(context(), accountId, {
    actorUri,
    followersUri: `${actorUri}/followers`,
  })
  return id
}

/** An archive of somebody that can be downloaded. */
async function readyArchive({ id: accountId }: TestAccount): Promise<number> {
  const { db, files, ids } = context()
  const [id, now] = [ids.next(), clock.now()]
  const row = { id, accountId, folder: `archives/${id}`, stage: 'ready' as const, readyAt: now }
  await db.insert(accountArchives).values({ ...row, createdAt: now, progressedAt: now })
  await files.put(archiveKey(row), new Uint8Array(1), 'application/gzip')
  return id
}

/** The id of a notification the reader's policy held back, older than all others. */
const heldBack = 1_000

const gets = endpoints.filter(({ method }) => method === 'GET')
const reads = gets.filter(({ auth }) => auth.kind !== 'staff').map(({ path }) => path)
/** Reads for staff: few callers, and one budget for all. Full pages are measured by the tests of their own. */
const staffReads = gets.filter(({ auth }) => auth.kind === 'staff').map(({ path }) => path)

/** Lists for the command line that are no pages, with the rows that they read here. */
const wholeLists: Readonly<Record<string, number>> = { '/api/fieldfare/v1/admin/trends': 1_000 }

describe('costs of every GET', () => {
  let place: Place
  const told: string[] = []
  beforeAll(async () => {
    place = await build()
    for (const text of ['One', 'Two #birds', 'Three']) told.push(await announced(text))
    for (const id of told) await as(place.keeper).put(`/api/v1/announcements/${id}/reactions/🎉`)
  })
  afterAll(async () => {
    for (const id of told) await removeAnnounced(id)
    for (const table of ['trending_tags', 'trending_links', 'trending_statuses'])
      await env.DB.prepare(`delete from ${table}`).run()
    await saveSettings(context(), operator, { trendableByDefault: false })
  })

  it('every GET has a budget, and nothing else', () => {
    expect(Object.keys(table).toSorted()).toEqual(reads.toSorted())
  })

  for (const [path, { by, budget, id, query, entries, success = 200 }] of Object.entries(table))
    it(`${path}: ${budget.trips} round trips, ${budget.rowsRead} rows`, async () => {
      const asked = `${path.replace(/:\w+/, String(id?.(place) ?? ''))}?${query?.(place) ?? ''}`
      const caller = { reader: as(place.token), keeper: as(place.keeper), nobody: anonymous }[by]
      // The first call may make what every later one finds, as the push key of the instance.
      await caller.get(asked)
      const answer = await caller.get(asked)
      expect(answer.status).toBe(success)
      if (entries !== undefined) expect(sizeOf(answer)).toBeGreaterThanOrEqual(entries)
      for (const figure of ['trips', 'statements', 'rowsRead', 'rowsWritten'] as const)
        expect.soft(answer.costs[figure], figure).toBeLessThanOrEqual(budget[figure])
    })

  it.each(staffReads)(`%s: ${usual.trips} round trips, ${usual.rowsRead} rows`, async (path) => {
    const { status, costs } = await as(await givenOwner()).get(path.replace(/:\w+/, '1'))
    expect(status).toBeLessThan(500)
    const most = { ...usual, rowsRead: wholeLists[path] ?? usual.rowsRead }
    for (const figure of ['trips', 'rowsRead', 'rowsWritten'] as const)
      expect.soft(costs[figure], figure).toBeLessThanOrEqual(most[figure])
  })
})

const sizeOf = ({ body }: TestResponse) => (Array.isArray(body) ? body.length : 0)

async function build(): Promise<Place> {
  const found = await neighbourhood('https://fieldfare.test', clock.now())
  for (const { text, json } of found.inserts) await env.DB.prepare(text).bind(json).run()
  await saveSettings(context(), operator, { domainBlocksShownTo: 'all', termsOfService: 'Be kind.' })
  const keeper = await given.account({ scopes: 'read write follow push profile crypto' })
  await fullDevice(keeper)
  const columns = 'id, account_id, tag_id, created_at'
  await env.DB.prepare(`insert into tag_follows (${columns}) select id, ?, id, 0 from tags`)
    .bind(keeper.id)
    .run()
  for (const [index, other] of found.acquaintances.entries()) {
    await keepOne(keeper, other, found.status)
    await context()
      .db.insert(notifications)
      .values({
        id: heldBack + index,
        accountId: found.reader,
        type: 'quote',
        fromAccountId: other,
        filtered: true,
        createdAt: clock.now(),
      })
  }
  await report(keeper, found.status)
  const reactions = JSON.stringify([{ name: '🎉', count: found.acquaintances.length }])
  await env.DB.prepare('update statuses set reactions = ? where id = ?').bind(reactions, found.status).run()
  await suggestNeighbours(found.reader)
  await letTrend()
  await as(keeper).post('/api/v1/push/subscription', { subscription: pushDevice().subscription })
  return {
    linked: await trendingPage(),
    page: `https://fieldfare.test/@${keeper.username}/${await storedStatus({ accountId: keeper.id })}`,
    ...found,
    keeper,
    upload: await storedUpload(keeper),
    archive: await readyArchive(keeper),
    archiveImport: await openedImport(keeper),
    scheduled: await scheduledStatus(keeper),
    readerList: await fullList(found.reader),
    list: await storedList({ of: keeper, members: found.acquaintances.map((id) => ({ id })) }),
    filter: await filterOf(found.token, found.status),
    invitation: (await invite(keeper)).code,
    collection: await collect(keeper, found),
    refresh: await refreshing('context:1'),
    poll: await firstId('select id from polls'),
    notification: await firstId(`select max(id) as id from notifications where account_id = ${found.reader}`),
  }
}

async function filterOf(token: string, statusId: number): Promise<Place['filter']> {
  const words = Array.from({ length: 100 }, (_, index) => `unlikely${index}`)
  const { id, keywords } = await givenFilter(token, { words })
  const { body } = await as(token).post(`/api/v2/filters/${id}/statuses`, { status_id: statusId })
  return { id, keyword: keywords[0]?.id ?? '', status: FilterStatus.parse(body).id }
}

async function fullList(reader: number): Promise<number> {
  const list = await storedList({ of: { id: reader } })
  const fill = 'insert into list_entries select ?, status_id from home_entries where account_id = ?'
  await env.DB.prepare(fill).bind(list, reader).run()
  return list
}

async function trendingPage(): Promise<string> {
  const page = await trendingLink()
  const { id } = await given.account({ discoverable: true })
  for (let count = 0; count < 60; count += 1) await page.shared({ accountId: id })
  return page.query
}

/** Adds an entry to every list an account or a status can have. */
async function keepOne(keeper: TestAccount, id: number, statusId: number): Promise<void> {
  const { db, ids: fresh } = context()
  const other = { id }
  const mark = { id: fresh.next(), accountId: keeper.id, targetAccountId: id, createdAt: clock.now() }
  await scheduledStatus(keeper, { mediaIds: [Number(await storedUpload(keeper))] })
  await relation.block(keeper, other)
  await relation.mute(keeper, other)
  await relation.follow(other, keeper)
  await relation.followRequest(other, keeper)
  const [reblog, direct, quoting] = [fresh.next(), fresh.next(), fresh.next()]
  await db.batch([
    db.insert(endorsements).values(mark),
    db.insert(accountDomainBlocks).values({ ...mark, domain: `${id}.example` }),
    db.insert(instances).values({ ...mark, domain: `${id}.example` }),
    db.insert(domainLimits).values({ ...mark, domain: `${id}.example`, severity: 'silence' }),
    db.insert(favourites).values({ id: fresh.next(), accountId: id, statusId }),
    db.insert(emojiReactions).values({ id: fresh.next(), accountId: id, statusId, name: '🎉' }),
    db.insert(statuses).values({
      id: reblog,
      accountId: id,
      local: true,
      visibility: 'public',
      content: '',
      reblogOfId: statusId,
      conversationId: reblog,
      createdAt: clock.now(),
    }),
    db.insert(statuses).values({
      id: direct,
      accountId: id,
      local: true,
      visibility: 'direct',
      content: '',
      conversationId: direct,
      createdAt: clock.now(),
    }),
    db.insert(statusMentions).values({ statusId: direct, accountId: keeper.id }),
    db.insert(conversations).values({
      accountId: keeper.id,
      id: direct,
      conversationId: direct,
      lastStatusId: direct,
      participants: [id],
    }),
    db.insert(statuses).values({
      id: quoting,
      accountId: id,
      local: true,
      visibility: 'unlisted',
      content: '',
      conversationId: quoting,
      createdAt: clock.now(),
    }),
    db.insert(quotes).values({
      statusId: quoting,
      accountId: id,
      quotedStatusId: statusId,
      quotedUri: '',
      state: 'accepted',
      createdAt: clock.now(),
    }),
    db.insert(customEmojis).values({
      id: fresh.next(),
      shortcode: `e${id}`,
      image: { key: 'e.png' },
      createdAt: clock.now(),
    }),
  ])
}

/** As many as a list of suggestions ever has, the first twenty of whom the reader follows since. */
async function suggestNeighbours(reader: number): Promise<void> {
  const { db } = context()
  const query = `select a.id from accounts a left join follows f on f.account_id = ? and f.target_account_id = a.id
    where a.username like 'neighbour%' and a.id <> ? order by f.id is null, a.id limit 140 offset 30`
  const { results } = await env.DB.prepare(query).bind(reader, reader).all<{ id: number }>()
  const entries = results.map(({ id }) => ({ id, sources: ['most_followed'] as const }))
  await db
    .insert(suggestionLists)
    .values({ accountId: reader, entries, computedAt: new Date(clock.now().getTime() + 60_000) })
}

/** Ten collections of as many people as fit, the reader among them; answers the last. */
async function collect(keeper: TestAccount, { reader, acquaintances }: Neighbourhood): Promise<number> {
  const of = [reader, ...acquaintances.slice(0, 24)].map((id) => ({ id }))
  for (let count = 0; count < 9; count += 1) await storedCollection({ by: keeper, of })
  return (await storedCollection({ by: keeper, of })).id
}

/** A report of a year that names a status. */
async function report(keeper: TestAccount, topStatusId: number) {
  const data = { archetype: 'oracle' as const, months: [], topTag: null, topStatusId }
  const at = { requestedAt: clock.now(), generatedAt: clock.now() }
  const row = { accountId: keeper.id, year: 2026, data, shareKey: 'key', ...at }
  await context().db.insert(annualReports).values(row)
}

async function refreshing(subject: string): Promise<string> {
  await beginRefresh(context(), subject)
  return refreshId(context(), subject)
}

/** A hundred of everything that can trend. */
async function letTrend(): Promise<void> {
  const now = clock.now().getTime()
  const rank = '400000 + row_number() over ()'
  const usage = `${rank}, 9, ${now}, ${Math.floor(now / 86_400_000)}, '[[9,9],[1,1]]'`
  const card = JSON.stringify(article)
  for (const query of [
    `insert into tags (id, name, display_name, created_at) with recursive n(i) as (select 1 union all
      select i + 1 from n where i < 100) select i, 'trend' || i, 'Trend', 0 from n`,
    `insert into preview_cards (id, url, host, card, created_at, updated_at)
      select id, 'https://x.test/' || id, 'x.test', json_set('${card}', '$.url', 'https://x.test/' || id), 0, 0
      from tags where id <= 100`,
    `insert or replace into trending_tags (rank, peak, peak_at, day, history, tag_id)
      select ${usage}, id from tags where id <= 100`,
    `insert or replace into trending_links (rank, peak, peak_at, day, history, card_id)
      select ${usage}, id from tags where id <= 100`,
    `insert or replace into trending_statuses (rank, status_id, account_id, language)
      select 900000 + row_number() over (), max(s.id), s.account_id, 'en' from statuses s
      join accounts a on a.id = s.account_id
      where a.username like 'neighbour%' and s.visibility = 'public' and s.reblog_of_id is null
      group by s.account_id limit 100`,
  ])
    await env.DB.prepare(query).run()
  await saveSettings(context(), operator, { trendableByDefault: true })
}

async function firstId(query: string): Promise<number> {
  return (await env.DB.prepare(query).first<number>('id')) ?? 0
}
