import { ignored } from '../../domain/core/outcome'
import { receiveBlock } from '../../domain/relationships/receive-block'
import { type InboxHandler, localUsernameOf } from './handler'

/** Remote account blocks a local one, which is not notified and no longer sees it. */
export const block: InboxHandler = async (ctx, signer, { id: uri, object }) => {
  const username = localUsernameOf(ctx, object?.id ?? null)
  return username === null ? ignored('blocks no local account') : receiveBlock(ctx, signer, { username, uri })
}
