import { eq, type SQL, sql } from 'drizzle-orm'
import { type Handle, parseHandle } from '../../contract/handle'
import { combineQueries, constant, first, limitTo, map, type Query } from '../../db/query'
import { users } from '../../db/schema'
import { isTimeZone } from '../../lib/days'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { accountsByHandles } from '../accounts/find'
import type { Page } from '../core/page'
import { bindViewer, type ViewerRef } from '../core/viewer'
import { allowedInDiscovery } from '../policy/blocks-and-mutes'
import { visibleTo } from '../policy/visibility'
import { authorTrait, readerPrefix, viewerMark } from './document'
import { parseStatusQuery, type StatusQuery } from './parse'
import { type IdSpan, isMe, planSearch, type SearchTerms, type StatusSearch } from './plan'
export interface StatusSearchOrder {
  /** As typed. */
  readonly text: string
  /** Restricts results to this account. */
  readonly author: AccountId | null
  readonly page: Page
  readonly offset: number
  /** Status that precedes the others where no page of ids was asked for: the one at the address that is the text. */
  readonly first?: StatusId | null
  /** The request looks for other kinds of results as well. */
  readonly isOneOfMany?: boolean
}

/** Bounds the index matches checked for visibility: many in a row may be hidden. */
const maxCandidates = { alone: 370, amongOthers: 150 }

/** Search for statuses by their text, before what it names is known. */
export interface WordSearch {
  /** Looks up the accounts and the time zone of days that the text names; without a statement where it names none. */
  readonly terms: Query<SearchTerms>
  /** Statuses found, newest first, as a selection (id, cursor); null where there can be none. */
  select(terms: SearchTerms): SQL | null
}

/**
 * Searches statuses by their text. Null for an empty query; throws `Invalid` for an invalid date.
 *
 * Results are public statuses of authors who allow search, and otherwise the viewer's library: their own statuses,
 * those that mention them, those they favourited, bookmarked, reblogged or voted in. Accounts hidden by the viewer
 * are left out.
 */
export function searchByWords(ctx: Ctx, viewer: ViewerRef, order: StatusSearchOrder): WordSearch | null {
  const query = order.page.limit === 0 ? null : parseStatusQuery(order.text)
  if (query === null) return null
  const whole = order.author === null ? query : narrowed(query, order.author)
  return {
    terms: termsOf(ctx, viewer, whole),
    select: (terms) => {
      const search = planSearch(whole, terms)
      return search === null ? null : selection(viewer, { search, order, now: ctx.clock.now() })
    },
  }
}

function narrowed(query: StatusQuery, author: AccountId): StatusQuery {
  return { ...query, wanted: [...query.wanted, { kind: 'trait', trait: authorTrait(author) }] }
}

function termsOf(ctx: Ctx, viewer: ViewerRef, { wanted, unwanted }: StatusQuery): Query<SearchTerms> {
  const clauses = [...wanted, ...unwanted]
  const handles = new Map<string, Handle>()
  for (const clause of clauses) {
    if (clause.kind !== 'author' || isMe(clause.name)) continue
    const handle = parseHandle(clause.name, ctx.config.ownDomains)
    if (handle !== null) handles.set(clause.name, handle)
  }
  const zone = ctx.db.select({ name: users.timeZone }).from(users).where(eq(users.accountId, viewer.id))
  const found = combineQueries({
    zone: clauses.some(({ kind }) => kind === 'date') ? first(zone) : constant(null),
    accounts: handles.size === 0 ? constant([]) : accountsByHandles(ctx, [...handles.values()]),
  })
  return map(found, ({ zone: row, accounts }) => {
    const authors = [...handles].flatMap(([typed, handle]) => {
      const account = accounts.find((one) => keyOf(one) === keyOf(handle))
      return account === undefined ? [] : [[typed, account.id] as const]
    })
    const zone = row?.name ?? null
    const timeZone = zone !== null && isTimeZone(zone) ? zone : 'UTC'
    return { timeZone, authors: new Map(authors) }
  })
}

const keyOf = ({ username, domain }: Handle) => `${username.toLowerCase()}@${domain ?? ''}`

