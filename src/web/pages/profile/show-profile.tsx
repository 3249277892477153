import { allowsAnonymousReads, type Config } from '../../../config'
import { oembedUrl, profileFeedUrls, profileUrl, taggedFeedUrls } from '../../../contract/addresses'
import type { Account } from '../../../contract/entities/account'
import type { Status } from '../../../contract/entities/status'
import { type Handle, parseHandle } from '../../../contract/handle'
import { normaliseHashtag } from '../../../contract/text/hashtag'
import { combineQueries, constant } from '../../../db/query'
import { idByHandle, selectByHandle } from '../../../domain/accounts/find'
import { anonymousViewer, type ViewerRef } from '../../../domain/core/viewer'
import { importsShownBy } from '../../../domain/statuses/archived/find-imports'
import { ownerBySession } from '../../../domain/statuses/find-author'
import { accountSelection, pinnedSelection } from '../../../domain/timelines/account'
import { NotFound } from '../../../errors'
import type { AppContext } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadAccounts } from '../../../view/load/accounts'
import { loadStatuses, type StatusBundle } from '../../../view/load/statuses'
import { featuredTagsOf } from '../../../view/load/tags'
import { presentStatuses } from '../../../view/present/status'
import { presentFeaturedTag } from '../../../view/present/tag'
import type { FeedAddresses } from '../../components/page-links'
import { showPublicPage } from '../../page'
import { memberOf, openPageAs } from '../../page-request'
import { olderPageUrl, parseMaxId } from '../../pagination'
import { visitorsProfile } from '../../people/profile-view'
import { postView } from '../../posts/post-view'
import { previewText } from '../../status-view'
import { showMemberProfile } from '../people/profile'
import { isOpenToAll, knownAccount, linkHeader } from './account'
import { showElsewhere } from './elsewhere'
import type { ProfileTab } from './tabs'
import { ProfilePage } from './view'

const pageSize = 20
const mostPins = 5

/** List of statuses that a profile page shows. */
interface Listing {
  readonly tab: ProfileTab
  /** A normalised hashtag that they all carry. */
  readonly tagged: string | null
}

/** Statuses of an account with a hashtag. */
export function showTagged(c: AppContext, text: string, tag: string) {
  return showProfile(c, text, { tab: 'replies', tagged: normaliseHashtag(tag) })
}

/** Page of an account, for members and for visitors. */
export function showProfile(c: AppContext, text: string, listing: Listing): Promise<Response> {
  const handle = parseHandle(text, c.get('ctx').config.ownDomains)
  if (handle === null) throw new NotFound()
  return showMemberProfile(c, {
    ...listing,
    handle,
    forVisitors: () => showProfileToVisitor(c, handle, listing),
  })
}

/** A local account. Remote accounts have their pages on their own server, which is named. */
async function showProfileToVisitor(c: AppContext, handle: Handle, listing: Listing): Promise<Response> {
  const ctx = c.get('ctx')
  const { config, clock } = ctx
  const { tab, tagged } = listing
  if (handle.domain !== null) return showElsewhere(c, selectByHandle(handle))
  const maxId = parseMaxId(c)
  const isFront = tab === 'posts' && maxId === undefined
  const now = clock.now()
  const { visit, found } = await openPageAs(c, (sessionHash) => {
    const reader =
      sessionHash === null ? anonymousViewer : ownerBySession(sessionHash, idByHandle(handle), now)
    return combineQueries({
      account: loadAccounts(ctx, selectByHandle(handle)),
      statuses: loadStatuses(ctx, reader, listingSelection(reader, handle, listing, { maxId, now })),
      pinned: isFront ? pinnedBy(ctx, reader, handle) : constant(null),
      tags: featuredTagsOf(ctx, idByHandle(handle)),
      imports: importsShownBy(ctx, idByHandle(handle)),
    })
  })
  const account = knownAccount(config, found.account)
  const isOwner = memberOf(visit)?.accountId === Number(account.id)
  // The query has checked this; private statuses must not hang on a single condition.
  const shown = (bundle: StatusBundle) =>
    presentStatuses({ config, now }, bundle).filter((status) => isOwner || isOpenToAll(status))
  const pinned = found.pinned === null ? [] : shown(found.pinned)
  const statuses = shown(found.statuses)
  const url = profileUrl(config.origin, account.username)
  const page = {
    about: { url, activityUri: account.uri, oembedUrl: oembedUrl(config.origin, url) },
    head: {
      profile: visitorsProfile(config, account),
      tags: found.tags.map((tag) => {
        const { name, statuses_count: posts } = presentFeaturedTag(config, tag)
        return { name, posts: Number(posts) }
      }),
      imports: found.imports,
      familiar: { people: [], count: 0 },
    },
    text: previewText(account.note),
    pinned: pinned.map((status) => postView(config, status, null)),
    posts: withoutRepeated(statuses, pinned).map((status) => postView(config, status, null)),
    tab: tagged === null ? tab : null,
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

function listingSelection(
  reader: ViewerRef,
  handle: Handle,
  { tab, tagged }: Listing,
  { maxId, now }: { readonly maxId: number | undefined; readonly now: Date },
) {
  const filter = {
    owner: idByHandle(handle),
    onlyMedia: tab === 'media',
    excludeReplies: tab === 'posts',
    excludeReblogs: true,
    excludeDirect: true,
    tagged,
  }
  return accountSelection(reader, filter, { limit: pageSize, maxId }, now)
}

function pinnedBy(ctx: Ctx, reader: ViewerRef, handle: Handle) {
  return loadStatuses(ctx, reader, pinnedSelection(reader, idByHandle(handle), { limit: mostPins }))
}

/** A pinned status stands first, and not again among the others. */
function withoutRepeated(statuses: readonly Status[], pinned: readonly Status[]): readonly Status[] {
  const ids = new Set(pinned.map(({ id }) => id))
  return statuses.filter(({ id }) => !ids.has(id))
}

function feedsOf({ origin }: Config, { username }: Account, tagged: string | null): FeedAddresses {
  if (tagged === null) return { title: `Posts by @${username}`, ...profileFeedUrls(origin, username) }
  return { title: `Posts by @${username} with #${tagged}`, ...taggedFeedUrls(origin, username, tagged) }
}
