import { createActivity } from '../../src/activitypub/serialise/activities'
import { serialiseActor } from '../../src/activitypub/serialise/actor'
import type { JsonLdObject } from '../../src/activitypub/serialise/document'
import { serialiseNote } from '../../src/activitypub/serialise/note'
import { execute } from '../../src/db/query'
import { selectById } from '../../src/domain/accounts/find'
import { viewerById } from '../../src/domain/core/viewer'
import { loadActors } from '../../src/view/load/actors'
import { loadNotes, type NoteFacts } from '../../src/view/load/notes'
import { statusesById } from '../../src/view/load/statuses'
import type { TestAccount } from './given'
import { clock, context } from './test-app'

/** A status of this server as its author may see it, with all that its documents tell. */
export async function noteFacts(author: { readonly id: number }, id: number | string): Promise<NoteFacts> {
  const ctx = context()
  const { notes } = await execute(ctx.db, loadNotes(ctx, viewerById(author.id), statusesById([Number(id)])))
  const [facts] = notes
  if (facts === undefined) throw new Error(`No status ${id} to serialise`)
  return facts
}

export async function noteOf(author: { readonly id: number }, id: number | string): Promise<JsonLdObject> {
  return serialiseNote(context().config, clock.now(), await noteFacts(author, id))
}

export async function createOf(author: { readonly id: number }, id: number | string) {
  return createActivity(context().config, clock.now(), await noteFacts(author, id))
}

export async function actorOf({ id }: Pick<TestAccount, 'id'>): Promise<JsonLdObject> {
  const ctx = context()
  const [facts] = await execute(ctx.db, loadActors(ctx, selectById(id)))
  if (facts === undefined) throw new Error(`No actor ${id} to serialise`)
  return serialiseActor(ctx.config, facts)
}
