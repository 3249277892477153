import * as z from 'zod'
import { allowsAnonymousReads } from '../config'
import { constant, execute, type Query } from '../db/query'
import {
  anonymousViewer,
  type Credential,
  type Moderator,
  type StaffMember,
  type Viewer,
  type ViewerRef,
  viewerByCredential,
} from '../domain/core/viewer'
import { hasPermission, operator, type Permission } from '../domain/policy/permissions'
import {
  activeViewer,
  assertNotBarred,
  type Caller,
  type DeadToken,
  mayPost,
  presentCaller,
  readAsCaller,
  requirePerson,
} from '../domain/sessions/find'
import { countDeadCredential, takeForNetwork } from '../domain/sessions/flood'
import { grants, requireScope, type Scope } from '../domain/sessions/scopes'
import { isSetupToken } from '../domain/sessions/setup-token'
import { assertQuotaForAnonymous } from '../domain/usage/store'
import { AppError, Forbidden, Invalid, type RateLimitStatus, Unauthorized } from '../errors'
import type { BodyKind } from '../lib/body'
import type { AccountId } from '../lib/ids'
import type { Ctx } from '../ports/ctx'
import type { RateFamily } from '../ports/rate-limits'
import { ApiResponse, EmptyObject } from './api-response'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request with its parameters merged: path over body over query. */
export interface ApiRequest {
  readonly params: Readonly<Record<string, unknown>>
  readonly credential: Credential | null
  readonly ip: string
  readonly url: URL
  readonly headers: Headers
}

/** A request whose body has not been read. */
export type RequestEnvelope = Omit<ApiRequest, 'params'>

/** The router's input reader for endpoints. */
export interface InputReader {
  /** The merged parameters. Bodies are read on the first call only, with the kind given then. */
  params(kind: BodyKind): Promise<ApiRequest['params']>
  readonly validate: Validate
  /** Leaves the response to the object of an account, where the body may hold files; null for other bodies. */
  handOver(accountId: AccountId): Promise<Response> | null
}

/** Validates merged parameters; throws `Invalid`. Supplied by the router, which runs zod-validator. */
export type Validate = <S extends z.ZodType>(schema: S, params: unknown) => Promise<z.output<S>>

export interface EndpointResult {
  /** A `Response` is whole but for the allowance: an object answered the request. */
  readonly reply: ApiResponse<unknown> | Response
  readonly caller: Caller | null
  readonly allowance: RateLimitStatus | null
}

interface EndpointDeclaration<V, I, O> {
  readonly method: Method
  readonly path: `/${string}`
  /** Access rule; it decides the type of `viewer`. */
  readonly auth: Auth<V>
  readonly input: I
  readonly output: O
  /** Summary line for the OpenAPI document. */
  readonly summary: string
  /** Takes files: multipart bodies may be that large, once the caller is known and allowed. */
  readonly takesFiles?: true
  /** Answers the bytes of a file (`ReadableStream`), not JSON. */
  readonly answersFile?: true
  /** Counts against an exact rate limit of its own. */
  readonly limit?: RateFamily
  /** Date on which the public API deprecated it. */
  readonly deprecatedSince?: Date
  /** Seconds that caches may keep an anonymous response; 0 for responses that differ per call. */
  readonly maxAgeSeconds?: number
  /** Refuses anonymous requests near the end of a daily quota, so that members have the rest. */
  readonly isForMembersFirst?: boolean
  /** Caching of anonymous responses by the isolate, for requests with no other query parameters than these. */
  readonly caching?: {
    readonly seconds: number
    readonly parameters?: Readonly<Record<string, RegExp>>
  }
}

/** A declaration as endpoints are written. It leaves out POST or, where it reads, GET, no input, and an empty answer. */
type Written<V, I, O> = Omit<EndpointDeclaration<V, I, O>, 'method' | 'input' | 'output'> &
  Partial<Pick<EndpointDeclaration<V, I, O>, 'method' | 'input' | 'output'>>

