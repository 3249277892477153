import { eq, type SQL, sql } from 'drizzle-orm'
import { combineQueries, constant, first, map, type Query } from '../../db/query'
import { accounts, remoteActors } from '../../db/schema'
import { usernameIn } from '../../lib/addresses'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type DomainLimit, findDomainLimit } from '../instance/limits'
import type { RemoteActor } from './remote'
import type { Profile } from './remote-rows'

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
