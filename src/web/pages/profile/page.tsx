import { Hono } from 'hono'
import { allowsAnonymousReads, type Config } from '../../../config'
import type { Account } from '../../../contract/entities/account'
import type { Status } from '../../../contract/entities/status'
import { combineQueries } from '../../../db/query'
import { idByHandle, selectByHandle } from '../../../domain/accounts/find'
import { anonymousViewer } from '../../../domain/core/viewer'
import { authorBySession } from '../../../domain/statuses/find-author'
import { accountSelection } from '../../../domain/timelines/account'
import { threadSelection } from '../../../domain/timelines/thread'
import { Gone, NotFound } from '../../../errors'
import { oembedUrl, profileFeedUrls, profileUrl, statusUrl, taggedFeedUrls } from '../../../lib/addresses'
import { type Handle, parseHandle } from '../../../lib/handle'
import { normaliseHashtag } from '../../../lib/hashtag'
import type { AppContext, AppEnv } from '../../../platform/app-env'
import type { Ctx } from '../../../platform/ports'
import { type AccountBundle, loadAccounts } from '../../../view/load/accounts'
import { loadStatuses } from '../../../view/load/statuses'
import { presentOnlyAccount } from '../../../view/present/account'
import { presentStatuses } from '../../../view/present/status'
import type { FeedAddresses } from '../../components/feed-links'
import { emojisOf, renderEmojis } from '../../emojis'
import { wantsJson } from '../../error-response'
import { showPublicPage } from '../../page'
import { memberOf, openPageAs, openPageWith } from '../../page-request'
import { olderPageUrl, parseMaxId } from '../../pagination'
import { redirectOrWarn } from '../../redirect'
import { requireMember } from '../../require-member'
import { authorView, fullHandle, previewText, statusView, titleOf } from '../../status-view'
import { StatusPage } from './status'
import { ProfilePage, type ProfileView } from './view'

const pageSize = 20

/** Local accounts and statuses as visitors see them; authors open all statuses they wrote. */
export function profileRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/:handle{@[^/]+}', requireMember, (c) => showProfile(c, c.req.param('handle')))
  app.get('/:handle{@[^/]+}/tagged/:tag', requireMember, (c) =>
    showTagged(c, c.req.param('handle'), c.req.param('tag')),
  )
  app.get('/:handle{@[^/]+}/:id{[0-9]{1,16}}', requireMember, (c) =>
    showStatus(c, c.req.param('handle'), Number(c.req.param('id'))),
  )
  app.get('/users/:username', (c) =>
    redirectReader(c, (origin) => profileUrl(origin, c.req.param('username'))),
  )
  app.get('/users/:username/statuses/:id{[0-9]{1,16}}', (c) =>
    redirectReader(c, (origin) => statusUrl(origin, c.req.param('username'), Number(c.req.param('id')))),
  )
  return app
}

/** Redirects browsers from the address of an object to its page; programs request the object itself. */
function redirectReader(c: AppContext, target: (origin: string) => string) {
  if (wantsJson(c)) throw new NotFound()
  return c.redirect(target(c.get('ctx').config.origin), 301)
}

/** Handle of a local account; remote accounts have their pages on their own server. */
function ownHandle({ config }: Ctx, text: string): Handle {
  const handle = parseHandle(text, config.ownDomains)
  if (handle === null || handle.domain !== null) throw new NotFound()
  return handle
}

/** The account as visitors may see it. `Gone` if it is suspended: it was public that it existed. */
export function knownAccount(config: Config, found: AccountBundle): Account {
  const account = presentOnlyAccount(config, found)
  if (account.suspended === true) throw new Gone('This account has been suspended.')
  return account
}

/** Statuses of an account with a hashtag; remote accounts have their pages on their own server. */
async function showTagged(c: AppContext, text: string, tag: string) {
  const ctx = c.get('ctx')
  const handle = parseHandle(text, ctx.config.ownDomains)
  if (handle === null || handle.domain === null) return showProfile(c, text, normaliseHashtag(tag))
  const { visit, found } = await openPageWith(c, loadAccounts(ctx, selectByHandle(handle)))
  const account = knownAccount(ctx.config, found)
  return redirectOrWarn(c, visit, account.url ?? account.uri)
}

async function showProfile(c: AppContext, text: string, tagged: string | null = null) {
  const ctx = c.get('ctx')
  const { config, clock } = ctx
  const handle = ownHandle(ctx, text)
  const maxId = parseMaxId(c)
  const filter = {
    owner: idByHandle(handle),
    onlyMedia: false,
    excludeReplies: tagged === null,
    excludeReblogs: true,
    excludeDirect: true,
    tagged,
  }
  const selection = accountSelection(anonymousViewer, filter, { limit: pageSize, maxId }, clock.now())
  const { visit, found } = await openPageWith(
    c,
    combineQueries({
      account: loadAccounts(ctx, selectByHandle(handle)),
      statuses: loadStatuses(ctx, anonymousViewer, selection),
    }),
  )
  const account = knownAccount(config, found.account)
  const url = profileUrl(config.origin, account.username)
  const page = {
    site: visit.site,
    viewer: visit.viewer,
    about: { url, activityUri: account.uri },
    profile: profileView(config, account),
    statuses: presentStatuses({ config, now: clock.now() }, found.statuses).map((status) =>
      statusView(config, status),
    ),
    tagged,
    olderUrl: olderPageUrl(c, found.statuses, pageSize),
    isContinued: maxId !== undefined,
    isIndexable: account.indexable && account.limited !== true,
    feeds: allowsAnonymousReads(config) ? feedsOf(config, account, tagged) : null,
  }
  return showPublicPage(c, visit, <ProfilePage {...page} />, {
    Link: linkHeader(config, account, account.uri),
  })
}

