import { Hono, type Next } from 'hono'
import {
  actorAddresses,
  actorUri,
  approvalUri,
  instanceActorUri,
  quoteAuthorizationUri,
} from '../../contract/addresses'
import { parseHandle } from '../../contract/handle'
import { combineQueries, execute, orNotFound } from '../../db/query'
import { selectByHandle } from '../../domain/accounts/find'
import { emojisByShortcodes } from '../../domain/custom-emojis/shortcodes'
import { ensureInstanceActor, findInstanceActor } from '../../domain/instance/keys'
import { remoteFollowersOf } from '../../domain/relationships/find-inboxes'
import {
  findInteractionAuthorization,
  findLikeAuthorization,
  type StatusAddress,
} from '../../domain/statuses/find-federated'
import { findQuoteAuthorization } from '../../domain/statuses/quotes/find-quotes'
import { NotFound } from '../../errors'
import type { AppContext, AppEnv } from '../../ports/app-env'
import { loadActors } from '../../view/load/actors'
import { idsAt, synchronizationUrl } from '../followers-sync'
import { serialiseInstanceActor } from '../serialise/actor'
import { interactionAuthorization, quoteAuthorization } from '../serialise/approvals'
import { orderedList } from '../serialise/collections'
import { emojiTag } from '../serialise/note'
import { actorTombstone, serveActor, serveFeatured, serveFeaturedTags, serveOutbox } from './actors'
import { serveApproval, serveCollection, serveCollections, serveFollowCollection } from './collections'
import {
  anonymousReader,
  authenticateHost,
  authenticateReader,
  type Reader,
  respondGone,
  respondWithAppError,
  respondWithDocument,
  type Verify,
  wantsDocument,
} from './respond'
import {
  serveActivity,
  serveContext,
  serveContextItems,
  serveCount,
  serveReplies,
  serveStatus,
} from './statuses'

type Serve = (c: AppContext, reader: Reader) => Promise<Response>

/**
 * Routes of local actors and statuses as documents: at their ids, and at their page addresses for clients that prefer
 * data. Page requests fall through to the routes mounted after this.
 */
export function documentRoutes(verify: Verify): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const serve = (answer: Serve) => async (c: AppContext) =>
    answer(c, await authenticateReader(c.get('ctx'), c.req.raw, verify))
  const orPage = (answer: Serve) => async (c: AppContext, next: Next) => {
    if (wantsDocument(c)) return serve(answer)(c)
    await next()
    c.res.headers.append('Vary', 'Accept')
    return undefined
  }
  const account = '/users/:username'
  const status = `${account}/statuses/:id{[0-9]{1,16}}`
  const accountPage = '/:handle{@[^/]+}'
  app.get(account, orPage(byUsername(serveActor)))
  app.get(accountPage, orPage(byUsername(serveActor)))
  app.get(`${account}/outbox`, serve(orGone(serveOutbox)))
  app.get(`${account}/collections/featured`, serve(orGone(serveFeatured)))
  app.get(`${account}/collections/tags`, serve(orGone(serveFeaturedTags)))
  app.get(`${account}/featured_collections`, serve(orGone(serveCollections)))
  app.get(`${account}/collections/:id{[0-9]{1,16}}`, orPage(byAddress(serveCollection)))
  app.get('/collections/:id{[0-9]{1,16}}', orPage(serveCollectionPage))
  app.get(`${account}/feature_authorizations/:id{[0-9]{1,16}}`, serve(byAddress(serveApproval)))
  app.get(`${account}/followers_synchronization`, (c) => serveSynchronization(c, verify))
  for (const listing of ['followers', 'following'] as const)
    app.get(
      `${account}/${listing}`,
      serve(orGone((c, reader, username) => serveFollowCollection(c, reader, { username, listing }))),
    )
  app.get(status, orPage(byAddress(serveStatus)))
  app.get(`${accountPage}/:id{[0-9]{1,16}}`, orPage(byAddress(serveStatus)))
  app.get(`${status}/activity`, serve(byAddress(serveActivity)))
  app.get(`${status}/replies`, serve(byAddress(serveReplies)))
  app.get(`${account}/quote_authorizations/:id{[0-9]{1,16}}`, serve(byAddress(serveQuoteAuthorization)))
  app.get(`${account}/authorizations/:id{[0-9]{1,16}}`, serve(byAddress(serveInteractionAuthorization)))
  for (const of of ['likes', 'shares'] as const)
    app.get(
      `${status}/${of}`,
      serve((c, reader) => serveCount(c, reader, { address: addressIn(c), of })),
    )
  app.get('/contexts/:id{[0-9]{1,16}}', serve(byContext(serveContext)))
  app.get('/contexts/:id{[0-9]{1,16}}/items', serve(byContext(serveContextItems)))
  app.get('/emojis/:shortcode', serve(serveEmoji))
  app.get('/actor', serveInstanceActor)
  app.get('/actor/outbox', serveInstanceOutbox)
  app.onError(respondWithAppError)
  return app
}

