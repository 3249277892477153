import type { Ctx } from '../../context'
import { ignored, type Outcome } from '../../domain/outcome'
import type { Signer } from '../keys'
import type { Activity, InboxHandler } from './handler'

/** What is done about each type of activity: the one answer, on one screen. */
const handlers: Readonly<Record<string, InboxHandler>> = {}

/** Hands an activity to the handler of its type; types nobody here knows are ignored. */
export async function dispatch(ctx: Ctx, signer: Signer, activity: Activity): Promise<Outcome> {
  const handle = Object.hasOwn(handlers, activity.type) ? handlers[activity.type] : undefined
  return handle === undefined
    ? ignored(`nothing is done about ${activity.type}`)
    : handle(ctx, signer, activity)
}
