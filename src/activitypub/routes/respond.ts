import { AppError } from '../../errors'
import { prefersData } from '../../lib/accept'
import { hasJsonExtension } from '../../lib/route-path'
import { cleanJson } from '../../lib/text/clean-json'
import { type AppContext, allowCaching, cachedSeconds } from '../../ports/app-env'
import { type JsonLdObject, withContext } from '../serialise/document'
import type { Reader } from './reader'

/**
 * Half a minute: when a status spreads, dozens of servers fetch it at once; edited or deleted ones should not stay
 * for long. Caches that heed `Vary` keep pages, documents and signed responses apart. No other cache applies:
 * responses of a Worker bypass Cloudflare's own cache.
 */
const maxAgeSeconds = 30

const vary = 'Accept, Signature'
const privately = { 'Cache-Control': 'private, no-store', Vary: vary }
const publicly = { 'Cache-Control': `public, max-age=${maxAgeSeconds}`, Vary: vary }

/** Responds with a document, publicly cacheable unless made for the signer. */
export function respondWithDocument(c: AppContext, reader: Reader, thing: JsonLdObject): Response {
  if (!reader.isSigned) allowCaching(c, { seconds: cachedSeconds.people, isCounted: true })
  return c.body(cleanJson(withContext(thing)), 200, {
    ...(reader.isSigned ? privately : publicly),
    'Content-Type': 'application/activity+json; charset=utf-8',
  })
}

/** Responds with the Tombstone of a deleted object. */
export function respondGone(c: AppContext, tombstone: JsonLdObject): Response {
  return c.body(cleanJson(withContext(tombstone)), 410, {
    ...publicly,
    'Content-Type': 'application/activity+json; charset=utf-8',
  })
}

/** Responds with JSON for `AppError`s; rethrows other errors. */
export function respondWithAppError(failure: Error, c: AppContext): Response {
  if (!(failure instanceof AppError)) throw failure
  return c.json({ error: failure.message }, failure.status, { ...privately, ...failure.headers })
}

/** Whether the document is wanted instead of its page. */
export function wantsDocument(c: AppContext): boolean {
  return hasJsonExtension(c.req.raw) || prefersData(c.req.header('accept'))
}
