import { Hono } from 'hono'
import { combineQueries } from '../../db/query'
import { liveFeedAccess } from '../../domain/timelines/access'
import { NotFound } from '../../errors'
import type { AppContext, AppEnv } from '../../platform/app-env'
import { Layout } from '../components/layout'
import { PageLinks, type PageLinksProps } from '../components/page-links'
import { StatusCard } from '../components/status-card'
import { showPublicPage } from '../page'
import { memberOf, openPageWith } from '../page-request'
import { olderPageUrl, parseMaxId } from '../pagination'
import { paths } from '../paths'
import { localPosts, mayReadPosts } from '../public-content'
import { toSignIn } from '../return-to'
import type { PageProps } from '../site'
import type { StatusView } from '../status-view-model'

const pageSize = 20

/** The public posts of this server, for visitors who look around. */
export function postsRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.posts, showPosts)
  return app
}

async function showPosts(c: AppContext) {
  const ctx = c.get('ctx')
  const maxId = parseMaxId(c)
  const posts = localPosts(ctx, { limit: pageSize, maxId })
  const { visit, found } = await openPageWith(c, combineQueries({ access: liveFeedAccess(ctx), posts }))
  // Visitors may be members after they sign in; for members the page does not exist.
  if (!mayReadPosts(c, visit, found.access)) {
    if (memberOf(visit) !== null) throw new NotFound()
    return toSignIn(c)
  }
  const page = {
    site: visit.site,
    viewer: visit.viewer,
    statuses: found.posts.statuses,
    newestUrl: maxId === undefined ? null : paths.posts,
    olderUrl: olderPageUrl(c, found.posts, pageSize),
  }
  return showPublicPage(c, visit, <PostsPage {...page} />)
}

export interface PostsPageProps extends PageProps, PageLinksProps {
  readonly statuses: readonly StatusView[]
}

/** Public posts of local accounts. Kept out of search engines, as not every author wants to be there. */
export function PostsPage({ site, viewer, statuses, newestUrl, olderUrl }: PostsPageProps) {
  return (
    <Layout site={site} viewer={viewer} title="Posts" width="text" isPrivate>
      <section class="status-list" aria-labelledby="posts">
        <h1 id="posts">Posts from {site.title}</h1>
        <p class="lead">
          {newestUrl === null ? 'What people here post for everybody.' : 'What people here posted earlier.'}
        </p>
        {statuses.length === 0 && <p class="muted">Nothing here yet.</p>}
        {statuses.map((status) => (
          <StatusCard status={status} />
        ))}
      </section>
      <PageLinks newestUrl={newestUrl} olderUrl={olderUrl} />
    </Layout>
  )
}
