import * as z from 'zod'
import type { Caller } from '../domain/sessions/find'
import { mayPost } from '../domain/sessions/find'
import type { AccountId, TokenId } from '../lib/ids'

/** The account of a connection, and the token or session that opened it, with its scopes. */
export const StreamClient = z.object({
  accountId: z.number().int(),
  /** Absent in sockets opened before sessions could. */
  kind: z.enum(['token', 'session']).default('token'),
  /** Id of the token, or of the session. */
  tokenId: z.number().int(),
  scopes: z.array(z.string()).readonly(),
  permissions: z.number().int(),
})
export type StreamClient = Readonly<z.infer<typeof StreamClient>> & {
  readonly accountId: AccountId
  readonly tokenId: TokenId
}

/** The stream client of a caller; null for tokens without an account, and for inactive accounts. */
export function streamClientOf(caller: Caller | null): StreamClient | null {
  if (caller === null || caller.person === null || !mayPost(caller.person)) return null
  const { viewer } = caller.person
  const { id: accountId, permissions } = viewer
  const { kind, scopes } = caller
  return { accountId, kind, tokenId: idOf(caller), scopes, permissions }
}

function idOf(caller: Caller): number {
  return caller.kind === 'token' ? caller.tokenId : caller.sessionId
}
