import { allowsAnonymousReads, type Config } from '../config'
import { profileUrl } from '../contract/addresses'
import { both, combineQueries, constant, execute, map, type Query } from '../db/query'
import { type PageSettings, pickPageSettings } from '../domain/instance/settings'
import { deviceSeconds, hashDeviceToken } from '../domain/sessions/devices'
import { admitAnonymous } from '../domain/sessions/flood'
import { isStampDue } from '../domain/sessions/record-activity'
import { type HeldSession, mostAccounts, sessionsOfBrowser } from '../domain/sessions/sessions-of-browser'
import {
  findAnySession,
  findSession,
  hashSessionToken,
  lacksSecondFactor,
  renewSession,
  sessionSeconds,
  startSession,
  type WebSession,
} from '../domain/sessions/web-session'
import { Conflict } from '../errors'
import type { AccountId } from '../lib/ids'
import { type AppContext, clientIp } from '../ports/app-env'
import { defaultAvatarUrl, staticUrl } from '../view/urls'
import { clearSlot, keepSlot, type Slot, slotsOf } from './account-slots'
import { clearSecretCookie, readSecretCookie, setSecretCookie } from './cookies'
import { openPlaces } from './explore-places'
import { refuseOtherAccount } from './session-proof'
import type { AccountSummary, Site } from './site'
import { lookSettings, siteOf } from './site-of'
import { nothingUnread, type Unread, unreadOf } from './unread'

/** Settings that every page shows. A page that shows more loads them itself. */
export const siteSettings = [
  'title',
  'termsOfService',
  ...lookSettings,
  'membersStart',
  'clientName',
  'clientUrl',
  'registrations',
  'registrationsMessage',
  'minimumAge',
  'contactEmail',
  'profileDirectory',
  'localFeedAccess',
  'remoteFeedAccess',
  'trends',
] as const

/** A request for a page: the server as pages show it, and the session. */
export interface PageRequest {
  readonly site: Site
  readonly settings: PageSettings<(typeof siteSettings)[number]>
  readonly session: WebSession | null
  /** Session of a suspended or disabled account: to every page but that of strikes a visitor. */
  readonly restricted: WebSession | null
  /** The secret of the session, which its forms are tied to. */
  readonly token: string | null
  /** The accounts of this browser, the active one among them; none where there is but one. */
  readonly slots: readonly Slot[]
  readonly viewer: AccountSummary | null
  readonly unread: Unread
}

/** Visits by request, for the pages of failures after them. */
const visits = new WeakMap<AppContext, PageRequest>()

/** The visit that a request opened; null before. */
export function openedVisit(c: AppContext): PageRequest | null {
  return visits.get(c) ?? null
}

/** Loads the session and the server in one round trip. A session first seen again after a day is renewed. */
export async function openPage(c: AppContext): Promise<PageRequest> {
  return (await openPageWith(c, constant(null))).visit
}

/** `openPage` with a query of the page in the same round trip. */
export function openPageWith<T>(
  c: AppContext,
  wanted: Query<T>,
): Promise<{ readonly visit: PageRequest; readonly found: T }> {
  return openPageAs(c, () => wanted)
}

/** `openPageWith` where the query depends on the session: it gets the hash of its secret, null for visitors. */
export async function openPageAs<T>(
  c: AppContext,
  wantedBy: (sessionHash: string | null) => Query<T>,
): Promise<{ readonly visit: PageRequest; readonly found: T }> {
  const ctx = c.get('ctx')
  await admitAnonymous(ctx, clientIp(c))
  const secret = await readSecretCookie(c, 'session')
  await refuseOtherAccount(c, secret)
  const slots = await slotsOf(c)
  const sessionHash = secret === null ? null : await hashSessionToken(secret)
  const query = both(
    sessionHash === null ? constant(null) : findAnySession(ctx, sessionHash),
    combineQueries({
      settings: pickPageSettings(ctx, siteSettings),
      unread: c.req.method === 'GET' ? unreadOf(ctx, sessionHash) : constant(nothingUnread),
      found: wantedBy(sessionHash),
    }),
  )
  const [opened, { settings, unread, found }] = await execute(ctx.db, query)
  if (opened !== null) c.set('chosen', opened.session)
  const session = opened?.isRestricted === false ? opened.session : null
  if (secret !== null && opened === null) clearSecretCookie(c, 'session')
  if (secret !== null && session !== null && isStampDue(session.lastSeenAt, ctx.clock.now())) {
    await setSecretCookie(c, 'session', secret, sessionSeconds)
    if (slots.length > 0) await keepSlot(c, { username: session.username, secret })
    await renewDeviceCookie(c)
    ctx.waitUntil(renewSession(ctx, session, clientIp(c)))
  }
  const member = activeMember(session)
  const visit = {
    site: siteOf(ctx.config, settings, mayBrowse(ctx.config, member) ? openPlaces(settings, member) : []),
    settings,
    session,
    restricted: opened?.isRestricted === true ? opened.session : null,
    token: opened === null ? null : secret,
    slots,
    viewer: session === null ? null : summaryOf(c, session),
    unread: member === null ? nothingUnread : unread,
  }
  visits.set(c, visit)
  return { visit, found }
}

