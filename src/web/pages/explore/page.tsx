import { Hono } from 'hono'
import { combineQueries } from '../../../db/query'
import { anonymousViewer } from '../../../domain/core/viewer'
import { selectTrendingLinks } from '../../../domain/trends/find-links'
import { selectTrendingStatuses } from '../../../domain/trends/find-statuses'
import { selectTrendingTags } from '../../../domain/trends/find-tags'
import { NotFound } from '../../../errors'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadStatuses } from '../../../view/load/statuses'
import { loadTags } from '../../../view/load/tags'
import { loadTrendingLinks } from '../../../view/load/trending'
import { presentCard } from '../../../view/present/media'
import { presentStatuses } from '../../../view/present/status'
import { presentTag } from '../../../view/present/tag'
import { ExploreTabs } from '../../components/explore-tabs'
import { VisitorView } from '../../components/layout'
import { Empty } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { visitorOf } from '../../i18n/reader'
import { showPublicPage } from '../../page'
import { usePage } from '../../page-context'
import { mayBrowse, memberOf, openPageWith } from '../../page-request'
import { paths } from '../../paths'
import { Feed } from '../../posts/feed'
import { LinkPreview } from '../../posts/link-preview'
import { type PostView, postView } from '../../posts/post-view'
import { toSignIn } from '../../return-to'
import { cardView } from '../../status-view'
import type { CardView } from '../../status-view-model'
import { showSuggestions } from './people'
import { showNews, showTrendingPosts, showTrendingTags } from './trends'

const shown = { statuses: 10, tags: 12, links: 6 } as const
/** Days whose uses of a hashtag count as recent. */
const recentDays = 2

/** Trends of this server and those it knows, on one page for visitors, and in parts for members. */
export function exploreRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const toVisitorsPage = (c: AppContext) => async () => c.redirect(paths.explore)
  app.get(paths.explore, (c) => showTrendingPosts(c, () => showExplore(c)))
  app.get(paths.exploreTags, (c) => showTrendingTags(c, toVisitorsPage(c)))
  app.get(paths.exploreLinks, (c) => showNews(c, toVisitorsPage(c)))
  app.get(paths.suggestions, showSuggestions)
  return app
}

async function showExplore(c: AppContext) {
  const ctx = c.get('ctx')
  const { visit, found } = await openPageWith(c, findTrends(ctx, visitorOf(c.req.raw).language))
  if (!visit.settings.trends) throw new NotFound()
  if (!mayBrowse(ctx.config, memberOf(visit))) return toSignIn(c)
  const { config, clock } = ctx
  const { statuses, tags, links } = found
  const page = {
    posts: presentStatuses({ config, now: clock.now() }, statuses).map((one) => postView(config, one, null)),
    tags: tags.map((tag) => {
      const { name, url, history } = presentTag(config, tag, false)
      const uses = history.slice(0, recentDays).reduce((sum, day) => sum + Number(day.accounts), 0)
      return { name, url, people: uses }
    }),
    links: links.map(({ card, creator }) => cardView(presentCard(config, { card, creator, viewerId: null }))),
  }
  return showPublicPage(c, visit, <ExplorePage {...page} />)
}

/** Trends as visitors see them, those in the language of the page first. */
function findTrends(ctx: Ctx, language: string) {
  const now = ctx.clock.now()
  const reader = { viewer: anonymousViewer, language }
  const pageOf = (limit: number) => ({ limit, offset: 0 })
  return combineQueries({
    statuses: loadStatuses(ctx, anonymousViewer, selectTrendingStatuses(reader, pageOf(shown.statuses), now)),
    tags: loadTags(ctx, anonymousViewer.id, selectTrendingTags(pageOf(shown.tags), now), 'kept'),
    links: loadTrendingLinks(ctx, selectTrendingLinks(reader, pageOf(shown.links), now)),
  })
}

export interface ExplorePageProps {
  readonly posts: readonly PostView[]
  readonly tags: readonly { readonly name: string; readonly url: string; readonly people: number }[]
  readonly links: readonly CardView[]
}

/** Trends. Excluded from search engines, as not every author wants to be there. */
export function ExplorePage(props: ExplorePageProps) {
  const { posts, tags, links } = props
  const t = useTranslation()
  const { site } = usePage()
  return (
    <VisitorView
      title={t('common.explore')}
      heading={t('explore.exploreSite', { site: site.title })}
      place="explore"
      isPrivate
    >
      <ExploreTabs current="trends" />
      {posts.length + tags.length + links.length === 0 && (
        <Empty title={t('explore.nothingTrendingMoment')} />
      )}
      <TrendingTags tags={tags} />
      {links.length > 0 && (
        <section aria-labelledby="links">
          <div class="section-head">
            <h2 id="links">{t('explore.links')}</h2>
          </div>
          <ul class="rows">
            {links.map((card) => (
              <li class="pad">
                <LinkPreview card={{ ...card, author: null }} isSensitive={false} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {posts.length > 0 && (
        <section aria-labelledby="posts">
          <div class="section-head">
            <h2 id="posts">{t('field.posts')}</h2>
          </div>
          <Feed label={t('field.posts')} posts={posts} />
        </section>
      )}
    </VisitorView>
  )
}

function TrendingTags({ tags }: Pick<ExplorePageProps, 'tags'>) {
  const t = useTranslation()
  if (tags.length === 0) return null
  return (
    <section aria-labelledby="tags">
      <div class="section-head">
        <h2 id="tags">{t('common.hashtags')}</h2>
      </div>
      <ul class="chips pad">
        {tags.map(({ name, url, people }) => (
          <li>
            <a class="chip" href={url}>
              <bdi>#{name}</bdi> <span class="quiet small">{t('common.people2', { count: people })}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
