import type { Handle } from '../../../contract/handle'
import { combineQueries, constant, execute } from '../../../db/query'
import { idByHandle, selectById } from '../../../domain/accounts/find'
import type { Page } from '../../../domain/core/page'
import type { ViewerRef } from '../../../domain/core/viewer'
import { accountSelection, pinnedSelection } from '../../../domain/timelines/account'
import { NotFound } from '../../../errors'
import type { AppContext } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import type { AccountBundle } from '../../../view/load/accounts'
import { loadAccounts } from '../../../view/load/accounts'
import { loadStatuses, type StatusBundle, withoutHidden } from '../../../view/load/statuses'
import { presentOnlyAccount } from '../../../view/present/account'
import { presentStatuses } from '../../../view/present/status'
import type { AboutLinks } from '../../components/head'
import { Icon } from '../../components/icon'
import { Empty, Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { showMemberView } from '../../member-view'
import { lastCursor, pageBehind, readMaxId } from '../../pagination'
import { paths } from '../../paths'
import { ProfileHead, type ProfileHeadProps } from '../../people/profile-head'
import { MemberTabs } from '../../people/profile-tabs'
import { Feed, Older } from '../../posts/feed'
import { type PostView, personPath, postView } from '../../posts/post-view'
import type { ProfileTab } from '../profile/tabs'
import { loadProfile, profileHeadOf } from './load-profile'

const pageSize = 20
const mostPins = 5

/** List of posts that a profile shows. */
interface Listing {
  readonly tab: ProfileTab
  /** A normalised hashtag that they all carry. */
  readonly tagged: string | null
}

interface ProfileRequest extends Listing {
  readonly handle: Handle
  readonly forVisitors: () => Promise<Response>
}

function isSuspended({ config }: Ctx, account: AccountBundle): boolean {
  return account.ids.length > 0 && presentOnlyAccount(config, account).suspended === true
}

/** The profile of an account of any server, as members see it. */
export function showMemberProfile(c: AppContext, request: ProfileRequest): Promise<Response> {
  const { handle, tab, tagged, forVisitors } = request
  const [maxId, minId] = [readMaxId(c.req.query('max_id') ?? ''), readMaxId(c.req.query('min_id') ?? '')]
  const isContinued = maxId !== undefined || minId !== undefined
  const isFront = tab === 'posts' && !isContinued
  return showMemberView(c, {
    forVisitors,
    read: (ctx, as) =>
      combineQueries({
        head: loadProfile(ctx, as, { handle, isFront }),
        pinned: isFront ? pinnedBy(ctx, as, handle) : constant(null),
        statuses: postsBy(ctx, as, request, { limit: pageSize, maxId, minId }),
      }),
    statusOf: ({ head: { account } }) => (isSuspended(c.get('ctx'), account) ? 410 : 200),
    show: async (frame, { head: found, pinned, statuses }) => {
      const ctx = c.get('ctx')
      const { config } = ctx
      if (found.account.ids.length === 0) return redirectToResolved(c, handle)
      // Before the newest posts there is but the front of the list.
      const isShort = statuses.cursors.length < pageSize && !statuses.endsEarly
      if (minId !== undefined && isShort) return c.redirect(c.req.path, 303)
      const readerId = frame.session.accountId
      const head = await profileHeadOf(ctx, found, {
        readerId,
        showsLimited: c.req.query('limited') === 'show' || isContinued,
      })
      const isShown = head.profile.hiding === null
      const views = (bundle: StatusBundle | null) =>
        bundle === null || !isShown
          ? []
          : presentStatuses({ config, now: frame.now }, withoutHidden(bundle, 'account')).map((status) =>
              postView(config, status, readerId),
            )
      const pins = views(pinned)
      const first = statuses.cursors[0]
      const { url, uri } = presentOnlyAccount(config, found.account)
      return (
        <MemberProfilePage
          about={{ url: url ?? uri, activityUri: uri }}
          head={head}
          tab={tagged === null ? tab : null}
          tagged={tagged}
          pinned={pins}
          posts={views(statuses).filter(({ entryId }) => pins.every((pin) => pin.entryId !== entryId))}
          newerUrl={isContinued ? `${c.req.path}${first === undefined ? '' : `?min_id=${first}`}` : null}
          olderUrl={isShown ? pageBehind(c.req.path, lastCursor(statuses, pageSize)) : null}
        />
      )
    },
  })
}

/** Posts of the account that the member may see, with its boosts; those with media alone, or with a hashtag. */
function postsBy(ctx: Ctx, as: ViewerRef, { handle, tab, tagged }: ProfileRequest, page: Page) {
  const filter = {
    owner: idByHandle(handle),
    onlyMedia: tab === 'media',
    excludeReplies: tab === 'posts',
    excludeReblogs: tagged !== null,
    excludeDirect: true,
    tagged,
  }
  return loadStatuses(ctx, as, accountSelection(as, filter, page, ctx.clock.now()))
}

function pinnedBy(ctx: Ctx, as: ViewerRef, handle: Handle) {
  return loadStatuses(ctx, as, pinnedSelection(as, idByHandle(handle), { limit: mostPins }))
}

export interface MemberProfilePageProps {
  readonly about: AboutLinks
  readonly head: ProfileHeadProps
  /** The list shown; null for that of a hashtag. */
  readonly tab: ProfileTab | null
  /** The hashtag they all carry, where that was asked for. */
  readonly tagged: string | null
  readonly pinned: readonly PostView[]
  readonly posts: readonly PostView[]
  /** Page of newer posts; null on the first. */
  readonly newerUrl: string | null
  readonly olderUrl: string | null
}

export function MemberProfilePage(props: MemberProfilePageProps) {
  const { head, tab, tagged, pinned, posts, newerUrl, olderUrl } = props
  const { profile } = head
  const t = useTranslation()
  const title = `${profile.name} (@${profile.acct})`
  const label = tagged === null ? t('client.person.postsByName', { name: profile.name }) : `#${tagged}`
  return (
    <Shell about={props.about} title={title} place={profile.isOwn ? 'profile' : null} isPrivate>
      <ViewHead
        title={profile.name}
        line={t('client.person.postsInWords', { count: profile.counts.posts })}
        back={paths.home}
      >
        {newerUrl !== null && (
          <a class="newer" href={newerUrl}>
            <span>
              <Icon name="arrow-up" isSmall />
              {t('client.person.newer')}
            </span>
          </a>
        )}
      </ViewHead>
      <ProfileHead {...head} />
      {profile.hiding === null && (
        <>
          <MemberTabs path={profile.path} current={tab} />
          {tagged !== null && <h3 class="pad">{t('profile.postsWithTag', { tag: `#${tagged}` })}</h3>}
          {posts.length + pinned.length === 0 ? (
            <Empty title={t('client.nothingHereYet')}>
              <p>{t('client.person.postsAppearHere')}</p>
            </Empty>
          ) : (
            <Feed label={label} posts={posts} pinned={pinned} />
          )}
        </>
      )}
      <Older url={olderUrl} />
    </Shell>
  )
}

/** Looks an unknown account up on its own server, for a member, and redirects to its page. `NotFound` if there is none. */
async function redirectToResolved(c: AppContext, { username, domain }: Handle): Promise<Response> {
  const ctx = c.get('ctx')
  if (domain === null) throw new NotFound()
  const id = await ctx.resolver.accountByHandle({ username, domain })
  if (id === null) throw new NotFound()
  const { acct } = presentOnlyAccount(ctx.config, await execute(ctx.db, loadAccounts(ctx, selectById(id))))
  return c.redirect(personPath(acct), 303)
}
