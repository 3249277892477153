import { and, eq, isNull, sql } from 'drizzle-orm'
import { execute, first, rows } from '../../db/query'
import { accessTokens, applications, authorizationCodes } from '../../db/schema'
import { type Problem, problem } from '../../errors/sentences'
import type { AccountId } from '../../lib/ids'
import { sha256 } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type ApplicationRow, isSafeRedirect, outOfBand } from './applications'
import { covers, parseScopes, type Scope, scopeText } from './scopes'

/** OAuth authorization request (RFC 6749, 4.1.1, with RFC 7636). */
export interface AuthorizationRequest {
  readonly clientId: string
  readonly redirectUri: string
  readonly responseType: string
  readonly responseMode: string
  readonly scope: string
  readonly state: string | null
  readonly codeChallenge: string
  readonly codeChallengeMethod: string
}

export const responseModes = ['query', 'fragment', 'form_post'] as const
export type ResponseMode = (typeof responseModes)[number]

/** Redirect target of the response: address, form and state. */
export interface RedirectTarget {
  readonly redirectUri: string
  readonly mode: ResponseMode
  readonly state: string | null
}

/** Grant shown to the user for consent. */
export interface Grant extends RedirectTarget {
  readonly application: ApplicationRow
  readonly scopes: readonly Scope[]
  readonly codeChallenge: string | null
}

export interface AuthorizationError {
  readonly error: string
  readonly reason: Problem
}

/**
 * `unsafe`: the user is shown an error and nothing is sent to the application, because the redirect URI is
 * unverified, or because without a known `response_type` the expected form of a response is unknown.
 */
export type AuthorizationDecision =
  | { readonly kind: 'fine'; readonly grant: Grant }
  | { readonly kind: 'refused'; readonly refusal: AuthorizationError; readonly back: RedirectTarget }
  | { readonly kind: 'unsafe'; readonly refusal: AuthorizationError }

/** Decides whether a request may be shown to the user for consent. */
export function checkAuthorization(
  request: AuthorizationRequest,
  application: ApplicationRow | null,
): AuthorizationDecision {
  if (request.clientId === '') return unsafe('invalid_request', problem('oauth_no_client'))
  if (application === null) return unsafe('invalid_client', problem('oauth_unknown_client'))
  const { redirectUri } = request
  if (!application.redirectUris.includes(redirectUri) || !isSafeRedirect(redirectUri))
    return unsafe('invalid_redirect_uri', problem('oauth_unknown_redirect'))
  // Mastodon shows this as a page too.
  if (request.responseType === '') return unsafe('invalid_request', problem('oauth_no_response_type'))
  if (request.responseType !== 'code')
    return unsafe('unsupported_response_type', problem('oauth_response_type'))
  const mode = responseModes.find((mode) => mode === request.responseMode) ?? 'query'
  const back = { redirectUri, mode, state: request.state }
  const refusal = refusalOf(request, application)
  if (refusal !== null) return { kind: 'refused', refusal, back }
  const scopes = requestedScopes(request) ?? []
  const codeChallenge = request.codeChallenge === '' ? null : request.codeChallenge
  return { kind: 'fine', grant: { ...back, application, scopes, codeChallenge } }
}

function unsafe(error: string, reason: Problem): AuthorizationDecision {
  return { kind: 'unsafe', refusal: { error, reason } }
}

function requestedScopes(request: AuthorizationRequest): readonly Scope[] | null {
  const scopes = parseScopes(request.scope)
  return scopes?.length === 0 ? ['read'] : scopes
}

function refusalOf(request: AuthorizationRequest, application: ApplicationRow): AuthorizationError | null {
  const { responseMode, codeChallenge, codeChallengeMethod } = request
  if (responseMode !== '' && !responseModes.some((mode) => mode === responseMode))
    return {
      error: 'unsupported_response_mode',
      reason: problem('oauth_response_mode'),
    }
  const scopes = requestedScopes(request)
  if (scopes === null || !covers(application.scopes.split(' '), scopes))
    return { error: 'invalid_scope', reason: problem('oauth_scopes') }
  if (codeChallenge === '' && codeChallengeMethod === '') return null
  if (codeChallengeMethod !== 'S256')
    return { error: 'invalid_code_challenge_method', reason: problem('oauth_challenge_method') }
  // A SHA-256 in base64url; no verifier could match anything else.
  if (!/^[\w-]{43}$/.test(codeChallenge))
    return { error: 'invalid_request', reason: problem('oauth_challenge') }
  return null
}

/** URL that carries a response back to the application, for the modes that fit into a URL. */
export function returnUrl(back: RedirectTarget, answer: Readonly<Record<string, string>>): string {
  const values = new URLSearchParams({ ...answer, ...(back.state === null ? {} : { state: back.state }) })
  const { redirectUri, mode } = back
  if (mode === 'fragment') return `${redirectUri}#${values}`
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${values}`
}

export function isOutOfBand(back: RedirectTarget): boolean {
  return back.redirectUri === outOfBand
}

/** Scopes of each token an account has granted an application. */
export function grantedScopes(ctx: Ctx, accountId: AccountId, applicationId: number) {
  return rows(
    ctx.db
      .select({ scopes: accessTokens.scopes })
      .from(accessTokens)
      .where(and(eq(accessTokens.accountId, accountId), eq(accessTokens.applicationId, applicationId)))
      .limit(20),
  )
}

/** Whether one earlier grant covers all these scopes; then consent is skipped. */
export function areScopesGranted(
  held: readonly { readonly scopes: string }[],
  scopes: readonly Scope[],
): boolean {
  return held.some((token) => covers(token.scopes.split(' '), scopes))
}

const codeMilliseconds = 600_000

/** Issues the one-time code an application exchanges for a token within ten minutes. */
export async function issueCode(ctx: Ctx, accountId: AccountId, grant: Grant): Promise<string> {
  const code = ctx.random.token()
  const { application, redirectUri, codeChallenge } = grant
  const stored = {
    codeHash: await hashCode(code),
    applicationId: application.id,
    accountId,
    redirectUri,
    scopes: scopeText(grant.scopes),
    codeChallenge,
    expiresAt: new Date(ctx.clock.now().getTime() + codeMilliseconds),
  }
  await commit(ctx, new Changes().add(ctx.db.insert(authorizationCodes).values(stored)))
  return code
}

export function hashCode(code: string): Promise<string> {
  return sha256(`code ${code}`)
}

/** SQL condition for the guard of the exchange: the code can still be exchanged. */
export function isLiveCode(codeHash: string, now: Date) {
  return sql`exists (select 1 from ${authorizationCodes} where ${authorizationCodes.codeHash} = ${codeHash}
    and ${authorizationCodes.usedAt} is null and ${authorizationCodes.expiresAt} > ${now.getTime()})`
}

/** Unexpired code of this account, with the name of its application. */
export async function findOwnCode(ctx: Ctx, accountId: AccountId, code: string) {
  const found = ctx.db
    .select({ applicationName: applications.name, expiresAt: authorizationCodes.expiresAt })
    .from(authorizationCodes)
    .innerJoin(applications, eq(applications.id, authorizationCodes.applicationId))
    .where(
      and(
        eq(authorizationCodes.codeHash, await hashCode(code)),
        eq(authorizationCodes.accountId, accountId),
        isNull(authorizationCodes.usedAt),
      ),
    )
  const row = await execute(ctx.db, first(found))
  return row === null || row.expiresAt <= ctx.clock.now() ? null : row
}