/** Pattern without a match: the trait of readers without an id. */
const nothing = `traits : "${readerPrefix}"`

interface Selecting {
  readonly search: StatusSearch
  readonly order: StatusSearchOrder
  readonly now: Date
}

/**
 * The index yields candidates; visibility is checked on the rows themselves, so that changes since indexing apply at
 * once.
 */
function selection(viewer: ViewerRef, { search, order, now }: Selecting): SQL {
  const { pattern, within, without, embeds, reach } = search
  const { page, offset } = order
  const direction = page.minId === undefined ? sql`desc` : sql`asc`
  // Numbers are bound as REAL, whose text is that of no id. Tokens of applications have no account: they find nothing.
  const matched = sql`coalesce(replace(${pattern}, ${viewerMark}, cast(${viewer.id} as integer)), ${nothing})`
  const conditions = [
    ...without.map((span) => sql`not ${inSpan(span, sql`s.id`)}`),
    ...(embeds === null
      ? []
      : [sql`coalesce(s.card ->> 'type', 'link') ${embeds ? sql`in` : sql`not in`} ('video', 'rich')`]),
    bindViewer(viewer, reachable[reach]),
    visibleTo(viewer),
    allowedInDiscovery(viewer, now),
  ]
  const most = order.isOneOfMany === true ? maxCandidates.amongOthers : maxCandidates.alone
  // The candidates come in order, and a cross join keeps it: sorting again would check visibility for every candidate.
  const found = sql`select s.id as id, s.id as cursor
    from (select rowid as id from status_search where status_search match ${matched}
      and ${rowidWithin(within, page)}
      order by rowid ${direction} ${limitTo(most)}) found cross join statuses s on s.id = found.id
    where ${sql.join(conditions, sql` and `)}`
  return order.first == null
    ? sql`${found} ${limitTo(page.limit)} offset ${offset}`
    : afterFirst(viewer, found, order, order.first)
}

/** Puts a status before the results. It counts as one result, if the viewer may see it. */
function afterFirst(
  viewer: ViewerRef,
  found: SQL,
  { page, offset }: StatusSearchOrder,
  first: StatusId,
): SQL {
  const others = sql`${found} and s.id <> ${first}`
  if (page.maxId !== undefined || page.minId !== undefined)
    return sql`${others} ${limitTo(page.limit)} offset ${offset}`
  const shown = sql`exists (select 1 from statuses original where original.id = ${first} and ${visibleTo(viewer, 'original')})`
  if (offset > 0) return sql`${others} ${limitTo(page.limit)} offset ${offset} - ${shown}`
  return sql`select ${first} as id, ${Number.MAX_SAFE_INTEGER} as cursor
    union all select id, cursor from (${others} ${limitTo(page.limit)} - ${shown})`
}

/**
 * Bounds of the index scan. D1 binds numbers as REAL, and FTS5 ignores such bounds on its rowid: every match would be
 * read, down to the beginning.
 */
function rowidWithin({ from, until }: IdSpan, { maxId, sinceId = 0, minId = 0 }: Page): SQL {
  const below = Math.min(until, maxId ?? until)
  const above = Math.max(from, sinceId + 1, minId + 1)
  return sql`rowid >= cast(${above} as integer) and rowid < cast(${below} as integer)`
}

function inSpan({ from, until }: IdSpan, id: SQL): SQL {
  return sql`(${id} >= ${from} and ${id} < ${until})`
}

const isOpen = `(s.visibility = 'public' and exists (
  select 1 from accounts opted where opted.id = s.account_id and opted.indexable = 1))`
const isOwn = `(s.account_id = me.id
  or exists (select 1 from status_mentions m where m.status_id = s.id and m.account_id = me.id)
  or exists (select 1 from favourites f where f.status_id = s.id and f.account_id = me.id)
  or exists (select 1 from bookmarks b where b.status_id = s.id and b.account_id = me.id)
  or exists (select 1 from statuses r where r.reblog_of_id = s.id and r.account_id = me.id)
  or exists (select 1 from poll_votes v where v.poll_id = s.poll_id and v.account_id = me.id))`
const reachable = { all: `(${isOpen} or ${isOwn})`, library: isOwn, public: isOpen } as const
