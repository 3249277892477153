import { and, eq, lt, type SQL, sql } from 'drizzle-orm'
import { usernameIn } from '../../contract/addresses'
import { combineQueries, constant, first, map, type Query } from '../../db/query'
import { accounts, remoteActors } from '../../db/schema'
import type { EmojiSnapshot, FeaturePolicy, FileRef, ProfileField } from '../../db/values'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type DomainLimit, findDomainLimit } from '../servers/limits'

/**
 * Profile columns from the actor document; without pictures where moderators reject media of its server. The handle
 * is left out: it never changes.
 */
export function profileOf(actor: RemoteActor, limit: DomainLimit | null) {
  const rejectsMedia = limit?.rejectMedia === true
  const pictures = rejectsMedia
    ? { avatar: null, header: null, emojis: [] }
    : { avatar: pictureOf(actor.avatar), header: pictureOf(actor.header), emojis: actor.emojis }
  return {
    ...pictures,
    url: actor.url,
    displayName: actor.displayName,
    noteHtml: actor.noteHtml,
    fields: actor.fields,
    avatarDescription: actor.avatar?.description ?? '',
    headerDescription: actor.header?.description ?? '',
    locked: actor.locked,
    actorType: actor.type,
    discoverable: actor.discoverable,
    indexable: actor.indexable,
    memorial: actor.memorial,
    attributionDomains: actor.attributionDomains,
    featurePolicy: actor.featurePolicy,
    alsoKnownAs: actor.alsoKnownAs,
  } satisfies Partial<typeof accounts.$inferInsert>
}

type Profile = ReturnType<typeof profileOf>

function pictureOf(picture: RemotePicture | null): FileRef | null {
  return picture === null ? null : { remote: picture.url }
}

/** Inboxes and collections of an actor. */
export function endpointColumns(actor: RemoteActor) {
  const { inbox, sharedInbox, outbox, followers, following, featured, featuredTags } = actor
  const { featuredCollections, movedTo } = actor
  return {
    inbox,
    sharedInbox,
    outbox,
    followers,
    following,
    featured,
    featuredTags,
    featuredCollections,
    movedTo,
  } satisfies Partial<typeof remoteActors.$inferInsert>
}

/** Columns of `next` that differ from the stored ones: writing unchanged names would reindex them. */
export function changedColumns<T extends object>(stored: T, next: T): Partial<T> {
  const differs = (key: keyof T) => JSON.stringify(stored[key]) !== JSON.stringify(next[key])
  const changed: Partial<T> = {}
  for (const key of keysOf(next)) if (differs(key)) changed[key] = next[key]
  return changed
}

function keysOf<T extends object>(value: T): readonly Extract<keyof T, string>[] {
  return Object.keys(value).filter((key): key is Extract<keyof T, string> => Object.hasOwn(value, key))
}

export interface ImportFacts {
  /** Account with the actor's URI; only the columns its document decides. */
  readonly account: KnownAccount | null
  /** Account that has the handle now. */
  readonly holder: AccountId | null
  /** Account the actor moved to, once that one names this actor too. */
  readonly movedTo: AccountId | null
  /** Moderators' limit on the domain in its handle. */
  readonly limit: DomainLimit | null
}

export type KnownAccount = Profile & {
  readonly id: AccountId
  readonly movedToAccountId: AccountId | null
  readonly suspendedAt: Date | null
  readonly fetchedAt: Date | null
}

const knownColumns = {
  id: accounts.id,
  movedToAccountId: accounts.movedToAccountId,
  suspendedAt: accounts.suspendedAt,
  url: accounts.url,
  displayName: accounts.displayName,
  noteHtml: accounts.noteHtml,
  fields: accounts.fields,
  emojis: accounts.emojis,
  avatar: accounts.avatar,
  avatarDescription: accounts.avatarDescription,
  header: accounts.header,
  headerDescription: accounts.headerDescription,
  locked: accounts.locked,
  actorType: accounts.actorType,
  discoverable: accounts.discoverable,
  indexable: accounts.indexable,
  memorial: accounts.memorial,
  attributionDomains: accounts.attributionDomains,
  featurePolicy: accounts.featurePolicy,
  alsoKnownAs: accounts.alsoKnownAs,
  fetchedAt: remoteActors.fetchedAt,
}

