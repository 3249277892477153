import { Hono } from 'hono'
import { allowsAnonymousReads } from '../../config'
import { tagFeedUrls, tagUrl } from '../../contract/addresses'
import { isValidHashtag, readHashtag } from '../../contract/text/hashtag'
import { combineQueries } from '../../db/query'
import { anonymousViewer } from '../../domain/core/viewer'
import { type FeedAccess, tagFeedAccess, visibleScopes } from '../../domain/timelines/public'
import { tagSelection } from '../../domain/timelines/tag'
import { assertQuotaForAnonymous } from '../../domain/usage/store'
import { NotFound } from '../../errors'
import type { AppContext, AppEnv } from '../../ports/app-env'
import { loadStatuses } from '../../view/load/statuses'
import { presentStatuses } from '../../view/present/status'
import { defaultThumbnailUrl } from '../../view/urls'
import { VisitorView } from '../components/layout'
import { type FeedAddresses, FeedLinks, PageLinks, type PageLinksProps } from '../components/page-links'
import { Empty } from '../components/shell'
import { readSecretCookie } from '../cookies'
import { wantsJson } from '../error-response'
import { useTranslation } from '../i18n/context'
import { showPublicPage } from '../page'
import { usePage } from '../page-context'
import { memberOf, openPageWith } from '../page-request'
import { olderPageUrl, parseMaxId } from '../pagination'
import { paths } from '../paths'
import { Feed } from '../posts/feed'
import { type PostView, postView } from '../posts/post-view'
import { toSignIn } from '../return-to'
import { onlyTag } from '../tag-filter'
import { act } from './timelines/acts'
import { actOnTag, showTagTimeline } from './timelines/tag'

const pageSize = 20

/** Pages of hashtags. A hashtag has one whether it is used or not. */
export function tagRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(`${paths.tags}/:name`, (c) => {
    const name = c.req.param('name')
    return showTagTimeline(c, name, () => showTag(c, name))
  })
  app.post(`${paths.tags}/:name`, (c) =>
    act(c, (ctx, viewer, form) => actOnTag(ctx, viewer, c.req.param('name'), form)),
  )
  return app
}

async function showTag(c: AppContext, asked: string) {
  const ctx = c.get('ctx')
  const { config, clock } = ctx
  const name = readHashtag(asked)
  if (name === null || wantsJson(c)) throw new NotFound()
  if ((await readSecretCookie(c, 'session')) === null) assertQuotaForAnonymous(ctx)
  const now = clock.now()
  const maxId = parseMaxId(c)
  const selection = tagSelection(anonymousViewer, onlyTag(name), { limit: pageSize, maxId }, now)
  const { visit, found } = await openPageWith(
    c,
    combineQueries({ access: tagFeedAccess(ctx), bundle: loadStatuses(ctx, anonymousViewer, selection) }),
  )
  const member = memberOf(visit)
  const shown = visibleScopes(found.access, member)
  if (member === null && (!allowsAnonymousReads(config) || !(shown.local || shown.remote))) return toSignIn(c)
  const { bundle } = found
  const ids = bundle.ids.filter((id) => (bundle.statuses.get(id)?.status.local ? shown.local : shown.remote))
  const statuses = presentStatuses({ config, now }, { ...bundle, ids })
  const page = {
    imageUrl: defaultThumbnailUrl(config),
    name: isValidHashtag(asked) ? asked : name,
    url: tagUrl(config.origin, name),
    posts: statuses.map((status) => postView(config, status, null)),
    feeds:
      allowsAnonymousReads(config) && isPublic(found.access)
        ? { title: `#${name}`, ...tagFeedUrls(config.origin, name) }
        : null,
    newestUrl: maxId === undefined ? null : c.req.path,
    olderUrl: olderPageUrl(c, bundle, pageSize),
  }
  return showPublicPage(c, visit, <TagPage {...page} />)
}

/** Whether visitors find any posts by hashtag. */
function isPublic(access: FeedAccess): boolean {
  const { local, remote } = visibleScopes(access, null)
  return local || remote
}

export interface TagPageProps extends PageLinksProps {
  /** As the request spells it. */
  readonly name: string
  readonly url: string
  readonly posts: readonly PostView[]
  readonly feeds: FeedAddresses | null
  readonly imageUrl: string
}

/** Public posts with a hashtag. Excluded from search engines, as not every author wants to be there. */
export function TagPage(props: TagPageProps) {
  const { name, url, posts, feeds, newestUrl, olderUrl } = props
  const t = useTranslation()
  const { site } = usePage()
  const title = `#${name}`
  const preview = {
    url,
    imageUrl: props.imageUrl,
    description: t('tag.postsTagSite', { tag: title, site: site.title }),
  }
  return (
    <VisitorView
      title={title}
      heading={<bdi>{title}</bdi>}
      line={newestUrl === null ? t('tag.publicPostsHashtagFollow') : t('tag.olderPublicPostsHashtag')}
      preview={preview}
      feeds={feeds}
      canonicalUrl={url}
      isPrivate
    >
      {posts.length === 0 ? (
        <Empty title={t('common.nothingHereYet')} />
      ) : (
        <Feed label={title} posts={posts} />
      )}
      <PageLinks newestUrl={newestUrl} olderUrl={olderUrl} />
      {feeds !== null && <FeedLinks feeds={feeds} />}
    </VisitorView>
  )
}
