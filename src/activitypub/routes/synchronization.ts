import { ask } from '../../db/query'
import { selectByHandle } from '../../domain/accounts/find'
import { remoteFollowersOf } from '../../domain/relationships/find-inboxes'
import { NotFound } from '../../errors'
import { actorUri } from '../../lib/addresses'
import type { AppContext } from '../../platform/app-env'
import { loadActors } from '../../view/load/actors'
import { idsAt, synchronizationUrl } from '../followers-sync'
import { orderedList } from '../serialise/collections'
import { answerDocument } from './answer'
import { hostAsking, type Verify } from './reader'

/** Which people of the asking server follow somebody here (FEP-8fcf); no server learns of those of others. */
export async function serveSynchronization(c: AppContext, verify: Verify): Promise<Response> {
  const ctx = c.get('ctx')
  const { reader, host } = await hostAsking(ctx, c.req.raw, verify)
  const username = c.req.param('username') ?? ''
  const [facts] = await ask(ctx.db, loadActors(ctx, selectByHandle({ username, domain: null })))
  if (facts === undefined || facts.account.suspendedAt !== null) throw new NotFound()
  const followers = await ask(ctx.db, remoteFollowersOf(ctx, facts.account.id))
  const id = synchronizationUrl(actorUri(ctx.config.origin, facts.account.username))
  return answerDocument(c, reader, orderedList(id, idsAt(host, followers)))
}
