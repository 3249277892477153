import type { TokenId } from '../../lib/ids'
import { type SealBinding, seal, unseal } from '../../lib/sealing'
import type { Ctx } from '../../ports/ctx'

// Messages name the access token of their subscription, by which apps find the account they are for. Of tokens themselves
// only hashes are stored, so a subscription keeps its own, encrypted.

export function sealPushToken({ config }: Ctx, id: TokenId, accessToken: string): Promise<string> {
  return seal(config.secrets, bindingOf(id), new TextEncoder().encode(accessToken))
}

export async function openPushToken({ config }: Ctx, id: TokenId, sealedToken: string): Promise<string> {
  return new TextDecoder().decode(await unseal(config.secrets, bindingOf(id), sealedToken))
}

function bindingOf(id: TokenId): SealBinding {
  return { kind: 'access token', owner: id }
}
