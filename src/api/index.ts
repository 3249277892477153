import { zValidator } from '@hono/zod-validator'
import { type Context, Hono } from 'hono'
import type * as z from 'zod'
import type { Credential } from '../domain/core/viewer'
import { hashToken } from '../domain/sessions/find'
import { admitCredential, countAnswer } from '../domain/sessions/flood'
import { recordActivity } from '../domain/sessions/record-activity'
import {
  AppError,
  BadRequest,
  Forbidden,
  InvalidParameters,
  NotFound,
  type RateLimitStatus,
  rateLimitHeaders,
  TooLarge,
  Unauthorized,
} from '../errors'
import { problemsOfShape, wordsOfShape } from '../errors/shapes'
import type { BodyKind } from '../lib/body'
import type { AccountId } from '../lib/ids'
import { cleanJson } from '../lib/json'
import { clientAddress } from '../lib/network'
import { isMultipart, mayHaveBody, readParams } from '../lib/params'
import { presentedToken } from '../lib/request-headers'
import { type AppEnv, allowCaching } from '../ports/app-env'
import type { Ctx } from '../ports/ctx'
import { accountArchives } from './account-archives'
import { accountCredentials } from './accounts/profile'
import {
  accountFamiliarFollowers,
  accountReads,
  accountRelationLists,
  accountSearch,
  accountStatuses,
  emailSubscriptions,
} from './accounts/read'
import { accountRelationships, followByHandle } from './accounts/relationships'
import { adminEndpoints } from './admin'
import { announcements } from './announcements'
import { annualReports } from './annual-reports'
import { apps } from './apps'
import { archiveImports } from './archive-imports'
import { asyncRefreshes } from './async-refreshes'
import { blocks } from './blocks'
import { bookmarks } from './bookmarks'
import { collections } from './collections'
import { conversations } from './conversations'
import { encryption } from './crypto'
import { customEmojis } from './custom-emojis'
import { directory } from './directory'
import { domainBlocks } from './domain-blocks'
import { emails } from './emails'
import { endorsements } from './endorsements'
import {
  type ApiRequest,
  countsAsAnonymous,
  type Endpoint,
  type EndpointResult,
  type RequestEnvelope,
  type Validate,
} from './endpoint'
import { favourites } from './favourites'
import { featuredTags } from './featured-tags'
import { filters } from './filters/filters'
import { filterKeywords, filterStatuses } from './filters/keywords'
import { v1Filters } from './filters/v1-filters'
import { followRequests } from './follow-requests'
import { groupedNotifications } from './grouped-notifications'
import { identityProofs } from './identity-proofs'
import { instance } from './instance'
import { instanceTexts } from './instance-texts'
import { invites } from './invites'
import { lists } from './lists'
import { markers } from './markers'
import { media } from './media'
import { mutes } from './mutes'
import { notificationPolicies } from './notification-policy'
import { notificationRequests } from './notification-requests'
import { notifications } from './notifications'
import { oauth } from './oauth'
import { oembed } from './oembed'
import { polls } from './polls'
import { preferences } from './preferences'
import { profile } from './profile'
import { push } from './push'
import { reports } from './reports'
import { scheduledStatuses } from './scheduled-statuses'
import { search } from './search'
import { signUps } from './sign-up'
import { newStatus } from './statuses/create'
import { statusDeletion, statusEdits } from './statuses/edit'
import { interactingAccounts, statusInteractions, statusReactions } from './statuses/interactions'
import { statusQuotes } from './statuses/quotes'
import { showStatuses, statusCard, statusContext, statusSource, statusTranslation } from './statuses/read'
import { strikes } from './strikes'
import { suggestions } from './suggestions'
import { tags } from './tags'
import { timelines } from './timelines'
import { trends } from './trends'

/** Every endpoint of the API: the only place where they are registered. */
export const endpoints: readonly Endpoint[] = [
  adminEndpoints,
  accountCredentials,
  accountFamiliarFollowers,
  accountRelationLists,
  accountReads,
  accountRelationships,
  accountSearch,
  accountStatuses,
  emailSubscriptions,
  followByHandle,
  announcements,
  annualReports,
  apps,
  accountArchives,
  archiveImports,
  asyncRefreshes,
  blocks,
  bookmarks,
  conversations,
  collections,
  customEmojis,
  directory,
  domainBlocks,
  emails,
  encryption,
  endorsements,
  favourites,
  featuredTags,
  filterKeywords,
  filterStatuses,
  filters,
  followRequests,
  groupedNotifications,
  instance,
  instanceTexts,
  identityProofs,
  invites,
  lists,
  markers,
  media,
  mutes,
  notificationPolicies,
  notificationRequests,
  notifications,
  oauth,
  oembed,
  v1Filters,
  polls,
  preferences,
  profile,
  push,
  reports,
  scheduledStatuses,
  search,
  signUps,
  newStatus,
  showStatuses,
  statusCard,
  statusContext,
  statusDeletion,
  statusEdits,
  statusInteractions,
  interactingAccounts,
  statusQuotes,
  statusReactions,
  statusSource,
  statusTranslation,
  strikes,
  suggestions,
  tags,
  timelines,
  trends,
].flat()

