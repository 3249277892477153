import { Hono } from 'hono'
import type { BoundedSelection } from '../../../db/query'
import type { Page } from '../../../domain/core/page'
import type { ViewerRef } from '../../../domain/core/viewer'
import { bookmarksSelection, favouritesSelection } from '../../../domain/timelines/home'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import { loadStatuses } from '../../../view/load/statuses'
import { presentStatuses } from '../../../view/present/status'
import { Empty, Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { showMemberView } from '../../member-view'
import { olderPageUrl, parseMaxId } from '../../pagination'
import { paths } from '../../paths'
import { Feed, Older } from '../../posts/feed'
import { type PostView, postView } from '../../posts/post-view'

type Kind = 'bookmarks' | 'favourites'

const selections: Readonly<Record<Kind, (as: ViewerRef, page: Page) => BoundedSelection>> = {
  bookmarks: bookmarksSelection,
  favourites: favouritesSelection,
}

const pageSize = 20

/** Posts that a member bookmarked or favourited, the latest mark first. */
export function keptRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.bookmarks, (c) => showKept(c, 'bookmarks'))
  app.get(paths.favourites, (c) => showKept(c, 'favourites'))
  return app
}

function showKept(c: AppContext, kind: Kind): Promise<Response> {
  const { config } = c.get('ctx')
  const maxId = parseMaxId(c)
  return showMemberView(c, {
    read: (ctx, as) => loadStatuses(ctx, as, selections[kind](as, { limit: pageSize, maxId })),
    show: (frame, bundle) => {
      const statuses = presentStatuses({ config, now: frame.now }, bundle)
      const posts = statuses.map((status) => postView(config, status, frame.session.accountId))
      return <KeptPage kind={kind} posts={posts} olderUrl={olderPageUrl(c, bundle, pageSize)} />
    },
  })
}

export interface KeptPageProps {
  readonly kind: Kind
  readonly posts: readonly PostView[]
  readonly olderUrl: string | null
}

export function KeptPage(props: KeptPageProps) {
  const { kind, posts, olderUrl } = props
  const t = useTranslation()
  const words =
    kind === 'bookmarks'
      ? {
          title: t('client.bookmarks'),
          line: t('client.onlyYouSeeThese'),
          empty: t('client.postsYouBookmarkAppearHere'),
        }
      : {
          title: t('client.favourites'),
          line: t('client.theirAuthorsKnowAboutThese'),
          empty: t('client.postsYouFavouriteAppearHere'),
        }
  return (
    <Shell title={words.title} place={kind} isPrivate>
      <ViewHead title={words.title} line={words.line} />
      {posts.length === 0 ? (
        <Empty title={t('client.nothingHereYet')}>
          <p>{words.empty}</p>
        </Empty>
      ) : (
        <Feed label={words.title} posts={posts} />
      )}
      <Older url={olderUrl} />
    </Shell>
  )
}
