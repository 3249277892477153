import { deleteRemoteAccount } from '../../domain/accounts/delete-remote'
import { done } from '../../domain/core/outcome'
import type { InboxHandler } from './handler'

/** Remote account deletes itself. Its signature is proof enough, even where its address still answers. */
export const deleteActor: InboxHandler = async (ctx, signer) => {
  await deleteRemoteAccount(ctx, signer.id)
  return done
}
