import { eq } from 'drizzle-orm'
import { first, type Query } from '../../db/query'
import { applications } from '../../db/schema'
import { validationFailed } from '../../errors'
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
    ...(scopes === null ? ["Scopes doesn't match configured on the server."] : []),
  ]
  if (problems.length > 0 || scopes === null) throw validationFailed(...problems)
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

/** Validation messages for a draft, except for its scopes. */
export function applicationProblems(draft: ApplicationDraft): readonly string[] {
  const { name, website, redirectUris } = draft
  return [
    ...(name.trim() === '' ? ["Application name can't be blank"] : []),
    ...(name.length > limits.name
      ? [`Application name is too long (maximum is ${limits.name} characters)`]
      : []),
    ...(website === null ? [] : websiteProblems(website)),
    ...(redirectUris.length === 0 ? ["Redirect URI can't be blank"] : []),
    ...(redirectUris.length > limits.redirectUris ? ['Redirect URI has too many entries'] : []),
    ...new Set(redirectUris.flatMap(redirectUriProblems)),
  ]
}

function websiteProblems(website: string): readonly string[] {
  if (website.length > limits.website)
    return [`Website is too long (maximum is ${limits.website} characters)`]
  const url = URL.parse(website)
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? [] : ['Website is not a valid URL']
}

function redirectUriProblems(uri: string): readonly string[] {
  if (uri === outOfBand) return []
  if (uri.length > limits.redirectUri)
    return [`Redirect URI is too long (maximum is ${limits.redirectUri} characters)`]
  const url = URL.parse(uri)
  if (url === null || !/^[a-z][a-z0-9+.-]*:/i.test(uri)) return ['Redirect URI must be an absolute URI.']
  if (url.hash !== '' || uri.includes('#')) return ['Redirect URI cannot contain a fragment.']
  const isForbidden = forbiddenSchemes.has(url.protocol) || hasUserInfo(url, uri)
  return isForbidden ? ['Redirect URI is forbidden by the server.'] : []
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
