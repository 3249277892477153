import { Hono } from 'hono'
import * as z from 'zod'
import type { Config } from '../../config'
import { actorUri, instanceActorUri, profileUrl } from '../../contract/addresses'
import { parseHandle } from '../../contract/handle'
import { combineQueries, execute } from '../../db/query'
import { selectByHandle } from '../../domain/accounts/find'
import { mayContact } from '../../domain/servers/limits'
import { tombstonesAmong } from '../../domain/statuses/find-federated'
import { BadRequest, Gone, NotFound } from '../../errors'
import { mimeOfName } from '../../lib/media/mime'
import { prefersData } from '../../lib/request-headers'
import { parseWebAddress } from '../../lib/web-address'
import { type AppContext, type AppEnv, allowCaching, cachedSeconds } from '../../ports/app-env'
import type { Ctx } from '../../ports/ctx'
import type { InteractionPage, RemoteInteraction } from '../../ports/federation'
import { type ActorFacts, loadActors } from '../../view/load/actors'
import { fileUrl } from '../../view/urls'
import { fetchDescriptor, formatHandle } from '../webfinger'
import { respondWithAppError } from './respond'

/** Names and addresses change seldom. */
const headers = { 'Cache-Control': 'public, max-age=3600' }

const caching = { seconds: cachedSeconds.people, isCounted: false }
/** Requests that pick relations are few and of many forms. */
const cachedParameters = { resource: /^.{1,300}$/ }

const profilePage = 'http://webfinger.net/rel/profile-page'
const avatarRel = 'http://webfinger.net/rel/avatar'

type Link =
  | { readonly rel: string; readonly type: string; readonly href: string }
  | { readonly rel: string; readonly template: string }

interface WebFingerDocument {
  readonly subject: string
  readonly aliases: readonly string[]
  readonly links: readonly Link[]
}

/** WebFinger and host-meta routes. */
export function webFingerRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/.well-known/webfinger', serveWebFinger)
  app.get('/.well-known/host-meta', (c) => serveHostMeta(c, prefersData(c.req.header('accept'))))
  app.get('/.well-known/host-meta.json', (c) => serveHostMeta(c, true))
  app.onError(respondWithAppError)
  return app
}

async function serveWebFinger(c: AppContext): Promise<Response> {
  const { config } = c.get('ctx')
  const resource = c.req.query('resource') ?? ''
  if (resource === '') throw new BadRequest('resource_missing')
  const name = usernameFromResource(config, resource)
  if (name === null) throw new NotFound()
  const finger = config.ownDomains.includes(name.toLowerCase())
    ? instanceWebFinger(config)
    : accountWebFinger(config, await findPerson(c, name))
  allowCaching(c, caching, cachedParameters)
  const wanted = c.req.queries('rel') ?? []
  const links = finger.links.filter(({ rel }) => wanted.length === 0 || wanted.includes(rel))
  return c.body(JSON.stringify({ ...finger, links }), 200, {
    ...headers,
    'Content-Type': 'application/jrd+json; charset=utf-8',
  })
}

async function findPerson(c: AppContext, username: string): Promise<ActorFacts> {
  const ctx = c.get('ctx')
  const { actors, deleted } = await execute(
    ctx.db,
    combineQueries({
      actors: loadActors(ctx, selectByHandle({ username, domain: null })),
      deleted: tombstonesAmong(ctx, [actorUri(ctx.config.origin, username)]),
    }),
  )
  if (deleted !== null) throw new Gone('account_deleted')
  const [facts] = actors
  if (facts === undefined) throw new NotFound()
  return facts
}

/** Parses the local username in a resource: by handle at any local domain, or by actor id or page. */
export function usernameFromResource(config: Config, resource: string): string | null {
  if (/^https?:/i.test(resource)) return nameInUrl(config, resource)
  const text = resource.replace(/^acct:/i, '')
  if (!/[^@]@/.test(text)) return null
  const handle = parseHandle(text, config.ownDomains)
  return handle?.domain === null ? handle.username : null
}

function nameInUrl({ origin, domain, ownDomains }: Config, text: string): string | null {
  const url = URL.parse(text)
  if (url === null || !ownDomains.includes(url.host) || url.search !== '') return null
  if (/^\/(actor\/?)?$/.test(url.pathname) && url.origin === origin) return domain
  return /^\/(?:@|users\/)([^/@]+)\/?$/.exec(url.pathname)?.[1] ?? null
}

/** Suspended accounts are still found: their actor document says so. */
function accountWebFinger(config: Config, { account }: ActorFacts): WebFingerDocument {
  const page = profileUrl(config.origin, account.username)
  const uri = actorUri(config.origin, account.username)
  const { avatar, suspendedAt } = account
  const type = avatar === null ? null : mimeOfName('key' in avatar ? avatar.key : avatar.remote)
  const picture =
    avatar === null || type === null || suspendedAt !== null
      ? []
      : [{ rel: avatarRel, type, href: fileUrl(config, avatar, account.id) }]
  return {
    subject: `acct:${account.username}@${config.domain}`,
    aliases: [page, uri],
    links: [
      { rel: profilePage, type: 'text/html', href: page },
      { rel: 'self', type: 'application/activity+json', href: uri },
      ...interactionLinks(config.origin),
      ...picture,
    ],
  }
}

