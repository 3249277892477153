import { ignored } from '../../domain/core/outcome'
import { receiveBlock } from '../../domain/relationships/receive-block'
import { type InboxHandler, localUsernameOf } from './handler'

/** Somebody blocks one of ours, who is not told and sees them no more. */
export const block: InboxHandler = async (ctx, signer, { id: uri, object }) => {
  const username = localUsernameOf(ctx, object?.id ?? null)
  return username === null
    ? ignored('blocks nobody of this server')
    : receiveBlock(ctx, signer, { username, uri })
}
