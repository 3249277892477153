import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { combineQueries, constant, first, map, type Query, rows } from '../../../db/query'
import { statuses } from '../../../db/schema'
import { limitTo, oneRow } from '../../../db/sql'
import type { AccountId, CollectionId, StatusId } from '../../../lib/ids'
import { hostOf } from '../../../lib/web-address'
import type { Ctx } from '../../../platform/ports'
import type { Mentionable } from '../../accounts/find'
import { accountsByUris } from '../../accounts/find-by-uri'
import { collectionIdsByUris } from '../../collections/find'
import { isReceived, wasReceived } from '../../core/received-activities'
import { type ViewerRef, viewerById } from '../../core/viewer'
import { type DomainLimit, findDomainLimit } from '../../instance/limits'
import type { InteractorRelation } from '../../policy/interaction'
import { asOwn, type OwnStatus, type VisibleStatus, visibleTo } from '../../policy/visibility'
import { type PollRow, pollOfStatus } from '../../polls/find'
import { lateMilliseconds } from '../../timelines/fan-out'
import { idByAddress, visibleAtAddress, visibleShared } from '../find-address'
import { postSubscribersOf } from '../find-draft-facts'
import type { PostSubscriber } from '../plan'
import {
  localQuoters,
  type QuoteRow,
  type Quoter,
  type QuoteTarget,
  quoteIn,
  quoteTargetAt,
} from '../quotes/find-quotes'
import type { RemoteStatus } from './remote-status'

/** The post or share of `actor` with this address on their server. One statement. */
export function statusOfActor(
  ctx: Ctx,
  actor: AccountId,
  uri: string,
): Query<OwnStatus | 'of another' | null> {
  const found = first(ctx.db.select(getTableColumns(statuses)).from(statuses).where(eq(statuses.uri, uri)))
  return map(found, (row) => (row === null ? null : (asOwn(actor, row) ?? 'of another')))
}

/** What has to be known before a post of another server is changed. */
export interface EditFacts {
  readonly held: OwnStatus | 'of another' | null
  readonly poll: PollRow | null
  readonly mentioned: ImportFacts['mentioned']
  readonly sharers: readonly AccountId[]
  readonly quoters: readonly Quoter[]
  readonly limit: DomainLimit | null
  /** What the version here quotes, where the newer one quotes something. */
  readonly quote: QuoteRow | null
  /** What the newer version quotes, as far as its author may see it. */
  readonly quoted: QuoteTarget | null
  /** Those it links that are kept here. */
  readonly collections: readonly CollectionId[]
}

/** Everything a newer version of a post of `author` is held against: one trip. */
export function editFacts(
  ctx: Ctx,
  author: AccountId,
  { uri, mentioned, quote, collections }: RemoteStatus,
): Query<EditFacts> {
  return combineQueries({
    held: statusOfActor(ctx, author, uri),
    poll: pollOfStatus(ctx, idByAddress(ctx, uri)),
    mentioned: mentioned.length === 0 ? constant([]) : accountsByUris(ctx, mentioned),
    sharers: localRebloggers(ctx, idByAddress(ctx, uri)),
    quoters: localQuoters(ctx, idByAddress(ctx, uri)),
    limit: findDomainLimit(ctx, hostOf(uri) ?? ''),
    quote: quote === null ? constant(null) : quoteIn(ctx, idByAddress(ctx, uri)),
    quoted: quote === null ? constant(null) : quoteTargetAt(ctx, author, quote.uri),
    collections: collections.length === 0 ? constant([]) : collectionIdsByUris(ctx, collections),
  })
}

const maxRebloggers = 500

/** The people of this server who share the status: they are told when it changes. One statement. */
export function localRebloggers(ctx: Ctx, id: SQL<StatusId>): Query<readonly AccountId[]> {
  const found = rows(
    ctx.db
      .select({ id: statuses.accountId })
      .from(statuses)
      .where(sql`${statuses.reblogOfId} = ${id} and ${statuses.local} = 1`)
      .limit(maxRebloggers),
  )
  return map(found, (all) => all.map((row) => row.id))
}

/** For a guard: is the status `id` still in the version that was edited at `editedAt`? */
export function isVersion(id: StatusId, editedAt: Date | null): SQL {
  return sql`exists (select 1 from statuses where id = ${id} and edited_at is ${editedAt?.getTime() ?? null})`
}

