import type { accounts, remoteActors } from '../../db/schema'
import type { FileRef } from '../../db/values'
import type { DomainLimit } from '../instance/limits'
import type { RemoteActor, RemotePicture } from './remote'

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

export type Profile = ReturnType<typeof profileOf>

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