type Answer<O extends z.ZodType> = z.input<O> | ApiResponse<z.input<O>>

interface RunSpec<V, I extends z.ZodType, O extends z.ZodType> extends Written<V, I, O> {
  /** Runs the command and returns the entity of its response, or nothing where that is empty. */
  run(
    ctx: Ctx,
    call: EndpointCall<V, I>,
  ): Promise<Answer<O>> | (O extends typeof EmptyObject ? Promise<void> : never)
}

interface ReadSpec<V, I extends z.ZodType, O extends z.ZodType, F> extends Written<V, I, O> {
  /**
   * Plans the reads before the caller is known: statements name the viewer through `as`. What it throws reaches the client
   * only after the caller was found and allowed.
   */
  read(
    ctx: Ctx,
    call: {
      readonly input: z.output<I>
      readonly as: ViewerRef
      readonly now: Date
      readonly request: ApiRequest
    },
  ): Query<F>
  /** Builds the response from the reads, once the caller is known and allowed. */
  show(ctx: Ctx, call: EndpointCall<V, I> & { readonly found: F }): Answer<O> | Promise<Answer<O>>
}

export interface EndpointCall<V, I extends z.ZodType> {
  readonly input: z.output<I>
  readonly viewer: V
  readonly caller: Caller | null
  readonly request: ApiRequest
}

/** An API route as a value: router, OpenAPI document, authorisation and tests all read the same. */
export interface Endpoint extends EndpointDeclaration<unknown, z.ZodType, z.ZodType> {
  handle(ctx: Ctx, envelope: RequestEnvelope, input: InputReader): Promise<EndpointResult>
}

const Nothing = z.object({})

/** Declares a route that authenticates the caller before it does anything. */
export function endpoint<V, I extends z.ZodType = typeof Nothing, O extends z.ZodType = typeof EmptyObject>(
  spec: RunSpec<V, I, O>,
): Endpoint {
  const { auth, limit, takesFiles, input: schema = Nothing, run }: RunSpec<V, z.ZodType, z.ZodType> = spec
  return {
    method: 'POST',
    output: EmptyObject,
    ...spec,
    input: schema,
    async handle(ctx, envelope, { params, validate, handOver }) {
      const byOperator = await operatorOf(ctx, auth, envelope)
      const caller = byOperator === null ? await findCaller(ctx, auth, envelope) : null
      const viewer = byOperator?.viewer ?? authorizeCaller(ctx, auth, caller, envelope)
      const allowance = await countAgainstLimits(ctx, limit, caller, envelope)
      try {
        const files = takesFiles === true ? 'upload' : 'text'
        const kind =
          byOperator === null && caller === null ? 'stranger' : byOperator === null ? files : 'text'
        const reply =
          kind === 'upload' && caller?.person != null ? await handOver(caller.person.viewer.id) : null
        if (reply !== null) return { reply, caller, allowance }
        const known = caller === null && byOperator === null ? withoutCredential(envelope) : envelope
        const request = { ...known, params: await params(kind) }
        const input = await validate(schema, request.params)
        const answer = await run(ctx, { input, viewer, caller, request })
        return { reply: ApiResponse.of(answer ?? {}), caller, allowance }
      } catch (refusal) {
        if (refusal instanceof AppError) refusal.allowance ??= allowance
        throw refusal
      }
    },
  }
}

/** Declares a change by PUT and PATCH, which Mastodon routes alike. */
export function updateEndpoints<V, I extends z.ZodType, O extends z.ZodType>(
  spec: Omit<RunSpec<V, I, O>, 'method'>,
): Endpoint[] {
  return (['PUT', 'PATCH'] as const).map((method) => endpoint({ ...spec, method }))
}

/**
 * Declares a route that reads in the same round trip that authenticates the caller.
 *
 * The rows are discarded when the caller is refused.
 */
export function readEndpoint<
  V,
  F,
  I extends z.ZodType = typeof Nothing,
  O extends z.ZodType = typeof EmptyObject,