function feedsOf({ origin }: Config, { username }: Account, tagged: string | null): FeedAddresses {
  if (tagged === null) return { title: `Posts by @${username}`, ...profileFeedUrls(origin, username) }
  return { title: `Posts by @${username} with #${tagged}`, ...taggedFeedUrls(origin, username, tagged) }
}

async function showStatus(c: AppContext, text: string, id: number) {
  const ctx = c.get('ctx')
  const { config, clock } = ctx
  const handle = ownHandle(ctx, text)
  const now = clock.now()
  const { visit, found } = await openPageAs(c, (sessionHash) => {
    const reader = sessionHash === null ? anonymousViewer : authorBySession(sessionHash, id, now)
    return combineQueries({
      account: loadAccounts(ctx, selectByHandle(handle)),
      thread: loadStatuses(ctx, reader, threadSelection(reader, { id, now, isShort: true })),
    })
  })
  const account = knownAccount(config, found.account)
  const thread = presentStatuses({ config, now }, found.thread)
  const middle = thread.findIndex((one) => one.id === String(id))
  const status = thread[middle]
  if (status === undefined || status.account.id !== account.id) throw new NotFound()
  const isForAll = isOpenToAll(status)
  // The query has checked this; private statuses must not hang on a single condition.
  if (!isForAll && memberOf(visit)?.accountId !== Number(account.id)) throw new NotFound()
  if (status.reblog !== null) return redirectOrWarn(c, visit, status.reblog.url ?? status.reblog.uri)
  const shown = statusView(config, status)
  const page = {
    site: visit.site,
    viewer: visit.viewer,
    isForAll,
    about: {
      url: shown.url,
      activityUri: status.uri,
      ...(isForAll ? { oembedUrl: oembedUrl(config.origin, shown.url) } : {}),
    },
    status: shown,
    ancestors: thread.slice(0, middle).map((one) => statusView(config, one)),
    descendants: thread.slice(middle + 1).map((one) => statusView(config, one)),
    headline: titleOf(status),
    text: previewText(status.content, shown.warning),
    imageUrl: previewImage(status) ?? shown.author.avatarUrl,
    isIndexable: account.indexable && account.limited !== true && isForAll && status.visibility === 'public',
  }
  return showPublicPage(c, visit, <StatusPage {...page} />, { Link: linkHeader(config, account, status.uri) })
}

/** Whether visitors may see a status. */
function isOpenToAll({ visibility, local_only: isLocalOnly }: Status): boolean {
  return (visibility === 'public' || visibility === 'unlisted') && isLocalOnly !== true
}

/** `Link` header: the object for programs, and the WebFinger document of its author. */
function linkHeader(config: Config, account: Account, activityUri: string): string {
  const resource = encodeURIComponent(`acct:${account.username}@${config.domain}`)
  return [
    `<${config.origin}/.well-known/webfinger?resource=${resource}>; rel="lrdd"; type="application/jrd+json"`,
    `<${activityUri}>; rel="alternate"; type="application/activity+json"`,
  ].join(', ')
}

function previewImage({ sensitive, spoiler_text: warning, media_attachments: media }: Status): string | null {
  if (sensitive || warning !== '') return null
  return media.find(({ type }) => type === 'image')?.preview_url ?? null
}

function profileView(config: Config, account: Account): ProfileView {
  const { moved } = account
  const emojis = emojisOf(account.emojis)
  const hidesPeople = account.hide_collections === true
  return {
    author: authorView(config, account),
    headerUrl: account.header_static,
    headerDescription: account.header_description,
    avatarDescription: account.avatar_description,
    noteHtml: renderEmojis(account.note, emojis),
    noteText: previewText(account.note),
    fields: account.fields.map(({ name, value, verified_at: verifiedAt }) => ({
      name,
      html: renderEmojis(value, emojis),
      isVerified: verifiedAt !== null,
    })),
    isBot: account.bot,
    isLocked: account.locked,
    isMemorial: account.memorial === true,
    movedTo: moved == null ? null : { handle: fullHandle(config, moved), url: moved.url ?? moved.uri },
    joinedAt: new Date(account.created_at),
    statuses: account.statuses_count,
    following: hidesPeople ? null : account.following_count,
    followers: hidesPeople ? null : account.followers_count,
  }
}