/** The id of the status with this address, whoever may see it. One statement. */
export function statusIdAt(ctx: Ctx, address: string): Query<StatusId | null> {
  const found = first(ctx.db.select({ id: idByAddress(ctx, address).as('id') }).from(oneRow))
  return map(found, (row) => row?.id ?? null)
}

/** How an address stands here. */
export interface StoredState {
  readonly statusId: StatusId | null
  /** It was deleted, and is not to come back. */
  readonly deleted: boolean
  readonly authorSuspended: boolean
  /** By anybody of this server. */
  readonly authorFollowed: boolean
  readonly quotesLocal: boolean
  /** The conversation of a status that was waiting for this one. */
  readonly awaitedIn: StatusId | null
  /** Those that were waiting and are not old. */
  readonly late: readonly StatusId[]
}

/** What has to be known before a post of another server is stored. */
export interface ImportFacts {
  readonly held: StoredState
  /** What it answers, as far as its author may see it. */
  readonly parent: VisibleStatus | null
  readonly answering: InteractorRelation
  readonly mentioned: readonly (Mentionable & { readonly asked: string })[]
  readonly listeners: readonly PostSubscriber[]
  /** On its server. */
  readonly limit: DomainLimit | null
  /** What it quotes, as far as its author may see it. */
  readonly quoted: QuoteTarget | null
  /** Those it links that are kept here. */
  readonly collections: readonly CollectionId[]
}

const noRelation: InteractorRelation = { followsParent: false, namedInParent: false }

/** Everything a post of another server is held against: one trip. */
export function importFacts(ctx: Ctx, author: AccountId, status: RemoteStatus): Query<ImportFacts> {
  const { inReplyTo, mentioned, quote, collections } = status
  return combineQueries({
    held: storedStateOf(ctx, author, status),
    parent: inReplyTo === null ? constant(null) : visibleAtAddress(ctx, viewerById(author), inReplyTo),
    answering:
      inReplyTo === null ? constant(noRelation) : answeringFacts(ctx, author, idByAddress(ctx, inReplyTo)),
    mentioned: mentioned.length === 0 ? constant([]) : accountsByUris(ctx, mentioned),
    listeners: postSubscribersOf(ctx, author),
    limit: findDomainLimit(ctx, hostOf(status.uri) ?? ''),
    quoted: quote === null ? constant(null) : quoteTargetAt(ctx, author, quote.uri),
    collections: collections.length === 0 ? constant([]) : collectionIdsByUris(ctx, collections),
  })
}

function storedStateOf(ctx: Ctx, author: AccountId, { uri, quote }: RemoteStatus): Query<StoredState> {
  const quoted = quote === null ? sql`null` : idByAddress(ctx, quote.uri)
  const found = first(
    ctx.db
      .select({
        statusId: sql<StatusId | null>`(select id from statuses where uri = ${uri})`.as('status_id'),
        awaitedIn: sql<StatusId | null>`(select conversation_id from statuses where in_reply_to_uri = ${uri}
          order by id limit 1)`.as('awaited_in'),
        late: lateRepliesTo(ctx, uri).as('late'),
        claims: sql<number>`(exists (select 1 from tombstones where uri = ${uri}) or ${isReceived(uri)})
          + 2 * exists (select 1 from accounts where id = ${author} and suspended_at is not null)
          + 4 * ${hasLocalFollower(author)}
          + 8 * exists (select 1 from statuses where id = ${quoted} and local = 1)`.as('claims'),
      })
      .from(oneRow),
  )
  return map(found, (row) => {
    const holds = (bit: number) => ((row?.claims ?? 0) & bit) !== 0
    return {
      statusId: row?.statusId ?? null,
      awaitedIn: row?.awaitedIn ?? null,
      late: row?.late ?? [],
      deleted: holds(1),
      authorSuspended: holds(2),
      authorFollowed: holds(4),
      quotesLocal: holds(8),
    }
  })
}

/** Does anybody of this server follow the account? Only our own people follow accounts of other servers here. */
function hasLocalFollower(account: AccountId): SQL {
  return sql`exists (select 1 from follows f where f.target_account_id = ${account}
    and exists (select 1 from users where users.account_id = f.account_id))`
}

/** The same as a question of its own. One statement. */
export function isFollowedHere(ctx: Ctx, account: AccountId): Query<boolean> {
  const found = first(
    ctx.db.select({ followed: sql<number>`${hasLocalFollower(account)}`.as('followed') }).from(oneRow),
  )
  return map(found, (row) => row?.followed === 1)
}