/** Every endpoint as one Hono app; unknown paths under /api answer 404 in JSON. */
export function apiRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  for (const endpoint of literalFirst(endpoints)) {
    app.on(endpoint.method, endpoint.path, async (c) => {
      const ctx = c.get('ctx')
      const browser = c.get('browserSession')
      const claimed = await readEnvelope(ctx, c.req.raw, browser?.hash ?? null)
      const admitted = await admit(ctx, endpoint, claimed)
      const isRead = admitted.credential === null || mayNameToken(claimed)
      const early = isRead ? await readEarly(c, endpoint) : null
      const inBody = claimed.credential?.kind === 'token' ? null : await tokenIn(early)
      const envelope =
        inBody === null ? admitted : await admit(ctx, endpoint, { ...claimed, credential: inBody })
      if (browser?.hash === null && envelope.credential === null && endpoint.method !== 'GET')
        throw new Forbidden('not_from_page')
      const isPlain =
        browser === undefined &&
        claimed.credential === null &&
        inBody === null &&
        !claimed.headers.has('authorization')
      const params = async (kind: BodyKind) => early ?? paramsOf(c, kind)
      const handOver = (accountId: AccountId) =>
        early === null && ctx.uploads !== null && isMultipart(c.req.raw.headers)
          ? ctx.uploads.answer(accountId, c.req.raw)
          : null
      const reader = { params, validate: validator(c), handOver }
      const answer = await endpoint.handle(ctx, envelope, reader).catch((failure: unknown) => {
        if (failure instanceof AppError) failure.allowance ??= allowanceOf(ctx, envelope)
        throw failure
      })
      if (answer.reply instanceof Response) {
        const allowance = answer.allowance ?? allowanceOf(ctx, envelope)
        for (const [name, value] of Object.entries(allowance === null ? {} : rateLimitHeaders(allowance)))
          answer.reply.headers.set(name, value)
        return answer.reply
      }
      recordActivity(ctx, answer.caller)
      if (endpoint.caching !== undefined && isPlain)
        allowCaching(c, { ...endpoint.caching, isCounted: true }, endpoint.caching.parameters)
      const allowance = answer.allowance ?? (answer.caller === null ? null : allowanceOf(ctx, envelope))
      return respond(endpoint, { ...answer, allowance }, isPlain)
    })
  }
  app.all('/api/*', () => {
    throw new NotFound('no_page')
  })
  return app
}

/** Hono takes the first matching route, so `/accounts/lookup` has to come before `/accounts/:id`. */
function literalFirst(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const shape = ({ path }: Endpoint) => path.replaceAll(/[^/:]+/g, '').replaceAll(/:[^/]*/g, '1')
  // Shapes are made once an endpoint, not once a comparison: isolates sort at their start.
  const shaped = endpoints.map((endpoint) => ({ endpoint, shape: shape(endpoint) }))
  return shaped
    .toSorted((a, b) => (a.shape < b.shape ? -1 : a.shape > b.shape ? 1 : 0))
    .map(({ endpoint }) => endpoint)
}

/** zod-validator over the merged parameters, which stand in for Hono's single source. */
function validator(c: Context<AppEnv>): Validate {
  return async (schema, params) => {
    const outcome = await schema.safeParseAsync(params, { error: wordsOfShape })
    const middleware = zValidator<z.ZodType, 'param', AppEnv, string>('param', schema, undefined, {
      validationFunction: () => outcome,
    })
    await middleware(c, async () => undefined)
    if (outcome.success) return outcome.data
    throw refusalOf(outcome.error, params)
  }
}

function refusalOf(error: z.ZodError, params: unknown) {
  const missing = error.issues.find((issue) => issue.path.length === 1 && isAbsent(params, issue.path[0]))
  if (missing !== undefined && missing.code !== 'invalid_value' && missing.message === wordsOfShape(missing))
    return new BadRequest('parameter_missing', { name: String(missing.path[0]) })
  const reasons = error.issues.map((issue) => `${nameOf(issue.path)} ${issue.message}`.trim()).join(', ')
  return new InvalidParameters(reasons, problemsOfShape(error.issues))
}

