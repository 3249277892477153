import { Hono } from 'hono'
import type { Account } from '../../../contract/entities/account'
import { parseDomain, parseHandle } from '../../../contract/handle'
import { map, type Query } from '../../../db/query'
import { selectByHandle } from '../../../domain/accounts/find'
import { anonymousViewer } from '../../../domain/core/viewer'
import { takeForNetwork } from '../../../domain/sessions/flood'
import { NotFound } from '../../../errors'
import { type AppContext, type AppEnv, clientIp } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import type { RemoteInteraction } from '../../../ports/federation'
import { loadAccounts } from '../../../view/load/accounts'
import { loadStatuses, statusesById } from '../../../view/load/statuses'
import { presentOnlyStatus } from '../../../view/present/status'
import { csrfTokenFor, readCsrfForm } from '../../csrf'
import { showPage } from '../../page'
import { memberOf, openPageWith, type PageRequest } from '../../page-request'
import { authorizeInteractionPath, paths } from '../../paths'
import { requireMember } from '../../require-member'
import { authorView } from '../../status-view'
import { isOpenToAll, knownAccount, ownHandle } from '../profile/account'
import { type Interaction, interactionOf } from './interaction'
import { errorOf, RemoteInteractionPage, type RemoteProblem } from './remote-view'

/** Pages that redirect visitors with a remote account to their server, to follow or reply there. */
export function remoteInteractionRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const follow = '/users/:username/remote_follow'
  const interact = `${paths.interact}/:id{[0-9]{1,16}}`
  app.get(follow, requireMember, (c) => show(c, ofAccount(c, c.req.param('username'))))
  app.post(follow, requireMember, (c) => lead(c, ofAccount(c, c.req.param('username'))))
  app.get(interact, requireMember, (c) => show(c, ofStatus(c, Number(c.req.param('id')))))
  app.post(interact, requireMember, (c) => lead(c, ofStatus(c, Number(c.req.param('id')))))
  return app
}

/** Account or status that a visitor wants to interact with from their own server. */
export interface RemoteTarget extends RemoteInteraction {
  readonly author: ReturnType<typeof authorView>
}

function ofAccount(c: AppContext, username: string): Query<RemoteTarget> {
  const ctx = c.get('ctx')
  const { config } = ctx
  return map(loadAccounts(ctx, selectByHandle(ownHandle(ctx, username))), (found) => {
    const account = knownAccount(config, found)
    return targetOf(ctx, 'follow', account.uri, account)
  })
}

function ofStatus(c: AppContext, id: number): Query<RemoteTarget> {
  const ctx = c.get('ctx')
  const { config, clock } = ctx
  return map(loadStatuses(ctx, anonymousViewer, statusesById([id])), (found) => {
    const status = presentOnlyStatus({ config, now: clock.now() }, found)
    if (!isOpenToAll(status) || status.reblog !== null) throw new NotFound()
    return targetOf(ctx, interactionOf(c.req.query('type')), status.uri, status.account)
  })
}

function targetOf({ config }: Ctx, interaction: Interaction, uri: string, account: Account): RemoteTarget {
  return { interaction, uri, author: authorView(config, account) }
}

async function show(c: AppContext, wanted: Query<RemoteTarget>): Promise<Response> {
  const { visit, found } = await openPageWith(c, wanted)
  if (memberOf(visit) !== null) return c.redirect(authorizeInteractionPath(found.uri, found.interaction))
  return render(c, visit, { target: found, typed: '', problem: null })
}

/** Redirects to the server that the visitor names. */
async function lead(c: AppContext, wanted: Query<RemoteTarget>): Promise<Response> {
  const ctx = c.get('ctx')
  const { visit, found: target } = await openPageWith(c, wanted)
  const form = await readCsrfForm(c, visit)
  await takeForNetwork(ctx, 'remoteInteractions', clientIp(c))
  const typed = form('handle').slice(0, 500)
  const refuse = (problem: RemoteProblem) => render(c, visit, { target, typed, problem })
  const asked = parseAskedServer(typed, ctx.config.ownDomains)
  if (asked === null) return refuse({ kind: 'invalid' })
  if (asked.kind === 'own') return c.redirect(signInFor(target), 303)
  const found = await ctx.resolver.interactionPage(asked, target)
  if (found.kind !== 'found') return refuse({ kind: found.kind, domain: asked.domain })
  return c.redirect(found.url, 303)
}

function signInFor({ uri, interaction }: RemoteTarget): string {
  return `${paths.signIn}?${new URLSearchParams({ return_to: authorizeInteractionPath(uri, interaction) })}`
}

interface Rendering {
  readonly target: RemoteTarget
  readonly typed: string
  readonly problem: RemoteProblem | null
}

async function render(c: AppContext, visit: PageRequest, { target, typed, problem }: Rendering) {
  const { settings } = visit
  const page = {
    action: c.req.path + (target.interaction === 'follow' ? '' : `?type=${target.interaction}`),
    target,
    typed,
    signInUrl: signInFor(target),
    mayJoin: settings.registrations !== 'closed',
  }
  // The form redirects to the server that the visitor named.
  return showPage(c, <RemoteInteractionPage {...page} />, {
    csrfToken: await csrfTokenFor(c, visit),
    errors: problem === null ? {} : { fields: { handle: [errorOf(problem)] } },
    status: problem === null ? 200 : 422,
    formsLeadAway: true,
  })
}

/** The server that a visitor named: by their handle, or by its address alone. */
type AskedServer =
  | { readonly kind: 'own' }
  | { readonly kind: 'other'; readonly username: string | null; readonly domain: string }

const mostCharacters = 500

/** Parses `name@host`, `host`, or the address of a profile or server; null for anything else. */
function parseAskedServer(text: string, ownDomains: readonly string[]): AskedServer | null {
  const trimmed = text.trim().slice(0, mostCharacters)
  const web = /^https?:\/\//i.test(trimmed) ? URL.parse(trimmed) : null
  if (web !== null) {
    const name = /^\/@([^/@]+)/.exec(web.pathname)?.[1]
    return parseAskedServer(name === undefined ? web.host : `${name}@${web.host}`, ownDomains)
  }
  if (!trimmed.replace(/^@/, '').includes('@')) {
    const domain = trimmed.includes('.') ? parseDomain(trimmed) : null
    if (domain === null) return null
    return ownDomains.includes(domain) ? { kind: 'own' } : { kind: 'other', username: null, domain }
  }
  const handle = parseHandle(trimmed, ownDomains)
  if (handle === null) return null
  const { username, domain } = handle
  return domain === null ? { kind: 'own' } : { kind: 'other', username, domain }
}
