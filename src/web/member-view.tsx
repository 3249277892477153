import { constant, map, type Query } from '../db/query'
import { type ViewerRef, viewerByCredential } from '../domain/core/viewer'
import type { WebSession } from '../domain/sessions/web-session'
import type { AppContext } from '../ports/app-env'
import type { Ctx } from '../ports/ctx'
import { readSecretCookie } from './cookies'
import { csrfTokenFor } from './csrf'
import { showInactiveAccount } from './inactive-account'
import { type Markup, type PageOptions, showPage } from './page'
import { hasToSetUpTwoFactor, memberOf, openPageAs, type PageRequest } from './page-request'
import { termsNoticePath } from './paths'
import { PostsProvider } from './posts/context'
import { pathOf, toSignIn } from './return-to'
import { toTwoFactorSetUp } from './two-factor-set-up'

/** Properties of every view of a signed-in member. */
export interface MemberFrame {
  readonly session: WebSession
  readonly now: Date
}

export interface MemberView<F> {
  /** The data of the view, read in the round trip that finds the session. */
  read(ctx: Ctx, as: ViewerRef): Query<F>
  /** The view, or another answer. */
  show(frame: MemberFrame, found: F): Markup | Response | Promise<Markup | Response>
  /** Status of the view; 200 without it. */
  readonly statusOf?: (found: F) => 200 | 410
  /** The page of the same address for visitors, and for accounts that wait; sign-in without it. */
  readonly forVisitors?: () => Promise<Response>
  /** The view of a confirmed account that waits for approval; without it, the page that says so. */
  readonly showWaiting?: (frame: MemberFrame) => Markup
}

/** Answers with a view for the member of the session. Others are led to what they have to do first. */
export async function showMemberView<F>(
  c: AppContext,
  { read, show, statusOf = () => 200, forVisitors, showWaiting }: MemberView<F>,
): Promise<Response> {
  const ctx = c.get('ctx')
  if (forVisitors !== undefined && (await readSecretCookie(c, 'session')) === null) return forVisitors()
  const { visit, found } = await openPageAs(c, (sessionHash) => {
    if (sessionHash === null) return constant(null)
    const as = viewerByCredential({ kind: 'session', hash: sessionHash })
    return map(read(ctx, as), (data) => ({ data }))
  })
  const { session } = visit
  if (forVisitors !== undefined && memberOf(visit) === null) return forVisitors()
  if (session === null || found === null) return toSignIn(c)
  if (showWaiting !== undefined && session.confirmed && !session.approved)
    return showPage(c, showWaiting({ session, now: ctx.clock.now() }), {
      csrfToken: await csrfTokenFor(c, visit),
      isAboutAccount: true,
    })
  const detour = await detourOf(c, visit, session)
  if (detour !== null) return detour
  const frame = { session, now: ctx.clock.now() }
  const shown = await show(frame, found.data)
  if (shown instanceof Response) return shown
  const page = await showInShell(c, visit, shown, { status: statusOf(found.data) })
  // The address may have another page for visitors, and another form for programs.
  if (forVisitors !== undefined) page.headers.set('Vary', 'Accept, Accept-Language, Cookie')
  return page
}

/** Answers with a page in the shell of members, with what the shell and the posts in it need: also after a refused form. */
export async function showInShell(
  c: AppContext,
  visit: PageRequest,
  markup: Markup,
  options: Pick<PageOptions, 'status' | 'errors'> = {},
): Promise<Response> {
  const { clock, random, translator } = c.get('ctx')
  const posts = {
    now: clock.now(),
    returnTo: pathOf(c),
    formKey: random.token(),
    translates: translator !== null,
    readerId: visit.session?.accountId ?? null,
  }
  return showPage(c, <PostsProvider value={posts}>{markup}</PostsProvider>, {
    ...options,
    csrfToken: await csrfTokenFor(c, visit),
    playsMedia: true,
    script: 'client.js',
    needs: ['api', 'worker'],
  })
}

/** Answer for a session that has to do something else first; null for one that may go on. */
export async function detourOf(
  c: AppContext,
  visit: PageRequest,
  session: WebSession,
): Promise<Response | null> {
  const inactive = await showInactiveAccount(c, visit, session)
  if (inactive !== null) return inactive
  if (hasToSetUpTwoFactor(visit)) return toTwoFactorSetUp(c, pathOf(c))
  return session.termsToSee === null ? null : c.redirect(termsNoticePath(pathOf(c)), 303)
}