/** The signed-in account, whose language the page then has; null for visitors, and for restricted sessions. */
export async function findViewer(c: AppContext): Promise<Query<AccountSummary | null>> {
  const secret = await readSecretCookie(c, 'session')
  if (secret === null) return constant(null)
  const found = findSession(c.get('ctx'), await hashSessionToken(secret))
  return map(found, (session) => {
    if (session === null) return null
    c.set('chosen', session)
    return summaryOf(c, session)
  })
}

/** The session if its account is confirmed and approved; others read as visitors do. */
export function memberOf({ session }: PageRequest): WebSession | null {
  return activeMember(session)
}

function activeMember(session: WebSession | null): WebSession | null {
  return session?.confirmed === true && session.approved ? session : null
}

/** Whether the operator lets a member, or visitors, look around at all. */
export function mayBrowse(config: Config, member: WebSession | null): boolean {
  return member !== null || allowsAnonymousReads(config)
}

/** Whether the user is active and has to set up a second factor before anything else. */
export function hasToSetUpTwoFactor(visit: PageRequest): boolean {
  const member = memberOf(visit)
  return member !== null && lacksSecondFactor(member)
}

/** The account of a session, as pages show it. */
export function summaryOf(c: AppContext, session: WebSession): AccountSummary {
  return accountSummary(c, session)
}

interface ShownAccount extends Pick<WebSession, 'username' | 'displayName' | 'avatar'> {
  /** Null for an account without a picture. */
  readonly accountId: AccountId | null
}

export function accountSummary(
  c: AppContext,
  { username, displayName, avatar, accountId }: ShownAccount,
): AccountSummary {
  const { config } = c.get('ctx')
  return {
    displayName: displayName === '' ? username : displayName,
    acct: username,
    url: profileUrl(config.origin, username),
    avatarUrl: avatar === null ? defaultAvatarUrl(config) : staticUrl(config, avatar, accountId),
  }
}

interface SignedIn {
  readonly accountId: AccountId
  readonly username: string
  readonly lastActiveAt: Date | null
}

/**
 * Signs the browser in, and makes it one that the account knows. Each sign-in gets a new secret, so one planted before
 * is worthless. With `isAdded` the account that was active stays signed in beside it; else its session ends.
 */
export async function startBrowserSession(
  c: AppContext,
  visit: PageRequest,
  person: SignedIn,
  { isAdded = false }: { readonly isAdded?: boolean } = {},
): Promise<void> {
  const ctx = c.get('ctx')
  const held = await heldSessions(c, visit)
  const { token } = visit
  const active = visit.session ?? visit.restricted
  const others = held.filter(({ accountId }) => accountId !== person.accountId)
  const kept = isAdded ? others : others.filter(({ id }) => id !== active?.id)
  if (kept.length >= mostAccounts) throw new Conflict('too_many_accounts', { max: mostAccounts })
  const device = (await readSecretCookie(c, 'device')) ?? ctx.random.token()
  const browser = {
    userAgent: c.req.header('user-agent') ?? '',
    ip: clientIp(c),
    deviceHash: await hashDeviceToken(device),
  }
  const replaced = held.filter((one) => !kept.includes(one))
  const secret = await startSession(ctx, person, browser, replaced)
  await setSecretCookie(c, 'session', secret, sessionSeconds)
  await setSecretCookie(c, 'device', device, deviceSeconds)
  const names = new Set(kept.map(({ username }) => username))
  for (const { username } of visit.slots) if (!names.has(username)) clearSlot(c, username)
  if (names.size === 0) return
  await keepSlot(c, { username: person.username, secret })
  if (active !== null && token !== null && names.has(active.username))
    await keepSlot(c, { username: active.username, secret: token })
}

/** The sessions that this browser holds and that have not ended, the active one among them. */
export async function heldSessions(
  c: AppContext,
  { slots, token, session, restricted }: PageRequest,
): Promise<readonly HeldSession[]> {
  const ctx = c.get('ctx')
  const active = session ?? restricted
  const secrets = new Set([...slots.map(({ secret }) => secret), ...(token === null ? [] : [token])])
  if (slots.length === 0 && active === null) return []
  const hashes = await Promise.all([...secrets].map(hashSessionToken))
  return execute(ctx.db, sessionsOfBrowser(ctx, hashes))
}

/** Signs the device cookie again, so that it outlives the secret it was signed with. */
async function renewDeviceCookie(c: AppContext): Promise<void> {
  const device = await readSecretCookie(c, 'device')
  if (device !== null) await setSecretCookie(c, 'device', device, deviceSeconds)
}

/** Hash of the device cookie; null for a browser without one. */
export async function deviceHashOf(c: AppContext): Promise<string | null> {
  const device = await readSecretCookie(c, 'device')
  return device === null ? null : hashDeviceToken(device)
}