function isAbsent(params: unknown, key: PropertyKey | undefined): boolean {
  return typeof params === 'object' && params !== null && key !== undefined && !Object.hasOwn(params, key)
}

/** `poll.expires_in` becomes `Poll expires in`, as Rails words its messages. */
function nameOf(path: readonly PropertyKey[]): string {
  const words = path.join(' ').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The request without its body, which is not read for refused callers. A token counts before a session. */
async function readEnvelope(ctx: Ctx, raw: Request, sessionHash: string | null): Promise<RequestEnvelope> {
  const parsedUrl = new URL(raw.url)
  const token = presentedToken(raw.headers, parsedUrl)
  const session = sessionHash === null ? null : ({ kind: 'session', hash: sessionHash } as const)
  return {
    credential: token === null ? session : { kind: 'token', hash: await hashToken(token) },
    ip: clientAddress(raw.headers),
    url: new URL(parsedUrl.pathname + parsedUrl.search, ctx.config.origin),
    headers: raw.headers,
  }
}

function paramsOf(c: Context<AppEnv>, kind: BodyKind): Promise<ApiRequest['params']> {
  return readParams(c.get('ctx').bodies, c.req.raw, { path: c.req.param(), kind })
}

/**
 * Parameters of a request without a token in its headers: the body may carry one (RFC 6750, 2.2). The body is read
 * under the anonymous size limit, and not at all where it is longer and the endpoint requires a token.
 */
async function readEarly(c: Context<AppEnv>, { auth }: Endpoint): Promise<ApiRequest['params'] | null> {
  if (!mayHaveBody(c.req.raw)) return null
  try {
    return await paramsOf(c, 'stranger')
  } catch (failure) {
    if (failure instanceof TooLarge && auth.kind !== 'anyone') return null
    throw failure
  }
}

/** The token among the parameters. */
async function tokenIn(params: ApiRequest['params'] | null): Promise<Credential | null> {
  const token = params?.['access_token']
  return typeof token !== 'string' || token === '' ? null : { kind: 'token', hash: await hashToken(token) }
}

/** Whether the body of a session's request is searched for a token. Files are not: they may go to an object unread. */
function mayNameToken({ credential, headers }: RequestEnvelope): boolean {
  return credential?.kind === 'session' && !isMultipart(headers)
}

/** Counts the request at the flood gate. Returns it without a token recently found to be unknown, if that counts as none. */
async function admit(ctx: Ctx, { auth }: Endpoint, claimed: RequestEnvelope): Promise<RequestEnvelope> {
  const dead = await admitCredential(ctx, claimed)
  if (dead === null) return claimed
  if (!countsAsAnonymous(auth, dead)) throw new Unauthorized()
  return { ...claimed, credential: null }
}

/**
 * The requests left to a credential; null without one, for one that is dead, which counts as its address, and in an object, whose
 * response the Worker completes.
 */
function allowanceOf(ctx: Ctx, { credential }: RequestEnvelope): RateLimitStatus | null {
  if (ctx.uploads === null) return null
  const isKnown = credential !== null && ctx.deadTokens.get(credential.hash) === null
  return isKnown ? countAnswer(ctx, credential) : null
}

/** `isPlain`: nothing in the request names a caller. */
function respond(endpoint: Endpoint, answer: EndpointResult, isPlain: boolean): Response {
  const { reply, allowance } = answer
  const body = bodyOf(reply.body)
  return new Response(body, {
    status: reply.status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': cacheControl(endpoint, isPlain),
      Vary: 'Authorization, Cookie, Origin',
      ...(allowance === null ? {} : rateLimitHeaders(allowance)),
      ...(endpoint.deprecatedSince === undefined
        ? {}
        : { Deprecation: `@${endpoint.deprecatedSince.getTime() / 1000}` }),
      ...reply.headers,
    },
  })
}

/** A file goes as it is, under a type among the headers of the reply. */
function bodyOf(body: unknown): ReadableStream | string | null {
  if (body === null || body instanceof ReadableStream) return body
  return cleanJson(body)
}

function cacheControl(endpoint: Endpoint, isPlain: boolean): string {
  const seconds = endpoint.maxAgeSeconds ?? 15
  const open = endpoint.method === 'GET' && endpoint.auth.kind === 'anyone' && isPlain && seconds > 0
  return open ? `public, max-age=${seconds}` : 'private, no-store'
}