>(written: ReadSpec<V, I, O, F>): Endpoint {
  const spec: ReadSpec<V, z.ZodType, z.ZodType, F> = written
  const declared: Endpoint = {
    method: 'GET',
    output: EmptyObject,
    input: Nothing,
    ...spec,
    async handle(ctx, envelope, { params, validate }) {
      // Without a credential there is no caller to look up: refuse before the database is queried.
      if (envelope.credential === null) authorizeCaller(ctx, spec.auth, null, envelope)
      if (envelope.credential === null && spec.isForMembersFirst === true) assertQuotaForAnonymous(ctx)
      const request = { ...envelope, params: await params('stranger') }
      const byOperator = await operatorOf(ctx, spec.auth, envelope)
      const as = request.credential === null ? anonymousViewer : viewerByCredential(request.credential)
      const plan = async () => {
        const input = await validate(declared.input, request.params)
        return { input, query: spec.read(ctx, { input, as, now: ctx.clock.now(), request }) }
      }
      const { input, query } = await plan().catch(async (refusal: unknown) => {
        if (byOperator === null)
          authorizeCaller(ctx, spec.auth, await findCaller(ctx, spec.auth, request), envelope)
        throw refusal
      })
      const asked = byOperator === null ? request : withoutCredential(request)
      const read = await readFor(ctx, spec.auth, asked, query)
      // The statements named the credential: public endpoints have others.
      if (read === null)
        return declared.handle(ctx, withoutCredential(envelope), {
          params: async () => request.params,
          validate,
          handOver: () => null,
        })
      const [caller, found] = read
      const viewer = byOperator?.viewer ?? authorizeCaller(ctx, spec.auth, caller, envelope)
      const answer = await spec.show(ctx, { input, viewer, caller, request, found })
      return { reply: ApiResponse.of(answer ?? {}), caller, allowance: null }
    },
  }
  return declared
}

function withoutCredential<R extends RequestEnvelope>(request: R): R {
  return { ...request, credential: null }
}

/**
 * The viewer that `auth` admits for a caller. Where the operator requires sign-in, anonymous access shrinks to the
 * endpoints an app needs before sign-in.
 */
function authorizeCaller<V>(
  { config }: Ctx,
  auth: Auth<V>,
  caller: Caller | null,
  { ip }: RequestEnvelope,
): V {
  if (!allowsAnonymousReads(config) && auth.returnsData === true) {
    if (caller?.person == null) throw new Unauthorized('person_required')
    activeViewer(caller.person)
  }
  return auth.admit(caller, ip)
}

/** The operator, where the set-up token opens the endpoint and is the token of the request. */
async function operatorOf<V>(
  ctx: Ctx,
  { operator }: Auth<V>,
  { credential }: RequestEnvelope,
): Promise<{ readonly viewer: V } | null> {
  if (operator === undefined || credential?.kind !== 'token') return null
  return (await isSetupToken(ctx, credential.hash)) ? { viewer: operator } : null
}

/** The caller, or null for a request without a credential that counts (`countsAsAnonymous`). */
async function findCaller(ctx: Ctx, auth: Auth<unknown>, envelope: RequestEnvelope): Promise<Caller | null> {
  const [caller] = (await readFor(ctx, auth, envelope, constant(null))) ?? [null]
  return caller
}

/**
 * The caller and, in the same round trip, the result of `query`; null for an unknown credential that counts as none. For a
 * dead one `query` is not run.
 */
async function readFor<F>(
  ctx: Ctx,
  auth: Auth<unknown>,
  { credential, ip }: RequestEnvelope,
  query: Query<F>,
): Promise<readonly [Caller | null, F] | null> {
  if (credential === null) return [null, await execute(ctx.db, query)]
  const read = await readAsCaller(ctx, credential, query)
  if (typeof read !== 'string') return read
  await countDeadCredential(ctx, { credential, ip }, read)
  if (countsAsAnonymous(auth, read)) return null
  throw new Unauthorized()
}

