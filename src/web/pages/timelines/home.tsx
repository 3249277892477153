import { Hono } from 'hono'
import { combineQueries } from '../../../db/query'
import { findMarkers } from '../../../domain/markers/update'
import { countNewerEntries, homeSelection } from '../../../domain/timelines/home'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import { loadStatuses } from '../../../view/load/statuses'
import { withoutHidden } from '../../../view/present/filter'
import { presentStatuses } from '../../../view/present/status'
import { Icon } from '../../components/icon'
import { Empty, Shell, Tabs, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { type MemberFrame, showMemberView } from '../../member-view'
import { readMaxId } from '../../pagination'
import { paths } from '../../paths'
import { Feed, Older } from '../../posts/feed'
import { type PostView, postView } from '../../posts/post-view'
import { WaitingPage } from '../you/waiting'

const pageSize = 20

/** Home of a member: the posts of people they follow, from where they stopped reading. */
export function homeRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.home, showHome)
  return app
}

async function showHome(c: AppContext): Promise<Response> {
  const { config } = c.get('ctx')
  const [maxId, minId] = [readMaxId(c.req.query('max_id') ?? ''), readMaxId(c.req.query('min_id') ?? '')]
  return showMemberView(c, {
    read: (ctx, as) =>
      combineQueries({
        bundle: loadStatuses(ctx, as, homeSelection(as, { limit: pageSize, maxId, minId }, ctx.clock.now())),
        markers: findMarkers(ctx, as, ['home']),
        newer: countNewerEntries(ctx, as, minId ?? null),
      }),
    showWaiting: (frame) => <WaitingPage {...frame} answersByMail={c.get('ctx').mailer !== null} />,
    show: (frame, { bundle, markers, newer }) => {
      const { cursors } = bundle
      const shown = presentStatuses({ config, now: frame.now }, withoutHidden(bundle, 'home'))
      const oldest = cursors.at(-1)
      return (
        <HomePage
          {...frame}
          posts={shown.map((status) => postView(config, status, frame.session.accountId))}
          readUntil={markers[0]?.lastReadId ?? null}
          newer={newer}
          newestUrl={maxId === undefined && minId === undefined ? null : paths.home}
          olderUrl={
            oldest === undefined || cursors.length < pageSize ? null : `${paths.home}?max_id=${oldest}`
          }
        />
      )
    },
  })
}

export interface HomePageProps extends MemberFrame {
  readonly posts: readonly PostView[]
  /** Id of the newest entry that was read; null where none is known. */
  readonly readUntil: number | null
  /** Entries above the page. */
  readonly newer: number
  readonly newestUrl: string | null
  readonly olderUrl: string | null
}

export function HomePage(props: HomePageProps) {
  const { posts, readUntil, newer, newestUrl, olderUrl } = props
  const t = useTranslation()
  const isRead = ({ entryId }: PostView) => readUntil !== null && Number(entryId) <= readUntil
  const marker = { timeline: 'home', readUntil } as const
  const divider = posts.findIndex(
    (post, index) => index > 0 && isRead(post) && !isRead(posts[index - 1] ?? post),
  )
  return (
    <Shell {...props} title={t('client.home')} place="home" isPrivate>
      <ViewHead
        title={t('client.home')}
        tabs={
          <Tabs
            label={t('client.timelines')}
            tabs={[
              { href: paths.home, label: t('client.home'), isCurrent: true },
              { href: paths.posts, label: t('client.local'), isCurrent: false },
              { href: paths.allPosts, label: t('client.federated'), isCurrent: false },
            ]}
          />
        }
      >
        {newestUrl !== null && (
          <a class="newer" href={newestUrl}>
            <span>
              <Icon name="arrow-up" isSmall />
              {newer > 0 ? t('client.countNumberNew', { count: newer }) : t('client.newest')}
            </span>
          </a>
        )}
      </ViewHead>
      {posts.length === 0 ? (
        <Empty title={t('client.nothingHereYet')}>
          <p>{t('client.postsByPeopleYouFollowAppear')}</p>
          <a class="button main" href={paths.explore}>
            {t('client.findPeople')}
          </a>
        </Empty>
      ) : (
        <Feed
          label={t('client.homeTimeline')}
          posts={posts}
          divider={{ index: divider, line: <ReadUntilHere /> }}
          {...(newestUrl === null ? { live: { stream: { stream: 'user' }, path: paths.home, marker } } : {})}
        />
      )}
      <Older url={olderUrl} />
    </Shell>
  )
}

function ReadUntilHere() {
  const t = useTranslation()
  return (
    <p class="seen">
      <Icon name="check" isSmall />
      {t('client.youHadReadUntilHere')}
    </p>
  )
}
