import { Hono } from 'hono'
import { combineQueries } from '../../../db/query'
import { chosenHomeSelection } from '../../../domain/timelines/home'
import { publicSelection } from '../../../domain/timelines/public'
import { homeChoices } from '../../../domain/users/preferences'
import { NotFound } from '../../../errors'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import { loadStatuses, withoutHidden } from '../../../view/load/statuses'
import { presentStatuses } from '../../../view/present/status'
import { Empty, Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { showMemberView } from '../../member-view'
import { openedVisit } from '../../page-request'
import { readMaxId } from '../../pagination'
import { paths } from '../../paths'
import { Feed, Older } from '../../posts/feed'
import { type PostView, postView } from '../../posts/post-view'
import { Newer } from './tabs'

const pageSize = 20

/** Posts of people that a member follows and public ones of this server, in one. */
export function homeAndLocalRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.homeAndLocal, showBoth)
  return app
}

const localAlone = { local: true, remote: false, onlyMedia: false }

function showBoth(c: AppContext): Promise<Response> {
  const { config } = c.get('ctx')
  const [maxId, minId] = [readMaxId(c.req.query('max_id') ?? ''), readMaxId(c.req.query('min_id') ?? '')]
  const page = { limit: pageSize, maxId, minId }
  return showMemberView(c, {
    read: (ctx, as) =>
      combineQueries({
        home: loadStatuses(ctx, as, chosenHomeSelection(as, page, ctx.clock.now())),
        local: loadStatuses(ctx, as, publicSelection(as, localAlone, page, ctx.clock.now())),
        choices: homeChoices(ctx, as),
      }),
    show: (frame, { home, local, choices }) => {
      if (openedVisit(c)?.site.places.includes('local') !== true) throw new NotFound()
      const present = (bundle: typeof home, place: 'home' | 'public') =>
        presentStatuses({ config, now: frame.now }, withoutHidden(bundle, place)).map((status) =>
          postView(config, status, frame.session.accountId),
        )
      const cursors = entriesOf([...home.cursors, ...local.cursors], minId)
      const last = cursors.at(-1)
      const posts = mergePosts([...present(home, 'home'), ...present(local, 'public')], cursors)
      return (
        <HomeAndLocalPage
          posts={posts}
          newestUrl={maxId === undefined && minId === undefined ? null : paths.homeAndLocal}
          without={choices.without}
          olderUrl={
            last === undefined || cursors.length < pageSize ? null : `${paths.homeAndLocal}?max_id=${last}`
          }
        />
      )
    },
  })
}

/** Ids of the entries of a page, newest first: the newest, or those next above `minId`. */
function entriesOf(ids: readonly number[], minId: number | undefined): readonly number[] {
  const all = [...new Set(ids)].toSorted((one, other) => other - one)
  return minId === undefined ? all.slice(0, pageSize) : all.slice(-pageSize)
}

/** Posts of two timelines in one, newest first and each once: those of these entries. */
function mergePosts(posts: readonly PostView[], entries: readonly number[]): readonly PostView[] {
  const byEntry = new Map(posts.map((post) => [Number(post.entryId), post]))
  return [...byEntry]
    .filter(([id]) => entries.includes(id))
    .toSorted(([one], [other]) => other - one)
    .map(([, post]) => post)
}

export interface HomeAndLocalPageProps {
  readonly posts: readonly PostView[]
  readonly newestUrl: string | null
  readonly olderUrl: string | null
  /** Kinds of entries that the member leaves out of home. */
  readonly without: readonly string[]
}

export function HomeAndLocalPage({ posts, newestUrl, olderUrl, without }: HomeAndLocalPageProps) {
  const t = useTranslation()
  const title = t('client.columns.homeAndLocal')
  return (
    <Shell title={title} place="home" isPrivate>
      <ViewHead title={title} back={paths.home}>
        {newestUrl !== null && <Newer url={newestUrl} count={0} />}
      </ViewHead>
      {posts.length === 0 && (
        <Empty title={t('client.nothingHereYet')}>
          <p>{t('client.publicPostsAppearHere')}</p>
        </Empty>
      )}
      <Feed
        label={title}
        posts={posts}
        {...(newestUrl === null
          ? {
              live: {
                streams: [{ stream: 'user' }, { stream: 'public:local' }],
                path: paths.homeAndLocal,
                without,
              },
            }
          : {})}
      />
      <Older url={olderUrl} />
    </Shell>
  )
}
