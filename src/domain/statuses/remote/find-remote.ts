import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { namedLimits } from '../../../contract/limits'
import { combineQueries, constant, first, limitTo, map, oneRow, type Query } from '../../../db/query'
import { statuses } from '../../../db/schema'
import type { AccountId, CollectionId, StatusId } from '../../../lib/ids'
import { hostOf, liesOn } from '../../../lib/web-address'
import type { Ctx } from '../../../ports/ctx'
import { type AskedAccount, accountsByUris } from '../../accounts/find'
import { collectionIdsByUris } from '../../collections/find'
import { isReceived, wasReceived } from '../../core/received-activities'
import { type ViewerRef, viewerById } from '../../core/viewer'
import type { InteractorRelation } from '../../policy/interaction'
import { asOwn, isInLocalPart, type OwnStatus, type VisibleStatus, visibleTo } from '../../policy/visibility'
import { type PollRow, pollOfStatus } from '../../polls/find'
import { type DomainLimit, findDomainLimit } from '../../servers/limits'
import { lateMilliseconds } from '../../timelines/fan-out'
import { postSubscribersOf } from '../create'
import { idByAddress, visibleAtAddress, visibleShared } from '../find'
import { type EditAudience, editAudience } from '../find-affected-servers'
import type { PostSubscriber } from '../plan'
import { type QuoteRow, type QuoteTarget, quoteIn, quoteTargetAt } from '../quotes/find-quotes'
import type { RemoteStatus } from './remote-status'

/** The remote status or reblog of `actor` with this URI; 'of another' if another account wrote it. One statement. */
export function statusOfActor(
  ctx: Ctx,
  actor: AccountId,
  uri: string,
): Query<OwnStatus | 'of another' | null> {
  const found = first(ctx.db.select(getTableColumns(statuses)).from(statuses).where(eq(statuses.uri, uri)))
  return map(found, (row) => (row === null ? null : (asOwn(actor, row) ?? 'of another')))
}

/** Lookups for an edit of a remote status. */
export interface EditFacts {
  readonly held: OwnStatus | 'of another' | null
  readonly poll: PollRow | null
  readonly mentioned: ImportFacts['mentioned']
  readonly audience: EditAudience
  readonly limit: DomainLimit | null
  /** Quote in the stored version; loaded if the newer one has a quote. */
  readonly quote: QuoteRow | null
  /** Status quoted by the newer version, if its author may see it. */
  readonly quoted: QuoteTarget | null
  /** Linked collections that are stored. */
  readonly collections: readonly CollectionId[]
}

/** Loads the facts for a newer version of a status of `author`: one round trip. */
export function editFacts(
  ctx: Ctx,
  author: AccountId,
  { uri, mentioned, quote, collections }: RemoteStatus,
): Query<EditFacts> {
  return combineQueries({
    held: statusOfActor(ctx, author, uri),
    poll: pollOfStatus(ctx, idByAddress(ctx, uri)),
    mentioned: mentionedAccounts(ctx, mentioned),
    audience: editAudience(ctx, idByAddress(ctx, uri)),
    limit: findDomainLimit(ctx, hostOf(uri) ?? ''),
    quote: quote === null ? constant(null) : quoteIn(ctx, idByAddress(ctx, uri)),
    quoted: quote === null ? constant(null) : quoteTargetAt(ctx, author, quote.uri),
    collections: collections.length === 0 ? constant([]) : collectionIdsByUris(ctx, collections),
  })
}

/** Guard: the status `id` is still the version edited at `editedAt`. */
export function isVersion(id: StatusId, editedAt: Date | null): SQL {
  return sql`exists (select 1 from statuses where id = ${id} and edited_at is ${editedAt?.getTime() ?? null})`
}

/** Id of the status with this address, whatever its visibility. One statement. */
export function statusIdAt(ctx: Ctx, address: string): Query<StatusId | null> {
  const found = first(ctx.db.select({ id: idByAddress(ctx, address).as('id') }).from(oneRow))
  return map(found, (row) => row?.id ?? null)
}