async function countAgainstLimits(
  ctx: Ctx,
  family: RateFamily | undefined,
  caller: Caller | null,
  request: RequestEnvelope,
): Promise<RateLimitStatus | null> {
  if (family === undefined || ctx.uploads === null) return null
  if (caller?.person == null) return takeForNetwork(ctx, family, request.ip)
  return ctx.throttle.take(family, String(caller.person.viewer.id))
}

export type AuthKind = 'anyone' | 'token' | 'app' | 'user' | 'staff'

/** Access rule of an endpoint. `authorizeCaller` returns the viewer or throws the refusal the API documents. */
export interface Auth<V> {
  readonly kind: AuthKind
  /** Null: any token is accepted. */
  readonly scope: Scope | null
  /** Exposes accounts and statuses to anonymous callers, unless the operator requires sign-in. */
  readonly returnsData?: boolean
  /** A scope outside the tree above `scope` that also opens the endpoint. */
  readonly alternative?: Scope
  /** The permission that a staff endpoint needs. */
  readonly permission?: Permission
  /** The viewer that the set-up token stands for; absent where it opens nothing. */
  readonly operator?: V
  /** `ip`: client address of the request. */
  admit(caller: Caller | null, ip: string): V
}

/**
 * Public access. A token is optional. A known one must be valid, with `scope` where one is named; an unknown one counts as
 * none, as in Mastodon. Unconfirmed and unapproved users count as anonymous: such an account can be opened freely, so
 * member-only data is not for them.
 */
export function anyone(scope: Scope | null = null, returnsData = scope !== null): Auth<Viewer | null> {
  return {
    kind: 'anyone',
    scope,
    returnsData,
    admit(caller) {
      if (caller === null) return null
      requireScope(caller, scope)
      if (caller.person === null) return null
      assertNotBarred(caller.person)
      return mayPost(caller.person) ? caller.person.viewer : null
    },
  }
}

/** A user in good standing. */
export function user(scope: Scope | null, alternative?: Scope): Auth<Viewer> {
  return {
    kind: 'user',
    scope,
    ...(alternative === undefined ? {} : { alternative }),
    admit(caller) {
      const holder = presentCaller(caller)
      if (alternative === undefined || !grants(holder.scopes, alternative)) requireScope(holder, scope)
      return activeViewer(requirePerson(holder))
    },
  }
}

/**
 * A user in good standing, with any token. Without a user Mastodon answers 422 where it otherwise answers 401 for the
 * missing token, because the methods declared so ask for no scope.
 */
export function activeUser(): Auth<Viewer> {
  return {
    kind: 'user',
    scope: null,
    admit(caller) {
      if (caller === null) throw new Invalid('person_required')
      return activeViewer(requirePerson(caller))
    },
  }
}

/**
 * A user whose role has the permission. Without a token Mastodon answers 403 here, as without the permission; a
 * missing scope is named first.
 */
export function staffMember(scope: Scope, permission: Permission): Auth<StaffMember> {
  return {
    kind: 'staff',
    scope,
    permission,
    admit(caller, ip) {
      if (caller === null) throw new Forbidden()
      requireScope(caller, scope)
      const person = requirePerson(caller)
      const viewer = activeViewer(person)
      if (!hasPermission(viewer.permissions, permission)) throw new Forbidden()
      const { id: accountId, username, permissions } = viewer
      return { accountId, username, permissions, position: person.rolePosition, ip }
    },
  }
}

/** As `staffMember`, and the operator by the set-up token, who has no account. */
export function staff(scope: Scope, permission: Permission): Auth<Moderator> {
  return { ...staffMember(scope, permission), operator }
}

/** Whether a dead token counts as none. A revoked one is refused everywhere, so that its app signs in again. */
export function countsAsAnonymous({ kind }: Pick<Auth<unknown>, 'kind'>, dead: DeadToken): boolean {
  return kind === 'anyone' && dead === 'unknown'
}
