import * as z from 'zod'
import type { Caller } from '../domain/sessions/find'
import { mayPost } from '../domain/sessions/find'
import type { AccountId, TokenId } from '../lib/ids'

/** The account and token of a connection, with the token's scopes. */
export const StreamClient = z.object({
  accountId: z.number().int(),
  tokenId: z.number().int(),
  scopes: z.array(z.string()).readonly(),
  permissions: z.number().int(),
})
export type StreamClient = Readonly<z.infer<typeof StreamClient>> & {
  readonly accountId: AccountId
  readonly tokenId: TokenId
}

/** The stream client of a token; null for tokens without an account, and for inactive accounts. */
export function streamClientOf(caller: Caller | null): StreamClient | null {
  if (caller === null || caller.person === null || !mayPost(caller.person)) return null
  const { viewer } = caller.person
  const { id: accountId, permissions } = viewer
  return { accountId, permissions, tokenId: caller.tokenId, scopes: caller.scopes }
}
