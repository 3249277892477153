import type { Child } from 'hono/jsx'
import type { TrendsLink } from '../../../contract/entities/status'
import type { Tag } from '../../../contract/entities/tag'
import type { Query } from '../../../db/query'
import type { ViewerRef } from '../../../domain/core/viewer'
import { selectTrendingLinks } from '../../../domain/trends/find-links'
import { selectTrendingStatuses } from '../../../domain/trends/find-statuses'
import { selectTrendingTags, type TrendPage } from '../../../domain/trends/find-tags'
import type { AppContext } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadStatuses, withoutHidden } from '../../../view/load/statuses'
import { loadTags } from '../../../view/load/tags'
import { loadTrendingLinks } from '../../../view/load/trending'
import { presentCard } from '../../../view/present/media'
import { presentStatuses } from '../../../view/present/status'
import { presentTag, presentUsage } from '../../../view/present/tag'
import { Empty } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { type MemberFrame, showMemberView } from '../../member-view'
import type { Markup } from '../../page'
import { openedVisit } from '../../page-request'
import { paths } from '../../paths'
import { Feed } from '../../posts/feed'
import { type PostView, postView } from '../../posts/post-view'
import { recentPeople } from '../timelines/follow-tag'
import { TagRows } from '../timelines/tag-rows'
import { nextPageUrl, offsetIn } from './offset'
import { PartPage } from './parts'

/** As many as the API gives an app. */
const pageSize = 20

type ForVisitors = () => Promise<Response>

interface Part<F> {
  readonly read: (ctx: Ctx, as: ViewerRef, page: TrendPage) => Query<F>
  /** The view; `moreUrlOf` is the address of the next page behind so many entries. */
  readonly show: (frame: MemberFrame, found: F, moreUrlOf: (found: number) => string | null) => Markup
}

/** Answers members with a part of the trends, and leads them to people where nothing trends on this server. */
function showPart<F>(c: AppContext, forVisitors: ForVisitors, { read, show }: Part<F>): Promise<Response> {
  const page = { limit: pageSize, offset: offsetIn(c) }
  return showMemberView(c, {
    forVisitors,
    read: (ctx, as) => read(ctx, as, page),
    show: (frame, found) => {
      if (openedVisit(c)?.settings.trends !== true) return c.redirect(paths.suggestions)
      return show(frame, found, (count) => nextPageUrl(c.req.path, { ...page, found: count }))
    },
  })
}

/** Answers members with trending posts. */
export function showTrendingPosts(c: AppContext, forVisitors: ForVisitors): Promise<Response> {
  const { config } = c.get('ctx')
  return showPart(c, forVisitors, {
    read: (ctx, as, page) =>
      loadStatuses(ctx, as, selectTrendingStatuses({ viewer: as, language: null }, page, ctx.clock.now())),
    show: ({ session, now }, bundle, moreUrlOf) => {
      const statuses = presentStatuses({ config, now }, withoutHidden(bundle, 'public'))
      const posts = statuses.map((status) => postView(config, status, session.accountId))
      return <TrendingPostsPage posts={posts} moreUrl={moreUrlOf(bundle.cursors.length)} />
    },
  })
}

/** Answers members with trending hashtags. */
export function showTrendingTags(c: AppContext, forVisitors: ForVisitors): Promise<Response> {
  const { config } = c.get('ctx')
  return showPart(c, forVisitors, {
    read: (ctx, as, page) => loadTags(ctx, as.id, selectTrendingTags(page, ctx.clock.now()), 'kept'),
    show: (_frame, found, moreUrlOf) => {
      const tags = found.map((tag) => presentTag(config, tag, true))
      return <TrendingTagsPage tags={tags} moreUrl={moreUrlOf(tags.length)} />
    },
  })
}

/** Answers members with pages that many posts link to. */
export function showNews(c: AppContext, forVisitors: ForVisitors): Promise<Response> {
  const { config } = c.get('ctx')
  return showPart(c, forVisitors, {
    read: (ctx, as, page) =>
      loadTrendingLinks(ctx, selectTrendingLinks({ viewer: as, language: null }, page, ctx.clock.now())),
    show: ({ session }, found, moreUrlOf) => {
      const links = found.map(({ card, creator, history }) => ({
        ...presentCard(config, { card, creator, viewerId: session.accountId }),
        history: presentUsage(history),
      }))
      return <NewsPage links={links} moreUrl={moreUrlOf(links.length)} />
    },
  })
}

interface PagedProps {
  readonly moreUrl: string | null
}

export interface TrendingPostsPageProps extends PagedProps {
  readonly posts: readonly PostView[]
}

export function TrendingPostsPage({ posts, moreUrl }: TrendingPostsPageProps) {
  const t = useTranslation()
  return (
    <PartPage part="posts">
      {posts.length === 0 ? <NoTrends /> : <Feed label={t('client.posts')} posts={posts} />}
      <More url={moreUrl}>{t('client.morePosts')}</More>
    </PartPage>
  )
}

export interface TrendingTagsPageProps extends PagedProps {
  readonly tags: readonly Tag[]
}

export function TrendingTagsPage({ tags, moreUrl }: TrendingTagsPageProps) {
  const t = useTranslation()
  return (
    <PartPage part="tags">
      {tags.length === 0 ? <NoTrends /> : <TagRows tags={tags} />}
      <More url={moreUrl}>{t('client.moreHashtags')}</More>
    </PartPage>
  )
}

export interface NewsPageProps extends PagedProps {
  readonly links: readonly TrendsLink[]
}

export function NewsPage({ links, moreUrl }: NewsPageProps) {
  const t = useTranslation()
  return (
    <PartPage part="links">
      {links.length === 0 ? <NoTrends /> : <NewsRows links={links} />}
      <More url={moreUrl}>{t('client.moreNews')}</More>
    </PartPage>
  )
}

function NoTrends() {
  const t = useTranslation()
  return (
    <Empty title={t('client.nothingHereYet')}>
      <p>{t('explore.nothingTrendingMoment')}</p>
    </Empty>
  )
}

/** The link to the next page; nothing at the end. */
function More({ url, children }: { readonly url: string | null; readonly children: Child }) {
  if (url === null) return null
  return (
    <p class="pad">
      <a class="button" href={url} rel="next">
        {children}
      </a>
    </p>
  )
}

/** Pages one below the other, each with its picture, its host, and how many people link to it. */
function NewsRows({ links }: { readonly links: readonly TrendsLink[] }) {
  return (
    <ul class="rows line-top">
      {links.map((link) => (
        <li>
          <NewsRow link={link} />
        </li>
      ))}
    </ul>
  )
}

function NewsRow({ link }: { readonly link: TrendsLink }) {
  const t = useTranslation()
  const people = recentPeople(link)
  const host = URL.parse(link.url)?.host ?? link.provider_name
  return (
    <a class="row-link tall" href={link.url} rel="nofollow noopener noreferrer">
      {link.image !== null && (
        <img class="thumb" src={link.image} alt="" width="88" height="64" loading="lazy" />
      )}
      <span class="names">
        <small>
          <span class="ltr">{host}</span>
          {people > 0 && <> · {t('client.personInThePastTwoDays', { count: people })}</>}
        </small>
        <b class="wrap" dir="auto" lang={link.language ?? undefined}>
          {link.title === '' ? host : link.title}
        </b>
      </span>
    </a>
  )
}