function answeringFacts(ctx: Ctx, author: AccountId, parent: SQL): Query<InteractorRelation> {
  const found = first(
    ctx.db
      .select({
        follows: sql<number>`exists (select 1 from follows
          where account_id = ${author} and target_account_id = p.account_id)`.as('follows'),
        named: sql<number>`exists (select 1 from status_mentions
          where status_id = p.id and account_id = ${author})`.as('named'),
      })
      .from(sql`${statuses} p`)
      .where(sql`p.id = ${parent}`),
  )
  return map(found, (row) => ({ followsParent: row?.follows === 1, namedInParent: row?.named === 1 }))
}

/** What has to be known before a share of another server is stored. */
export interface ReblogFacts {
  /** It is here already, or was taken back. */
  readonly heard: boolean
  /** By anybody of this server. */
  readonly doerFollowed: boolean
  /** What it shares, as far as its doer may see it. */
  readonly original: VisibleStatus | null
  /** How the doer stands to the author of the original. */
  readonly answering: InteractorRelation
}

export function reblogFacts(
  ctx: Ctx,
  doer: AccountId,
  { uri, original }: { readonly uri: string; readonly original: SQL<StatusId> | SQL },
): Query<ReblogFacts> {
  const known = sql<number>`not ${isUnknownUri(uri)}`
  const found = combineQueries({
    own: first(
      ctx.db
        .select({ heard: known.as('heard'), followed: sql<number>`${hasLocalFollower(doer)}`.as('followed') })
        .from(oneRow),
    ),
    received: wasReceived(ctx, uri),
    original: visibleShared(ctx, viewerById(doer), original),
    answering: answeringFacts(ctx, doer, original),
  })
  return map(found, ({ own, received, ...facts }) => ({
    ...facts,
    heard: received || own?.heard === 1,
    doerFollowed: own?.followed === 1,
  }))
}

/** For a guard: is there neither a status nor a tombstone with this address? */
export function isUnknownUri(uri: string): SQL {
  return sql`not exists (select 1 from statuses where uri = ${uri}
    union all select 1 from tombstones where uri = ${uri}
    union all select 1 from received_activities where uri = ${uri})`
}

/** How many answers that come late are put before who is here now. */
const maxLateReplies = 10

/** The statuses that wait for the one at `uri` and may enter feeds once that is known. One statement. */
export function lateReplies(ctx: Ctx, uri: string): Query<readonly StatusId[]> {
  const found = first(ctx.db.select({ late: lateRepliesTo(ctx, uri).as('late') }).from(oneRow))
  return map(found, (row) => row?.late ?? [])
}

/** The same as one JSON cell. */
function lateRepliesTo(ctx: Ctx, uri: string): SQL<readonly StatusId[]> {
  const since = ctx.clock.now().getTime() - lateMilliseconds
  return sql`(select json_group_array(id) from (select id from statuses
    where in_reply_to_uri = ${uri} and visibility <> 'direct' and created_at > ${since}
    order by id ${limitTo(maxLateReplies)}))`.mapWith((cell: string): readonly StatusId[] => JSON.parse(cell))
}

const orphansAtOnce = 50
const subtreeAtOnce = 200

/** The statuses that wait for the one at `uri`, as far as their authors may see the status `id` there. */
export function orphansOf(id: StatusId, uri: string): SQL {
  const author: ViewerRef = { id: sql`orphan.account_id`, signedIn: true }
  return sql`select orphan.id from statuses orphan where orphan.in_reply_to_uri = ${uri}
    and exists (select 1 from statuses s where s.id = ${id} and ${visibleTo(author)})
    order by orphan.id ${limitTo(orphansAtOnce)}`
}

/** The statuses that wait for the one at `uri`, with what answers them. */
export function awaitingThreads(uri: string): SQL {
  return sql`with recursive down(id) as (
      select id from (select id from statuses where in_reply_to_uri = ${uri} order by id ${limitTo(orphansAtOnce)})
      union all
      select below.id from down cross join statuses below where below.in_reply_to_id = down.id
      ${limitTo(subtreeAtOnce)})
    select id from down`
}

/** How many answers anybody may see the status `id` has. */
export function openReplyCount(id: StatusId): SQL {
  return sql`(select count(*) from statuses where in_reply_to_id = ${id}
    and visibility in ('public', 'unlisted') and local_only = 0)`
}
