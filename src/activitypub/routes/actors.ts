import { actorAddresses, actorUri } from '../../contract/addresses'
import { combineQueries, execute, type Query } from '../../db/query'
import { idByHandle, selectByHandle } from '../../domain/accounts/find'
import type { ViewerRef } from '../../domain/core/viewer'
import { tombstonesAmong } from '../../domain/statuses/find-federated'
import { accountSelection, pinnedSelection } from '../../domain/timelines/account'
import { Forbidden, NotFound } from '../../errors'
import type { AppContext } from '../../ports/app-env'
import type { Ctx } from '../../ports/ctx'
import { type ActorFacts, loadActors } from '../../view/load/actors'
import { loadNotes, type NoteBundle, type NoteFacts } from '../../view/load/notes'
import { featuredTagsOf } from '../../view/load/tags'
import { createOrAnnounceActivity, tombstone } from '../serialise/activities'
import { serialiseActor } from '../serialise/actor'
import { orderedCollection, orderedList, orderedPage } from '../serialise/collections'
import type { JsonLdObject } from '../serialise/document'
import { featuredTag, serialiseNote } from '../serialise/note'
import { maxIdOf, type Reader, respondGone, respondWithDocument } from './respond'

const pageSize = 20

/** Above the limit of pinned statuses. */
const mostPins = 20

/** Serves a local actor; a deleted one as 410 with a Tombstone. */
export async function serveActor(c: AppContext, reader: Reader, username: string): Promise<Response> {
  const ctx = c.get('ctx')
  const uri = actorUri(ctx.config.origin, username)
  const found = await execute(
    ctx.db,
    combineQueries({ actors: actorNamed(ctx, username), deleted: tombstonesAmong(ctx, [uri]) }),
  )
  if (found.deleted !== null) return respondGone(c, tombstone(uri, found.deleted.deletedAt))
  return respondWithDocument(c, reader, serialiseActor(ctx.config, only(found.actors)))
}

/** Tombstone of a deleted local account; null for any other. */
export async function actorTombstone(c: AppContext, username: string): Promise<JsonLdObject | null> {
  const ctx = c.get('ctx')
  const uri = actorUri(ctx.config.origin, username)
  const deleted = await execute(ctx.db, tombstonesAmong(ctx, [uri]))
  return deleted === null ? null : tombstone(uri, deleted.deletedAt)
}

function actorNamed(ctx: Ctx, username: string): Query<ActorFacts[]> {
  return loadActors(ctx, selectByHandle(localHandle(username)))
}

function localHandle(username: string) {
  return { username, domain: null }
}

function only(actors: readonly ActorFacts[]): ActorFacts {
  const [facts] = actors
  if (facts === undefined) throw new NotFound()
  return facts
}

/** Owner of a collection. Suspended accounts show none. */
function ownerOf(ctx: Ctx, actors: readonly ActorFacts[]) {
  const { account } = only(actors)
  if (account.suspendedAt !== null) throw new Forbidden('actor_suspended')
  return { account, ...actorAddresses(actorUri(ctx.config.origin, account.username)) }
}

/** Serves an account's public statuses and reblogs, newest first. */
export async function serveOutbox(c: AppContext, reader: Reader, username: string): Promise<Response> {
  const ctx = c.get('ctx')
  if (c.req.query('page') === undefined) {
    const { account, outbox } = ownerOf(ctx, await execute(ctx.db, actorNamed(ctx, username)))
    const first = `${outbox}?page=true`
    return respondWithDocument(
      c,
      reader,
      orderedCollection(outbox, { totalItems: account.statusesCount, first }),
    )
  }
  const maxId = maxIdOf(c)
  const { actors, notes } = await execute(
    ctx.db,
    combineQueries({
      actors: actorNamed(ctx, username),
      notes: statusesOf(ctx, reader.ref, { username, maxId }),
    }),
  )
  const { outbox } = ownerOf(ctx, actors)
  const { config, clock } = ctx
  const last = notes.cursors.at(-1)
  const isLast = notes.cursors.length < pageSize && !notes.endsEarly
  const next = isLast ? undefined : `${outbox}?max_id=${last}&page=true`
  const id = maxId === undefined ? `${outbox}?page=true` : `${outbox}?max_id=${maxId}&page=true`
  const items = notes.notes.filter(isOpen).map((note) => createOrAnnounceActivity(config, clock.now(), note))
  return respondWithDocument(c, reader, orderedPage(id, { partOf: outbox, next }, items))
}

function statusesOf(
  ctx: Ctx,
  viewer: ViewerRef,
  { username, maxId }: { readonly username: string; readonly maxId: number | undefined },
): Query<NoteBundle> {
  const filter = {
    owner: idByHandle(localHandle(username)),
    onlyMedia: false,
    excludeReplies: false,
    excludeReblogs: false,
    excludeDirect: false,
    tagged: null,
    selections: 2,
  }
  const page = { limit: pageSize, maxId }
  return loadNotes(ctx, viewer, accountSelection(viewer, filter, page, ctx.clock.now()))
}

/**
 * Limits collections to public and unlisted statuses, even for a follower who may read more at their own addresses.
 */
function isOpen({ status }: NoteFacts): boolean {
  return status.visibility === 'public' || status.visibility === 'unlisted'
}

/** Serves an account's pinned statuses, newest pin first. */
export async function serveFeatured(c: AppContext, reader: Reader, username: string): Promise<Response> {
  const ctx = c.get('ctx')
  const owner = idByHandle(localHandle(username))
  const { actors, pinned } = await execute(
    ctx.db,
    combineQueries({
      actors: actorNamed(ctx, username),
      pinned: loadNotes(ctx, reader.ref, pinnedSelection(reader.ref, owner, { limit: mostPins })),
    }),
  )
  const { featured } = ownerOf(ctx, actors)
  const items = pinned.notes.filter(isOpen).map((note) => serialiseNote(ctx.config, ctx.clock.now(), note))
  return respondWithDocument(c, reader, orderedList(featured, items))
}

/** Serves an account's featured hashtags. */
export async function serveFeaturedTags(c: AppContext, reader: Reader, username: string): Promise<Response> {
  const ctx = c.get('ctx')
  const { actors, tags } = await execute(
    ctx.db,
    combineQueries({
      actors: actorNamed(ctx, username),
      tags: featuredTagsOf(ctx, idByHandle(localHandle(username)), reader.ref),
    }),
  )
  const { account, featuredTags } = ownerOf(ctx, actors)
  const items = tags.map((tag) => featuredTag(ctx.config, account.username, tag))
  return respondWithDocument(c, reader, {
    id: featuredTags,
    type: 'Collection',
    totalItems: items.length,
    items,
  })
}
