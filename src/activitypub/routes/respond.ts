import { AppError } from '../../errors'
import { prefersData } from '../../lib/accept'
import { hasJsonExtension } from '../../lib/route-path'
import type { AppContext } from '../../platform/app-env'
import { type JsonLdObject, withContext } from '../serialise/document'
import type { Reader } from './reader'

/**
 * Half a minute: when something spreads, dozens of servers ask for it at once; what was edited or deleted should
 * not stay for long. Caches that heed `Vary` keep pages, documents and what one signer may see apart. Nothing else
 * caches: the answers of a Worker pass Cloudflare's own cache by.
 */
const cachedSeconds = 30

const vary = 'Accept, Signature'
const privately = { 'Cache-Control': 'private, no-store', Vary: vary }
const publicly = { 'Cache-Control': `public, max-age=${cachedSeconds}`, Vary: vary }

/** A document, for everybody's caches unless it was made for the one who signed. */
export function respondWithDocument(c: AppContext, reader: Reader, thing: JsonLdObject): Response {
  return c.body(JSON.stringify(withContext(thing)), 200, {
    ...(reader.isSigned ? privately : publicly),
    'Content-Type': 'application/activity+json; charset=utf-8',
  })
}

/** What stands where something was. */
export function respondGone(c: AppContext, tombstone: JsonLdObject): Response {
  return c.body(JSON.stringify(withContext(tombstone)), 410, {
    ...publicly,
    'Content-Type': 'application/activity+json; charset=utf-8',
  })
}

/** Programs get failures in JSON; what is no refusal of ours rises. */
export function respondWithAppError(failure: Error, c: AppContext): Response {
  if (!(failure instanceof AppError)) throw failure
  return c.json({ error: failure.message }, failure.status, { ...privately, ...failure.headers })
}

/** Is the thing itself wanted, and not its page? */
export function wantsDocument(c: AppContext): boolean {
  return hasJsonExtension(c.req.raw) || prefersData(c.req.header('accept'))
}