/** Facts about an actor that this server stores already. */
export function importFacts(ctx: Ctx, actor: RemoteActor): Query<ImportFacts> {
  return combineQueries({
    account: first(
      ctx.db
        .select(knownColumns)
        .from(accounts)
        .leftJoin(remoteActors, eq(remoteActors.accountId, accounts.id))
        .where(eq(accounts.uri, actor.uri)),
    ),
    holder: idWhere(ctx, hasHandle(actor.username, actor.domain)),
    movedTo: moveTarget(ctx, actor),
    limit: findDomainLimit(ctx, actor.domain),
  })
}

/** Accepted only when the target account lists the actor as an alias. */
function moveTarget(ctx: Ctx, { uri, movedTo }: RemoteActor): Query<AccountId | null> {
  if (movedTo === null) return constant(null)
  const own = usernameIn(ctx.config.origin, movedTo)
  const target = own === null ? eq(accounts.uri, movedTo) : hasHandle(own, '')
  return idWhere(ctx, sql`${target} and ${uri} in (select value from json_each(${accounts.alsoKnownAs}))`)
}

function idWhere(ctx: Ctx, condition: SQL): Query<AccountId | null> {
  const found = first(ctx.db.select({ id: accounts.id }).from(accounts).where(condition))
  return map(found, (row) => row?.id ?? null)
}

function hasHandle(username: string, domain: string): SQL {
  return sql`lower(${accounts.username}) = ${username.toLowerCase()} and coalesce(${accounts.domain}, '') = ${domain}`
}

/** Remote actor as parsed from its document: HTML sanitised, URLs checked, lengths cut. */
export interface RemoteActor {
  readonly uri: string
  readonly username: string
  /** Host in its handle, lower case; that of `uri` until WebFinger says otherwise. */
  readonly domain: string
  /** Handle in its `webfinger` property (FEP-2c59), unverified; null when the document has none. */
  readonly claimedHandle: { readonly username: string; readonly domain: string } | null
  readonly url: string | null
  readonly type: 'Person' | 'Service' | 'Group' | 'Organization' | 'Application'
  readonly displayName: string
  readonly noteHtml: string
  readonly fields: readonly ProfileField[]
  readonly emojis: readonly EmojiSnapshot[]
  readonly avatar: RemotePicture | null
  readonly header: RemotePicture | null
  readonly locked: boolean
  readonly discoverable: boolean | null
  readonly indexable: boolean
  readonly memorial: boolean
  readonly suspended: boolean
  readonly attributionDomains: readonly string[]
  /** Policy for adding the account to collections; null when the document has none. */
  readonly featurePolicy: FeaturePolicy | null
  readonly alsoKnownAs: readonly string[]
  readonly movedTo: string | null
  readonly publishedAt: Date | null
  readonly inbox: string
  readonly sharedInbox: string | null
  readonly outbox: string | null
  readonly followers: string | null
  readonly following: string | null
  readonly featured: string | null
  readonly featuredTags: string | null
  readonly featuredCollections: string | null
  readonly keys: readonly RemoteKey[]
}

export interface RemotePicture {
  readonly url: string
  readonly description: string
}

/** PEM, or multibase for Ed25519. */
export interface RemoteKey {
  readonly id: string
  readonly publicKey: string
}

const freshMilliseconds = 24 * 60 * 60 * 1000

/** Whether an actor document was read so long ago that profile and pictures may be outdated. */
export function isProfileStale({ clock }: Ctx, readAt: Date): boolean {
  return clock.now().getTime() - readAt.getTime() > freshMilliseconds
}

/**
 * Claims the refetch of a stale account: true for one of all concurrent callers. Successful or not, no other caller
 * gets the claim for a day.
 */
export async function claimRefresh(ctx: Ctx, id: AccountId): Promise<boolean> {
  const now = ctx.clock.now()
  const before = new Date(now.getTime() - freshMilliseconds)
  const claim = ctx.db
    .update(remoteActors)
    .set({ fetchedAt: now })
    .where(and(eq(remoteActors.accountId, id), lt(remoteActors.fetchedAt, before)))
  const [claimed] = await commit(ctx, new Changes().add(claim))
  return claimed === 1
}
