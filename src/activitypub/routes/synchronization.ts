import { execute } from '../../db/query'
import { selectByHandle } from '../../domain/accounts/find'
import { remoteFollowersOf } from '../../domain/relationships/find-inboxes'
import { NotFound } from '../../errors'
import { actorUri } from '../../lib/addresses'
import type { AppContext } from '../../ports/app-env'
import { loadActors } from '../../view/load/actors'
import { idsAt, synchronizationUrl } from '../followers-sync'
import { orderedList } from '../serialise/collections'
import { authenticateHost, type Verify } from './reader'
import { respondWithDocument } from './respond'

/**
 * Serves the asking server's accounts that follow a local account (FEP-8fcf); no server learns of others' accounts.
 */
export async function serveSynchronization(c: AppContext, verify: Verify): Promise<Response> {
  const ctx = c.get('ctx')
  const { reader, host } = await authenticateHost(ctx, c.req.raw, verify)
  const username = c.req.param('username') ?? ''
  const [facts] = await execute(ctx.db, loadActors(ctx, selectByHandle({ username, domain: null })))
  if (facts === undefined || facts.account.suspendedAt !== null) throw new NotFound()
  const followers = await execute(ctx.db, remoteFollowersOf(ctx, facts.account.id))
  const id = synchronizationUrl(actorUri(ctx.config.origin, facts.account.username))
  return respondWithDocument(c, reader, orderedList(id, idsAt(host, followers)))
}
