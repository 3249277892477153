import { importAccount } from '../../domain/accounts/import'
import { done, ignored, rejected } from '../../domain/core/outcome'
import { importActor } from '../actors'
import { readActor } from '../vocab/actor'
import { isUnreadable } from '../vocab/unreadable'
import type { InboxHandler } from './handler'

/**
 * Remote account updates its profile. A copy signed by the described actor itself is as good as the document at its
 * address; without a copy the address is fetched.
 */
export const updateActor: InboxHandler = async (ctx, signer, { object }) => {
  const copy = object?.document ?? null
  if (copy === null)
    return (await importActor(ctx, signer.uri)) === null ? ignored('its actor cannot be fetched') : done
  const actor = readActor(copy, ctx.clock.now())
  if (isUnreadable(actor)) return rejected(actor.unreadable)
  const stored = await importAccount(ctx, { ...actor, domain: signer.domain })
  return stored.kind === 'stored' ? done : rejected('reason' in stored ? stored.reason : stored.kind)
}