/** Stored state of a status URI. */
interface StoredState {
  readonly statusId: StatusId | null
  /** True if it was deleted and must not be stored again. */
  readonly deleted: boolean
  readonly authorSuspended: boolean
  /** By a local account. */
  readonly authorFollowed: boolean
  readonly quotesLocal: boolean
  /** Conversation of a stored reply to this status. */
  readonly awaitedIn: StatusId | null
  /** Recent stored replies to this status. */
  readonly late: readonly StatusId[]
}

/** Lookups for storing a remote status. */
export interface ImportFacts {
  readonly held: StoredState
  /** The parent, if the author may see it. */
  readonly parent: VisibleStatus | null
  readonly answering: InteractorRelation
  readonly mentioned: readonly AskedAccount[]
  readonly listeners: readonly PostSubscriber[]
  /** Domain limit of its server. */
  readonly limit: DomainLimit | null
  /** The quoted status, if the author may see it. */
  readonly quoted: QuoteTarget | null
  /** Linked collections that are stored. */
  readonly collections: readonly CollectionId[]
}

const noRelation: InteractorRelation = { followsParent: false, namedInParent: false }

/** Loads the facts for a remote status: one round trip. */
export function importFacts(ctx: Ctx, author: AccountId, status: RemoteStatus): Query<ImportFacts> {
  const { inReplyTo, mentioned, quote, collections } = status
  return combineQueries({
    held: storedStateOf(ctx, author, status),
    parent: inReplyTo === null ? constant(null) : visibleAtAddress(ctx, viewerById(author), inReplyTo),
    answering:
      inReplyTo === null ? constant(noRelation) : answeringFacts(ctx, author, idByAddress(ctx, inReplyTo)),
    mentioned: mentionedAccounts(ctx, mentioned),
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
          and local = 0 order by id limit 1)`.as('awaited_in'),
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

/** True if a local account follows the account. Only local accounts have stored follows of remote accounts. */
function hasLocalFollower(account: AccountId): SQL {
  return sql`exists (select 1 from follows f where f.target_account_id = ${account}
    and ${isInLocalPart('f')} and exists (select 1 from users where users.account_id = f.account_id))`
}

/** Query form of `hasLocalFollower`. One statement. */
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

/** Lookups for storing a remote reblog. */
export interface ReblogFacts {
  /** True if the reblog is stored or was undone. */
  readonly isHandled: boolean
  /** By a local account. */
  readonly doerFollowed: boolean
  /** The original, if the reblogging account may see it. */
  readonly original: VisibleStatus | null
  /** Relation of the reblogging account to the author of the original. */
  readonly answering: InteractorRelation
}

export function reblogFacts(
  ctx: Ctx,
  actor: AccountId,
  { uri, original }: { readonly uri: string; readonly original: SQL<StatusId> | SQL },
): Query<ReblogFacts> {
  const isKnown = sql<number>`not ${isUnknownUri(uri)}`
  const found = combineQueries({
    own: first(
      ctx.db
        .select({
          handled: isKnown.as('handled'),
          followed: sql<number>`${hasLocalFollower(actor)}`.as('followed'),
        })
        .from(oneRow),
    ),
    received: wasReceived(ctx, uri),
    original: visibleShared(ctx, viewerById(actor), original),
    answering: answeringFacts(ctx, actor, original),
  })
  return map(found, ({ own, received, ...facts }) => ({
    ...facts,
    isHandled: received || own?.handled === 1,
    doerFollowed: own?.followed === 1,
  }))
}

/** Guard: neither a status nor a tombstone has this URI. */
export function isUnknownUri(uri: string): SQL {
  return sql`not exists (select 1 from statuses where uri = ${uri}
    union all select 1 from tombstones where uri = ${uri}
    union all select 1 from received_activities where uri = ${uri})`
}

/** Late replies that are streamed. */
const maxLateReplies = 10

/** Recent replies stored before their parent `uri`, which may enter feeds once it is known. One statement. */
export function lateReplies(ctx: Ctx, uri: string): Query<readonly StatusId[]> {
  const found = first(ctx.db.select({ late: lateRepliesTo(ctx, uri).as('late') }).from(oneRow))
  return map(found, (row) => row?.late ?? [])
}

/** Recent replies to `uri` as one JSON cell. */
function lateRepliesTo(ctx: Ctx, uri: string): SQL<readonly StatusId[]> {
  const since = ctx.clock.now().getTime() - lateMilliseconds
  return sql`(select json_group_array(id) from (select id from statuses
    where in_reply_to_uri = ${uri} and local = 0 and visibility <> 'direct' and created_at > ${since}
    order by id ${limitTo(maxLateReplies)}))`.mapWith((cell: string): readonly StatusId[] => JSON.parse(cell))
}

const orphansAtOnce = 50
const subtreeAtOnce = 200

/**
 * Replies stored before their parent `uri` whose authors may see the parent, now stored as `id`. Local ones are from
 * archives, and never attached.
 */
export function orphansOf(id: StatusId, uri: string): SQL {
  const author: ViewerRef = { id: sql`orphan.account_id`, signedIn: true }
  return sql`select orphan.id from statuses orphan where orphan.in_reply_to_uri = ${uri} and orphan.local = 0
    and exists (select 1 from statuses s where s.id = ${id} and ${visibleTo(author)})
    order by orphan.id ${limitTo(orphansAtOnce)}`
}

/** Replies stored before their parent `uri`, as `orphansOf`, with their descendants. */
export function awaitingThreads(uri: string): SQL {
  return sql`with recursive down(id) as (
      select id from (select id from statuses where in_reply_to_uri = ${uri} and local = 0
        order by id ${limitTo(orphansAtOnce)})
      union all
      select below.id from down cross join statuses below where below.in_reply_to_id = down.id
      ${limitTo(subtreeAtOnce)})
    select id from down`
}

/** Number of public and unlisted replies to the status `id`. */
export function openReplyCount(id: StatusId): SQL {
  return sql`(select count(*) from statuses where in_reply_to_id = ${id}
    and visibility in ('public', 'unlisted') and local_only = 0)`
}

/**
 * Known accounts that a remote status mentions or addresses, each once, under the first address that names it. Of more than a
 * hundred addresses those of this server are kept, then the first ones. One statement.
 */
function mentionedAccounts(ctx: Ctx, addresses: readonly string[]): Query<readonly AskedAccount[]> {
  if (addresses.length === 0) return constant([])
  const kept = keepOwn(addresses, ctx.config.ownDomains)
  const places = new Map(kept.map((address, place) => [address, place]))
  return map(accountsByUris(ctx, kept), (found) => {
    const latestFirst = found.toSorted((one, other) => placeOf(places, other) - placeOf(places, one))
    // A map keeps the last of equal keys: explicit mentions come before other recipients.
    return [...new Map(latestFirst.map((account) => [account.id, account])).values()].toSorted(
      (one, other) => placeOf(places, one) - placeOf(places, other),
    )
  })
}

function placeOf(places: ReadonlyMap<string, number>, { asked }: AskedAccount): number {
  return places.get(asked) ?? 0
}

function keepOwn(addresses: readonly string[], ownDomains: readonly string[]): readonly string[] {
  const most = namedLimits.mentions
  if (addresses.length <= most) return addresses
  const own = addresses.filter((address) => liesOn(ownDomains, address)).slice(0, most)
  const others = addresses.filter((address) => !liesOn(ownDomains, address))
  const kept = new Set([...own, ...others.slice(0, most - own.length)])
  return addresses.filter((address) => kept.has(address))
}
