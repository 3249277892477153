import { Hono } from 'hono'
import { assertQuotaForAnonymous } from '../../domain/usage/store'
import { NotFound } from '../../errors'
import type { AppContext, AppEnv } from '../../ports/app-env'
import { ExploreTabs } from '../components/explore-tabs'
import { VisitorView } from '../components/layout'
import { PageLinks, type PageLinksProps } from '../components/page-links'
import { Empty } from '../components/shell'
import { readSecretCookie } from '../cookies'
import { useTranslation } from '../i18n/context'
import { showPublicPage } from '../page'
import { usePage } from '../page-context'
import { memberOf, openPageWith } from '../page-request'
import { olderPageUrl, parseMaxId } from '../pagination'
import { paths } from '../paths'
import { Feed } from '../posts/feed'
import type { PostView } from '../posts/post-view'
import { publicPosts } from '../public-content'
import { toSignIn } from '../return-to'
import { showPublicTimeline } from './timelines/public'

const pageSize = 20

/** The public posts of this server, and of all that it knows. */
export function postsRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  for (const [path, place] of [
    [paths.posts, 'local'],
    [paths.allPosts, 'all'],
  ] as const)
    app.get(path, (c) => showPublicTimeline(c, place, () => showPosts(c, place)))
  return app
}

async function showPosts(c: AppContext, place: 'local' | 'all') {
  const ctx = c.get('ctx')
  const isLocal = place === 'local'
  // Remote posts are copies for members: visitors who page through them get none near the end of a quota.
  if (!isLocal && (await readSecretCookie(c, 'session')) === null) assertQuotaForAnonymous(ctx)
  const maxId = parseMaxId(c)
  const posts = publicPosts(ctx, { local: isLocal, page: { limit: pageSize, maxId } })
  const { visit, found } = await openPageWith(c, posts)
  // Visitors may be members after they sign in; for members the page does not exist.
  if (!visit.site.places.includes(place)) {
    if (memberOf(visit) !== null) throw new NotFound()
    return toSignIn(c)
  }
  const page = {
    place,
    posts: found.posts,
    newestUrl: maxId === undefined ? null : c.req.path,
    olderUrl: olderPageUrl(c, found, pageSize),
  }
  return showPublicPage(c, visit, <PostsPage {...page} />)
}

export interface PostsPageProps extends PageLinksProps {
  readonly place: 'local' | 'all'
  readonly posts: readonly PostView[]
}

/** Public posts. Excluded from search engines, as not every author wants to be there. */
export function PostsPage(props: PostsPageProps) {
  const { place, posts, newestUrl, olderUrl } = props
  const t = useTranslation()
  const { site } = usePage()
  const heading =
    place === 'local'
      ? t('posts.postsFromSite', { site: site.title })
      : t('posts.postsFromAllServers', { site: site.title })
  return (
    <VisitorView
      title={t('field.posts')}
      heading={heading}
      place={place === 'local' ? 'local' : 'explore'}
      isPrivate
    >
      <ExploreTabs current={place} />
      {posts.length === 0 ? (
        <Empty title={t('common.nothingHereYet')} />
      ) : (
        <Feed label={heading} posts={posts} />
      )}
      <PageLinks newestUrl={newestUrl} olderUrl={olderUrl} />
    </VisitorView>
  )
}
