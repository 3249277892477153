import { publicSelection } from '../../../domain/timelines/public'
import { NotFound } from '../../../errors'
import type { AppContext } from '../../../ports/app-env'
import { loadStatuses, withoutHidden } from '../../../view/load/statuses'
import { presentStatuses } from '../../../view/present/status'
import { Empty, Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { showMemberView } from '../../member-view'
import { openedVisit } from '../../page-request'
import { olderPageUrl, parseMaxId } from '../../pagination'
import { Feed, Older } from '../../posts/feed'
import { type PostView, postView } from '../../posts/post-view'
import { Newer, TimelineTabs } from './tabs'

const pageSize = 20

/** Answers members with the public posts of this server or of all. */
export function showPublicTimeline(
  c: AppContext,
  place: 'local' | 'all',
  forVisitors: () => Promise<Response>,
): Promise<Response> {
  const { config } = c.get('ctx')
  const maxId = parseMaxId(c)
  const filter = { local: place === 'local', remote: false, onlyMedia: false }
  return showMemberView(c, {
    forVisitors,
    read: (ctx, as) =>
      loadStatuses(ctx, as, publicSelection(as, filter, { limit: pageSize, maxId }, ctx.clock.now())),
    show: (frame, bundle) => {
      if (openedVisit(c)?.site.places.includes(place) !== true) throw new NotFound()
      const statuses = presentStatuses({ config, now: frame.now }, withoutHidden(bundle, 'public'))
      return (
        <PublicTimelinePage
          place={place}
          posts={statuses.map((status) => postView(config, status, frame.session.accountId))}
          newestUrl={maxId === undefined ? null : c.req.path}
          olderUrl={olderPageUrl(c, bundle, pageSize)}
        />
      )
    },
  })
}

export interface PublicTimelinePageProps {
  readonly place: 'local' | 'all'
  readonly posts: readonly PostView[]
  readonly newestUrl: string | null
  readonly olderUrl: string | null
}

export function PublicTimelinePage(props: PublicTimelinePageProps) {
  const { place, posts, newestUrl, olderUrl } = props
  const t = useTranslation()
  const title = place === 'local' ? t('client.local') : t('client.federated')
  return (
    <Shell title={title} place="home" isPrivate>
      <ViewHead title={title} tabs={<TimelineTabs current={place} />}>
        {newestUrl !== null && <Newer url={newestUrl} count={0} />}
      </ViewHead>
      {posts.length === 0 ? (
        <Empty title={t('client.nothingHereYet')}>
          <p>{t('client.publicPostsAppearHere')}</p>
        </Empty>
      ) : (
        <Feed label={title} posts={posts} />
      )}
      <Older url={olderUrl} />
    </Shell>
  )
}
