import type { SQL } from 'drizzle-orm'
import { ask, together } from '../../db/query'
import type { Selection } from '../../db/selection'
import { idByHandle, selectByHandle } from '../../domain/accounts/find'
import type { Page } from '../../domain/core/page'
import type { ViewerRef } from '../../domain/core/viewer'
import { followedBy, followersOf } from '../../domain/relationships/lists'
import { Forbidden, NotFound } from '../../errors'
import { actorAddresses, actorUri } from '../../lib/addresses'
import type { AppContext } from '../../platform/app-env'
import { type ActorFacts, loadActors } from '../../view/load/actors'
import { loadAccountUris } from '../../view/load/uris'
import { orderedCollection, orderedPage } from '../serialise/collections'
import { answerDocument } from './answer'
import { maxIdOf } from './paging'
import type { Reader } from './reader'

const pageSize = 40

interface Listing {
  readonly select: (
    reading: { readonly viewer: ViewerRef; readonly id: SQL; readonly now: Date },
    page: Page,
  ) => Selection
  readonly count: (account: ActorFacts['account']) => number
  readonly address: 'followers' | 'following'
}

const listings: Readonly<Record<Listing['address'], Listing>> = {
  followers: {
    select: followersOf,
    count: ({ followersCount }) => followersCount,
    address: 'followers',
  },
  following: {
    select: followedBy,
    count: ({ followingCount }) => followingCount,
    address: 'following',
  },
}

interface Asked {
  readonly username: string
  readonly listing: Listing['address']
}

/** Who follows somebody, or whom they follow: how many always, who only where they show it. */
export async function servePeople(
  c: AppContext,
  reader: Reader,
  { username, listing }: Asked,
): Promise<Response> {
  const ctx = c.get('ctx')
  const { select, count, address } = listings[listing]
  const handle = { username, domain: null }
  const maxId = maxIdOf(c)
  const reading = { viewer: reader.ref, id: idByHandle(handle), now: ctx.clock.now() }
  const { actors, page } = await ask(
    ctx.db,
    together({
      actors: loadActors(ctx, selectByHandle(handle)),
      page: loadAccountUris(ctx, select(reading, { limit: pageSize, maxId })),
    }),
  )
  const [facts] = actors
  if (facts === undefined) throw new NotFound()
  const { account } = facts
  if (account.suspendedAt !== null) throw new Forbidden('This account is suspended')
  const id = actorAddresses(actorUri(ctx.config.origin, account.username))[address]
  const isHidden = account.hideCollections === true
  if (c.req.query('page') === undefined) {
    const first = isHidden ? {} : { first: `${id}?page=true` }
    return answerDocument(c, reader, orderedCollection(id, { totalItems: count(account), ...first }))
  }
  if (isHidden) throw new Forbidden('This account does not show its network')
  const last = page.cursors.at(-1)
  const isLast = page.cursors.length < pageSize && !page.endsEarly
  const next = isLast ? undefined : `${id}?max_id=${last}&page=true`
  const self = maxId === undefined ? `${id}?page=true` : `${id}?max_id=${maxId}&page=true`
  return answerDocument(c, reader, orderedPage(self, { partOf: id, next }, page.uris))
}
