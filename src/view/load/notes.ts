import { type SQL, sql } from 'drizzle-orm'
import {
  actorUri,
  contextUri,
  conversationUri,
  quoteAuthorizationUri,
  statusUri,
  statusUrl,
  uriOfAccount,
} from '../../contract/addresses'
import { removedAuthorId } from '../../contract/ids'
import { prepared } from '../../db/prepared'
import { both, limitTo, map, type Query, rows, type Selection, withEnd } from '../../db/query'
import type { QuoteState } from '../../db/schema/federation'
import type { ViewerRef } from '../../domain/core/viewer'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { CollectionFacts } from './collections'
import { loadUnfiltered, type StatusFacts } from './statuses'

/** A quoted status, as federated. */
export interface QuotedFacts {
  readonly uri: string
  /** URL of its page, if known. */
  readonly url: string | null
  readonly state: QuoteState
  readonly authorization: string | null
}

/** A reblogged status, as federated. */
export interface SharedFacts {
  readonly uri: string
  readonly authorUri: string
}

/** A local status with everything its federated object contains. */
export interface NoteFacts extends Pick<StatusFacts, 'status' | 'author' | 'poll'> {
  /** The local collections whose pages it links. */
  readonly collections: readonly CollectionFacts[]
  readonly uri: string
  readonly actor: string
  /** Set for reblogs, which use no other field. */
  readonly shared: SharedFacts | null
  readonly inReplyTo: string | null
  /** Address of the thread: a collection, unless the thread began elsewhere without one. */
  readonly context: string
  readonly quote: QuotedFacts | null
  readonly ownReplies: OwnReplies
}

/** The first replies by the author, for readers that fetch the thread at once. */
export interface OwnReplies {
  readonly uris: readonly string[]
  /** The id above which there may be more of them; null if complete. */
  readonly moreAbove: number | null
}

export interface NoteBundle {
  /** Newest cursor first. */
  readonly notes: readonly NoteFacts[]
  /** Every cursor selected, so that the next page starts after filtered entries. */
  readonly cursors: readonly number[]
  /** The selection ended before the page was full: more may follow after its last cursor. */
  readonly endsEarly: boolean
}

/**
 * Loads the local statuses a selection names by rows (id, cursor), as `viewer` may see them. Two statements,
 * each of which runs the selection.
 *
 * Remote statuses are left out: their own servers publish them. So are local-only statuses, but for archives.
 */
export function loadNotes(
  ctx: Ctx,
  viewer: ViewerRef,
  selection: Selection,
  { withLocalOnly = false }: { readonly withLocalOnly?: boolean } = {},
): Query<NoteBundle> {
  const { origin } = ctx.config
  return map(
    both(loadUnfiltered(ctx, viewer, selection), loadReferences(ctx, selection)),
    ([bundle, references]) => ({
      cursors: bundle.cursors,
      endsEarly: bundle.endsEarly,
      notes: bundle.ids.flatMap((id) => {
        const facts = bundle.statuses.get(id)
        const reference = references.get(id)
        if (facts === undefined || reference === undefined || !isOwn(facts)) return []
        if (facts.status.localOnly && !withLocalOnly) return []
        const sharedId = facts.status.reblogOfId
        const original = sharedId === null ? undefined : bundle.statuses.get(sharedId)
        if (original?.status.localOnly === true && !withLocalOnly) return []
        return [noteFacts(origin, { facts, original, reference })]
      }),
    }),
  )
}

function isOwn({ status, author }: StatusFacts): boolean {
  return author.domain === null && status.uri === null
}

interface Parts {
  readonly facts: StatusFacts
  readonly original: StatusFacts | undefined
  readonly reference: Reference
}

function noteFacts(origin: string, { facts, original, reference }: Parts): NoteFacts {
  const { status, author, poll } = facts
  const [answers, ids] = reference.ownReplies
  const uriOf = (id: StatusId) => statusUri(origin, author.username, id)
  return {
    status,
    author,
    poll,
    collections: facts.collections ?? [],
    uri: uriOf(status.id),
    actor: uriOfAccount(origin, author),
    shared: original === undefined ? null : sharedFacts(origin, original),
    inReplyTo: parentUri(origin, reference),
    context: contextOf(origin, status, reference),
    quote: quotedFacts(origin, reference),
    ownReplies: { uris: ids.map(uriOf), moreAbove: answers < looksThrough ? null : (ids.at(-1) ?? 0) },
  }
}

function sharedFacts(origin: string, { status, author }: StatusFacts): SharedFacts {
  return {
    uri: status.uri ?? statusUri(origin, author.username, status.id),
    authorUri: uriOfAccount(origin, author),
  }
}