type ServeAccount = (c: AppContext, reader: Reader, username: string) => Promise<Response>

function byUsername(answer: ServeAccount): Serve {
  return (c, reader) => answer(c, reader, nameIn(c))
}

/** As `byUsername`, for collections: those of a deleted account are gone as well. */
function orGone(answer: ServeAccount): Serve {
  return async (c, reader) => {
    try {
      return await answer(c, reader, nameIn(c))
    } catch (failure) {
      const gone = failure instanceof NotFound ? await actorTombstone(c, nameIn(c)) : null
      if (gone === null) throw failure
      return respondGone(c, gone)
    }
  }
}

function byAddress(
  answer: (c: AppContext, reader: Reader, address: StatusAddress) => Promise<Response>,
): Serve {
  return (c, reader) => answer(c, reader, addressIn(c))
}

function byContext(answer: (c: AppContext, reader: Reader, root: number) => Promise<Response>): Serve {
  return (c, reader) => answer(c, reader, Number(c.req.param('id')))
}

function addressIn(c: AppContext): StatusAddress {
  return { username: nameIn(c), id: Number(c.req.param('id')) }
}

function serveCollectionPage(c: AppContext, reader: Reader): Promise<Response> {
  return serveCollection(c, reader, { username: null, id: Number(c.req.param('id')) })
}

/** Username in a local address; remote accounts have their documents at their own server. */
function nameIn(c: AppContext): string {
  const username = c.req.param('username')
  if (username !== undefined) return username
  const handle = parseHandle(c.req.param('handle') ?? '', c.get('ctx').config.ownDomains)
  if (handle === null || handle.domain !== null) throw new NotFound()
  return handle.username
}

async function serveEmoji(c: AppContext, reader: Reader): Promise<Response> {
  const ctx = c.get('ctx')
  const [emoji] = await execute(ctx.db, emojisByShortcodes(ctx, [c.req.param('shortcode') ?? '']))
  if (emoji === undefined) throw new NotFound()
  return respondWithDocument(c, reader, emojiTag(ctx.config, emoji))
}

/**
 * Serves the actor that signs this server's fetches. Readable unsigned: a remote server fetches it to verify a
 * signature, and would otherwise sign that request with a key that this server had to fetch in turn.
 */
async function serveInstanceActor(c: AppContext): Promise<Response> {
  const ctx = c.get('ctx')
  const { config } = ctx
  if (!wantsDocument(c)) return c.redirect(`${config.origin}/about`)
  const { publicKey } = await ensureInstanceActor(ctx, await execute(ctx.db, findInstanceActor(ctx)))
  return respondWithDocument(
    c,
    anonymousReader,
    serialiseInstanceActor(config, { publicKey, name: config.domain }),
  )
}

/** Serves an empty outbox. */
function serveInstanceOutbox(c: AppContext): Response {
  const { outbox } = actorAddresses(instanceActorUri(c.get('ctx').config.origin))
  return respondWithDocument(c, anonymousReader, orderedList(outbox, []))
}

/**
 * Serves the asking server's accounts that follow a local account (FEP-8fcf); no server learns of others' accounts.
 */
async function serveSynchronization(c: AppContext, verify: Verify): Promise<Response> {
  const ctx = c.get('ctx')
  const { reader, host } = await authenticateHost(ctx, c.req.raw, verify)
  const username = c.req.param('username') ?? ''
  const [facts] = await execute(ctx.db, loadActors(ctx, selectByHandle({ username, domain: null })))
  if (facts === undefined || facts.account.suspendedAt !== null) throw new NotFound()
  const followers = await execute(ctx.db, remoteFollowersOf(ctx, facts.account.id))
  const id = synchronizationUrl(actorUri(ctx.config.origin, facts.account.username))
  return respondWithDocument(c, reader, orderedList(id, idsAt(host, followers)))
}

/** Serves a local author's consent to a quote; 404 once revoked. */
async function serveQuoteAuthorization(
  c: AppContext,
  reader: Reader,
  address: StatusAddress,
): Promise<Response> {
  const ctx = c.get('ctx')
  const consent = await execute(ctx.db, orNotFound(findQuoteAuthorization(ctx, reader.ref, address)))
  const id = quoteAuthorizationUri(consent.author, address.id)
  return respondWithDocument(c, reader, quoteAuthorization({ id, ...consent }))
}

/** Serves a local author's consent to a remote reply, reblog or favourite. */
async function serveInteractionAuthorization(
  c: AppContext,
  reader: Reader,
  address: StatusAddress,
): Promise<Response> {
  const ctx = c.get('ctx')
  const { status, like } = await execute(
    ctx.db,
    combineQueries({
      status: findInteractionAuthorization(ctx, reader.ref, address),
      like: findLikeAuthorization(ctx, reader.ref, address),
    }),
  )
  const consent = status ?? like
  if (consent === null) throw new NotFound()
  const id = approvalUri(consent.author, address.id)
  return respondWithDocument(c, reader, interactionAuthorization({ id, ...consent }))
}
