import { eq } from 'drizzle-orm'
import { first, type Query } from '../../db/query'
import { applications } from '../../db/schema'
import { Invalid } from '../../errors'
import { distinct, type Problem, problem } from '../../errors/sentences'
import type { ApplicationId } from '../../lib/ids'
import { sameText, sha256 } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { parseScopes } from './scopes'

export type ApplicationRow = typeof applications.$inferSelect

/** Redirect URI of applications without one: the user copies the code. */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob'

const limits = { name: 60, website: 2_000, redirectUri: 2_000, redirectUris: 50 }

/** Metadata a client registers with. */
export interface ApplicationDraft {
  readonly name: string
  readonly website: string | null
  readonly redirectUris: readonly string[]
  /** Separated by spaces; null requests the default. */
  readonly scopes: string | null
}

/** Registers a client. Its secret is returned once and stored as a hash. */
export async function registerApplication(
  ctx: Ctx,
  draft: ApplicationDraft,
): Promise<{ readonly application: ApplicationRow; readonly secret: string }> {
  const scopes = parseScopes(draft.scopes ?? 'read')
  const problems = [
    ...applicationProblems(draft),
    ...(scopes === null ? [problem('scopes_mismatch', { field: 'scopes' })] : []),
  ]
  if (problems.length > 0 || scopes === null) throw new Invalid(problems)
  const secret = ctx.random.token()
  const application = {
    id: ctx.ids.next(),
    clientId: ctx.random.token(),
    clientSecretHash: await hashSecret(secret),
    name: draft.name.trim(),
    website: draft.website,
    redirectUris: [...new Set(draft.redirectUris)],
    scopes: (scopes.length === 0 ? ['read'] : scopes).join(' '),
    createdAt: ctx.clock.now(),
    used: false,
  }
  await commit(ctx, new Changes().add(ctx.db.insert(applications).values(application)))
  return { application, secret }
}

/** Problems of a draft, except for those of its scopes. */
export function applicationProblems(draft: ApplicationDraft): readonly Problem[] {
  const { name, website, redirectUris } = draft
  return [
    ...(name.trim() === '' ? [problem('blank', { field: 'application_name' })] : []),
    ...(name.length > limits.name
      ? [problem('too_long', { field: 'application_name', max: limits.name })]
      : []),
    ...(website === null ? [] : websiteProblems(website)),
    ...(redirectUris.length === 0 ? [problem('blank', { field })] : []),
    ...(redirectUris.length > limits.redirectUris ? [problem('too_many_uris', { field })] : []),
    ...distinct(redirectUris.flatMap(redirectUriProblems)),
  ]
}

const field = 'redirect_uri'

function websiteProblems(website: string): readonly Problem[] {
  if (website.length > limits.website) return [problem('too_long', { field: 'website', max: limits.website })]
  const url = URL.parse(website)
  return url?.protocol === 'https:' || url?.protocol === 'http:'
    ? []
    : [problem('invalid_url', { field: 'website' })]
}

function redirectUriProblems(uri: string): readonly Problem[] {
  if (uri === outOfBand) return []
  if (uri.length > limits.redirectUri) return [problem('too_long', { field, max: limits.redirectUri })]
  const url = URL.parse(uri)
  if (url === null || !/^[a-z][a-z0-9+.-]*:/i.test(uri)) return [problem('no_absolute_uri', { field })]
  if (url.hash !== '' || uri.includes('#')) return [problem('uri_with_fragment', { field })]
  const isForbidden = forbiddenSchemes.has(url.protocol) || hasUserInfo(url, uri)
  return isForbidden ? [problem('forbidden_uri', { field })] : []
}

/** Schemes a browser would execute instead of follow, and those that lead to files of the device. */
const forbiddenSchemes: ReadonlySet<string> = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'javascript:',
  'vbscript:',
  'view-source:',
])

/**
 * Whether user info stands before the host. `https://known.example@evil.example` leads to the second host, which
 * the user who decides hardly notices. Empty user info before the @ is only in the text: URL drops it.
 */
function hasUserInfo({ username, password }: URL, text: string): boolean {
  return username !== '' || password !== '' || /^[a-z0-9+.-]+:[\\/]{2,}[^\\/?]*@/i.test(text)
}

/**
 * Whether a browser may be redirected to this address. Checked again at every redirect, whatever was once
 * registered.
 */
export function isSafeRedirect(uri: string): boolean {
  return redirectUriProblems(uri).length === 0
}

export function findApplication(ctx: Ctx, clientId: string): Query<ApplicationRow | null> {
  return first(ctx.db.select().from(applications).where(eq(applications.clientId, clientId)))
}

export function findApplicationById(ctx: Ctx, id: ApplicationId): Query<ApplicationRow | null> {
  return first(ctx.db.select().from(applications).where(eq(applications.id, id)))
}

/** Whether this is the secret of the application. */
export async function isClientSecretValid(application: ApplicationRow, secret: string): Promise<boolean> {
  return sameText(await hashSecret(secret), application.clientSecretHash)
}

function hashSecret(secret: string): Promise<string> {
  return sha256(`client secret ${secret}`)
}
