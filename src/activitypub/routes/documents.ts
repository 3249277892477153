import { Hono, type Next } from 'hono'
import { execute } from '../../db/query'
import { emojisByShortcodes } from '../../domain/custom-emojis/shortcodes'
import type { StatusAddress } from '../../domain/statuses/find-federated'
import { NotFound } from '../../errors'
import { parseHandle } from '../../lib/handle'
import type { AppContext, AppEnv } from '../../ports/app-env'
import { emojiTag } from '../serialise/tags'
import { actorTombstone, serveActor, serveFeatured, serveFeaturedTags, serveOutbox } from './actors'
import { serveInteractionAuthorization, serveQuoteAuthorization } from './authorizations'
import { serveContext, serveContextItems } from './contexts'
import { serveApproval, serveCollection, serveCollections } from './featured-collections'
import { serveFollowCollection } from './follow-collections'
import { serveInstanceActor, serveInstanceOutbox } from './instance-actor'
import { authenticateReader, type Reader, type Verify } from './reader'
import { respondGone, respondWithAppError, respondWithDocument, wantsDocument } from './respond'
import { serveActivity, serveCount, serveReplies, serveStatus } from './statuses'
import { serveSynchronization } from './synchronization'

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