interface Reference {
  readonly id: StatusId
  readonly parentId: StatusId | null
  readonly parentUri: string | null
  readonly parentName: string | null
  /** Flag: the thread began on this server; null for its first status, and where that was deleted. */
  readonly rootLocal: number | null
  /** Thread of a remote root, as its server addresses it. */
  readonly rootContext: string | null
  readonly quotedId: StatusId | null
  readonly quotedName: string | null
  readonly quotedUrl: string | null
  readonly quotedUri: string | null
  readonly quoteState: QuoteState | null
  readonly authorization: string | null
  /** Flag: the quoted author is another account. */
  readonly quotesOther: number
  /** Number of replies examined, and the ids of those by the author. */
  readonly ownReplies: readonly [number, readonly StatusId[]]
}

function parentUri(origin: string, { parentId, parentUri: uri, parentName }: Reference): string | null {
  if (uri !== null || parentId === null || parentName === null) return uri
  return statusUri(origin, parentName, parentId)
}

/** Address of a thread: that of its owner, else the name it always had here. */
function contextOf(
  origin: string,
  { conversationId }: StatusFacts['status'],
  { rootLocal, rootContext }: Reference,
): string {
  if (rootLocal === 0) return rootContext ?? conversationUri(origin, conversationId)
  return contextUri(origin, conversationId)
}

function quotedFacts(origin: string, reference: Reference): QuotedFacts | null {
  const { quotedId, quotedName, quotedUrl, quotedUri, quoteState, authorization } = reference
  if (quotedUri === null || quoteState === null) return null
  const localUrl = quotedId === null || quotedName === null ? null : statusUrl(origin, quotedName, quotedId)
  const consent =
    quotedName === null || reference.quotesOther !== 1
      ? authorization
      : quoteAuthorizationUri(actorUri(origin, quotedName), reference.id)
  return { uri: quotedUri, url: quotedUrl ?? localUrl, state: quoteState, authorization: consent }
}

/** Loads what the selected statuses refer to. Usernames are local authors' only: URLs are built for no others. */
function loadReferences(ctx: Ctx, selection: Selection): Query<ReadonlyMap<StatusId, Reference>> {
  const found = rows(selectReferences(ctx.db, { page: withEnd(selection) }))
  return map(found, (all) => new Map(all.map((row) => [row.id, row])))
}

const selectReferences = prepared(['page'], (db, { page }) =>
  db
    .select({
      id: sql<StatusId>`s.id`.as('id'),
      parentId: sql<StatusId | null>`parent.id`.as('parent_id'),
      parentUri: sql<string | null>`coalesce(parent.uri, s.in_reply_to_uri)`.as('parent_uri'),
      parentName: sql<string | null>`${localName('parent')}`.as('parent_name'),
      rootLocal: sql<number | null>`root.local`.as('root_local'),
      rootContext: sql<string | null>`root.context_uri`.as('root_context'),
      quotedId: sql<StatusId | null>`quoted.id`.as('quoted_id'),
      quotedName: sql<string | null>`${localName('quoted')}`.as('quoted_name'),
      quotedUrl: sql<string | null>`coalesce(quoted.url, quoted.uri)`.as('quoted_url'),
      quotedUri: sql<string | null>`q.quoted_uri`.as('quoted_uri'),
      quoteState: sql<QuoteState | null>`q.state`.as('quote_state'),
      authorization: sql<string | null>`q.authorization_uri`.as('authorization_uri'),
      quotesOther: sql<number>`q.account_id <> q.quoted_account_id`.as('quotes_other'),
      ownReplies: sql<Reference['ownReplies']>`${ownReplies}`
        .mapWith((cell: string): Reference['ownReplies'] => JSON.parse(cell))
        .as('own_replies'),
    })
    .from(sql`(${page}) as page cross join statuses s
        left join statuses parent on parent.id = s.in_reply_to_id and ${isThere('parent')}
        left join statuses root on root.id = s.conversation_id and s.conversation_id <> s.id and ${isThere('root')}
        left join quotes q on q.status_id = s.id
        left join statuses quoted on quoted.id = q.quoted_status_id and ${isThere('quoted')}`)
    .where(sql`s.id = page.id and page.is_end = 0`),
)

/** Condition: the status is not being removed. */
function isThere(alias: 'parent' | 'quoted' | 'root'): SQL {
  return sql.raw(`${alias}.account_id <> ${removedAuthorId}`)
}

function localName(alias: 'parent' | 'quoted'): SQL {
  return sql.raw(`(select username from accounts where accounts.id = ${alias}.account_id and domain is null)`)
}

// A popular status has thousands of replies: only the first are searched for the author's own.
const looksThrough = 8
const ownReplies = sql`(select json_array(count(*), json(json_group_array(own.id) filter (
    where own.account_id = s.account_id and own.visibility in ('public', 'unlisted') and own.local_only = 0)))
  from (select r.id, r.account_id, r.visibility, r.local_only from statuses r
    where r.in_reply_to_id = s.id order by r.id ${limitTo(looksThrough)}) own)`
