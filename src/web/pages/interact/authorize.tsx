import * as z from 'zod'
import type { Relationship } from '../../../contract/entities/account'
import { parseHandle } from '../../../contract/handle'
import { combineQueries, execute } from '../../../db/query'
import { selectById } from '../../../domain/accounts/find'
import { viewerById } from '../../../domain/core/viewer'
import { favouriteStatus } from '../../../domain/interactions/favourite'
import { reblogStatus } from '../../../domain/interactions/reblog'
import { followAccount } from '../../../domain/relationships/follow'
import { createStatus } from '../../../domain/statuses/create'
import { visibleOriginal } from '../../../domain/statuses/find'
import { preferencesOf } from '../../../domain/users/defaults'
import { NotFound } from '../../../errors'
import type { AccountId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import type { ResolvedAddress } from '../../../ports/federation'
import { loadAccounts } from '../../../view/load/accounts'
import { loadRelationships } from '../../../view/load/relationships'
import { loadStatuses, statusesById } from '../../../view/load/statuses'
import { presentOnlyAccount, presentRelationship } from '../../../view/present/account'
import { presentOnlyStatus } from '../../../view/present/status'
import type { PageQuery, SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { authorizeInteractionPath, paths } from '../../paths'
import { personView, postView } from '../../posts/post-view'
import { mayReblog, previewText } from '../../status-view'
import { AuthorizeInteractionPage, type InteractionSubject } from './authorize-view'
import { type Interaction, interactionOf } from './interaction'
import { memberViewer } from './member-viewer'

const path = paths.authorizeInteraction
const form = z.object({ uri: z.string(), id: z.string(), text: z.string(), visibility: z.string() })
type Call = SubmissionCall<z.output<typeof form>>

/** Target of links from other servers: a signed-in user follows, answers, boosts or favourites the address in it. */
export const authorizeInteractionPage = memberPage({
  kind: 'settings',
  path,
  title: 'interact.openAnAddress',
  access: 'active',
  menu: null,
  form,
  submissions: [
    { run: open },
    { path: `${path}/follow`, isCommand: true, run: follow },
    { path: `${path}/reblog`, isCommand: true, run: reblog },
    { path: `${path}/favourite`, isCommand: true, run: favourite },
    { path: `${path}/reply`, run: reply },
  ],
  notices: {
    followed: 'interact.followAccountAsked',
    reblogged: 'interact.boostPosted',
    favourited: 'interact.postAmongFavourites',
    replied: 'interact.replyPosted',
  },
  load: (ctx, request) => loadSubject(ctx, request),
  view: ({ typed, found }) => (
    <AuthorizeInteractionPage uri={found.uri} subject={found.subject} text={typed('text')} />
  ),
})

async function loadSubject(ctx: Ctx, { session, query }: PageQuery) {
  const uri = query('uri').trim()
  if (uri === '') return { uri, subject: null }
  const target = await resolve(ctx, uri)
  const subject =
    target === null
      ? ({ kind: 'missing' } as const)
      : await (target.kind === 'account'
          ? accountSubject(ctx, session.accountId, target.id)
          : statusSubject(ctx, session.accountId, { id: target.id, asked: interactionOf(query('type')) }))
  return { uri, subject }
}

/** The account or status at a web address, or of a handle with or without `acct:`. */
async function resolve(ctx: Ctx, uri: string): Promise<ResolvedAddress | null> {
  if (/^https?:/i.test(uri)) return ctx.resolver.resolveAddress(uri)
  const handle = parseHandle(uri.replace(/^acct:/i, ''), ctx.config.ownDomains)
  if (handle === null) return null
  const { username, domain } = handle
  const id = await ctx.resolver.accountByHandle({ username, domain: domain ?? ctx.config.domain })
  return id === null ? null : { kind: 'account', id }
}

async function accountSubject(ctx: Ctx, viewer: AccountId, id: AccountId): Promise<InteractionSubject> {
  const { accounts, relationships } = await execute(
    ctx.db,
    combineQueries({
      accounts: loadAccounts(ctx, selectById(id)),
      relationships: loadRelationships(ctx, viewerById(viewer), selectById(id)),
    }),
  )
  const account = presentOnlyAccount(ctx.config, accounts)
  if (account.suspended === true) return { kind: 'missing' }
  const [facts] = relationships
  return {
    kind: 'account',
    id: account.id,
    person: { person: personView(ctx.config, account), intro: previewText(account.note) },
    state: id === viewer ? 'self' : followState(facts === undefined ? null : presentRelationship(facts)),
    isLocked: account.locked,
  }
}

function followState(relationship: Relationship | null): 'none' | 'requested' | 'following' {
  if (relationship?.following === true) return 'following'
  return relationship?.requested === true ? 'requested' : 'none'
}

async function statusSubject(
  ctx: Ctx,
  viewer: AccountId,
  { id, asked }: { readonly id: number; readonly asked: Interaction },
): Promise<InteractionSubject> {
  const { config, clock } = ctx
  const bundle = await execute(ctx.db, loadStatuses(ctx, viewerById(viewer), statusesById([id])))
  if (bundle.ids.length === 0) return { kind: 'missing' }
  const shown = presentOnlyStatus({ config, now: clock.now() }, bundle)
  const status = shown.reblog ?? shown
  return {
    kind: 'status',
    id: status.id,
    post: postView(config, status, null),
    asked,
    isFavourited: status.favourited === true,
    isReblogged: status.reblogged === true,
    mayReblog: mayReblog(status, viewer),
    mention: `@${status.account.acct} `,
  }
}

/** Opens the address that was typed. */
async function open({ input }: Call) {
  return { redirectTo: authorizeInteractionPath(input.uri.trim(), null) }
}

async function follow({ ctx, session, input }: Call) {
  await ctx.throttle.take('follows', String(session.accountId))
  await followAccount(ctx, await memberViewer(ctx, session.accountId), idIn(input.id), {})
  return back(input.uri, 'followed')
}

async function reblog({ ctx, session, input }: Call) {
  await ctx.throttle.take('statuses', String(session.accountId))
  await reblogStatus(ctx, await memberViewer(ctx, session.accountId), { id: idIn(input.id) })
  return back(input.uri, 'reblogged')
}

async function favourite({ ctx, session, input }: Call) {
  await favouriteStatus(ctx, await memberViewer(ctx, session.accountId), idIn(input.id))
  return back(input.uri, 'favourited')
}

async function reply({ ctx, session, input }: Call) {
  await ctx.throttle.take('statuses', String(session.accountId))
  const viewer = await memberViewer(ctx, session.accountId)
  const original = await execute(ctx.db, visibleOriginal(ctx, viewerById(viewer.id), idIn(input.id)))
  if (original === null) throw new NotFound()
  const draft = {
    text: input.text,
    spoilerText: original.spoilerText,
    mediaIds: [],
    inReplyToId: original.id,
    visibility: narrower(original.visibility, preferencesOf(viewer).visibility),
  }
  await createStatus(ctx, viewer, {
    draft,
    read: (id) => loadStatuses(ctx, viewerById(viewer.id), statusesById([id])),
  })
  return back(input.uri, 'replied')
}

const byReach = ['public', 'unlisted', 'private', 'direct'] as const
type Visibility = (typeof byReach)[number]

/** A reply is no more visible than its parent. */
function narrower(one: Visibility, other: Visibility): Visibility {
  return byReach.indexOf(one) > byReach.indexOf(other) ? one : other
}

function back(uri: string, done: string) {
  return { redirectTo: `${authorizeInteractionPath(uri, null)}&done=${done}` }
}

function idIn(text: string): number {
  if (!/^\d{1,16}$/.test(text)) throw new NotFound()
  return Number(text)
}