function instanceWebFinger({ origin, domain }: Config): WebFingerDocument {
  const uri = instanceActorUri(origin)
  return {
    subject: `acct:${domain}@${domain}`,
    aliases: [uri],
    links: [
      { rel: profilePage, type: 'text/html', href: `${origin}/about` },
      { rel: 'self', type: 'application/activity+json', href: uri },
      ...interactionLinks(origin),
    ],
  }
}

/** Pages where users of this server follow, answer, boost, favourite and post (OStatus, FEP-3b86). */
function interactionLinks(origin: string): readonly Link[] {
  const authorize = `${origin}/authorize_interaction`
  return [
    { rel: subscribeRelation, template: `${authorize}?uri={uri}` },
    { rel: intentRelation('Create'), template: `${origin}/share?text={content}` },
    { rel: intentRelation('Object'), template: `${authorize}?uri={object}` },
    { rel: intentRelation('Follow'), template: `${authorize}?uri={object}` },
    { rel: intentRelation('Announce'), template: `${authorize}?uri={object}&type=reblog` },
    { rel: intentRelation('Like'), template: `${authorize}?uri={object}&type=favourite` },
  ]
}

function serveHostMeta(c: AppContext, asJson: boolean): Response {
  allowCaching(c, { seconds: cachedSeconds.server, isCounted: false })
  const template = `${c.get('ctx').config.origin}/.well-known/webfinger?resource={uri}`
  const vary = { ...headers, Vary: 'Accept' }
  if (asJson) {
    const links = [{ rel: 'lrdd', template }]
    return c.body(JSON.stringify({ links }), 200, {
      ...vary,
      'Content-Type': 'application/json; charset=utf-8',
    })
  }
  const document = `<?xml version="1.0" encoding="UTF-8"?>
<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">
  <Link rel="lrdd" template="${template}"/>
</XRD>
`
  return c.body(document, 200, { ...vary, 'Content-Type': 'application/xrd+xml; charset=utf-8' })
}

/** Relation that OStatus gave the page for following an address; Mastodon and others open statuses there as well. */
const subscribeRelation = 'http://ostatus.org/schema/1.0/subscribe'

/** Relation of the page for an activity (FEP-3b86); `Object` opens an object of any type. */
function intentRelation(type: 'Announce' | 'Create' | 'Follow' | 'Like' | 'Object'): string {
  return `https://w3id.org/fep/3b86/${type}`
}

const intents = {
  follow: intentRelation('Follow'),
  reply: intentRelation('Object'),
  reblog: intentRelation('Announce'),
  favourite: intentRelation('Like'),
} as const

const RemoteLink = z.object({ rel: z.string(), template: z.string().max(2_048) })

/**
 * Looks up the page of another server for an interaction with the object `uri`: the one for that activity, else the one
 * for any object, else that of OStatus. One request.
 *
 * A server named without an account that offers none is guessed to have the page of Mastodon.
 */
export async function findInteractionPage(
  ctx: Ctx,
  server: { readonly username: string | null; readonly domain: string },
  { interaction, uri }: RemoteInteraction,
): Promise<InteractionPage> {
  const { username, domain } = server
  const found = await offeredPage(ctx, {
    domain,
    resource: username === null ? `https://${domain}` : `acct:${formatHandle({ username, domain })}`,
    interaction,
    uri,
  })
  if (found.kind === 'found' || username !== null) return found
  const query = new URLSearchParams({ uri })
  return { kind: 'found', url: `https://${domain}/authorize_interaction?${query}` }
}

interface Offer extends RemoteInteraction {
  readonly domain: string
  readonly resource: string
}

async function offeredPage(
  ctx: Ctx,
  { domain, resource, interaction, uri }: Offer,
): Promise<InteractionPage> {
  if (!(await execute(ctx.db, mayContact(ctx, domain)))) return { kind: 'missing' }
  const found = await fetchDescriptor(ctx, { domain, resource })
  if (found.kind !== 'found') return { kind: found.kind }
  const links = found.links.flatMap((given) => RemoteLink.safeParse(given).data ?? [])
  for (const [relation, parameter] of [
    [intents[interaction], 'object'],
    [intents.reply, 'object'],
    [subscribeRelation, 'uri'],
  ] as const)
    for (const { rel, template } of links) {
      const url = rel === relation ? expand(ctx, template, { parameter, uri }) : null
      if (url !== null) return { kind: 'found', url }
    }
  return { kind: 'missing' }
}

/**
 * Fills a template with an address, percent-encoded; other placeholders become empty, as FEP-3b86 requires. Null for one
 * without a place for the address, and for any that leads elsewhere than to a page over HTTPS at the host it names
 * before its first placeholder.
 */
function expand(
  { config }: Ctx,
  template: string,
  { parameter, uri }: { readonly parameter: 'object' | 'uri'; readonly uri: string },
): string | null {
  if (!template.includes(`{${parameter}}`)) return null
  const url = template.replaceAll(/\{([^{}]*)\}/g, (_, name) =>
    name === parameter ? encodeURIComponent(uri) : '',
  )
  // With the address in place it may be longer than addresses that are stored.
  const [empty = '', before = ''] = [template.replaceAll(/\{[^{}]*\}/g, ''), template.split('{', 1)[0]]
  const address = parseWebAddress(empty)
  const host = URL.parse(before)?.host
  if (address === null || host === undefined || host !== URL.parse(url)?.host) return null
  if (host !== URL.parse(address)?.host || /[{}\\]/.test(empty)) return null
  return address.startsWith('https:') || config.federation.testHosts.includes(host) ? url : null
}
