import * as z from 'zod'
import { combineQueries, execute } from '../../../db/query'
import {
  reviewable,
  reviewTargetByKey,
  type Trending,
  trendingLinks,
  trendingStatuses,
  trendingTags,
} from '../../../domain/trends/find-review'
import { reviewTrend } from '../../../domain/trends/review'
import { NotFound } from '../../../errors'
import { htmlToText } from '../../../lib/html'
import type { TextKey } from '../../../lib/translate'
import type { Ctx } from '../../../ports/ctx'
import { Panel } from '../../components/admin/panel'
import { Button } from '../../components/button'
import { PostForm } from '../../components/form'
import { ExternalLink } from '../../components/page-links'
import { textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import type { PageView, SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { moderatorOf } from '../../moderator'
import { paths } from '../../paths'
import { excerpt } from '../../status-view'

const path = '/admin/trends'
const title = 'admin.trends.trends'
const mostShown = 40

const form = z.object({ what: textField(20), key: textField(3_000), trendable: textField(10) })

/** Hashtags, posts and pages that trend, or would if moderators allowed it. */
export const trendsPage = memberPage({
  kind: 'admin',
  path,
  title,
  access: 'manageTaxonomies',
  menu: { label: title, order: 50 },
  form,
  submissions: [{ isCommand: true, run: review }],
  notices: { approved: 'admin.trends.itMayTrend', rejected: 'admin.trends.doesNotTrend' },
  load: loadTrends,
  view: (page) => <TrendsView page={page} />,
})

type Found = Awaited<ReturnType<typeof loadTrends>>

function TrendsView({ page }: { readonly page: PageView<Found> }) {
  const t = useTranslation()
  return (
    <Panel title={t(title)} current={path}>
      <Items heading={t('common.hashtags')} kind={kinds.tag} items={page.found.tags} />
      <Items heading={t('field.posts')} kind={kinds.status} items={page.found.statuses} />
      <Items heading={t('common.pages')} kind={kinds.link} items={page.found.links} />
    </Panel>
  )
}

async function review({ c, ctx, session, input }: SubmissionCall<z.output<typeof form>>) {
  const what = reviewable.find((one) => one === input.what)
  const found = what === undefined ? null : reviewTargetByKey(ctx, what, input.key)
  const target = found === null ? null : await execute(ctx.db, found)
  if (target === null) throw new NotFound()
  const trendable = input.trendable === 'true'
  await reviewTrend(ctx, moderatorOf(c, session), { target, trendable })
  return { notice: trendable ? ('approved' as const) : ('rejected' as const) }
}

async function loadTrends(ctx: Ctx) {
  const now = ctx.clock.now()
  const { tags, statuses, links } = await execute(
    ctx.db,
    combineQueries({
      tags: trendingTags(ctx, now, mostShown),
      statuses: trendingStatuses(ctx, now, mostShown),
      links: trendingLinks(ctx, now, mostShown),
    }),
  )
  return {
    tags,
    statuses: statuses.map(({ words, ...item }) => ({ ...item, words: htmlToText(words ?? '') })),
    links,
  }
}

interface Kind {
  readonly what: 'tag' | 'status' | 'link'
  /** Target of a decision about all of the author or the site; null where there is neither. */
  readonly all: { readonly what: 'author' | 'publisher'; readonly label: TextKey } | null
}

const kinds = {
  tag: { what: 'tag', all: null },
  status: { what: 'status', all: { what: 'author', label: 'admin.trends.allPostsName' } },
  link: { what: 'link', all: { what: 'publisher', label: 'admin.trends.allPagesName' } },
} as const satisfies Readonly<Record<string, Kind>>

interface ItemsProps {
  readonly heading: string
  readonly kind: Kind
  readonly items: readonly Trending[]
}

function Items({ heading, kind, items }: ItemsProps) {
  const t = useTranslation()
  const { what } = kind
  return (
    <section class="block" aria-labelledby={what}>
      <h2 id={what}>{heading}</h2>
      {items.length === 0 ? (
        <p class="quiet small">{t('admin.trends.nothingTrendsNow')}</p>
      ) : (
        <ul class="entries">
          {items.map((item) => (
            <li>
              <Item kind={kind} item={item} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

interface ItemProps {
  readonly kind: Kind
  readonly item: Trending
}

function Item({ kind: { what, all }, item }: ItemProps) {
  const t = useTranslation()
  const { key, of, words, decision, decisionOfAll, shown } = item
  const name = (what === 'tag' ? `#${key}` : excerpt(words ?? '')) || key
  const href =
    what === 'tag' ? `${paths.tags}/${encodeURIComponent(key)}` : what === 'status' ? `/@${of}/${key}` : null
  return (
    <>
      <p>
        {href === null ? (
          <bdi>{name}</bdi>
        ) : (
          <a href={href}>
            <bdi>{name}</bdi>
          </a>
        )}{' '}
        <span class={shown === 1 ? 'tag' : 'tag warn'}>
          {shown === 1 ? t('admin.trends.shown') : t('admin.trends.notShown')}
        </span>
        {decision === null && <span class="tag">{t('admin.trends.notReviewed')}</span>}
      </p>
      {what === 'link' && (
        <p class="quiet small">
          <ExternalLink url={key} />
        </p>
      )}
      <Decision what={what} subject={key} name={name} />
      {all !== null && of !== null && (
        <>
          <p class="quiet small">
            {t.rich(all.label, { name: <bdi>{what === 'status' ? `@${of}` : of}</bdi> })}{' '}
            <Standing decision={decisionOfAll} />
          </p>
          <Decision what={all.what} subject={of} name={t(all.label, { name: of })} />
        </>
      )}
    </>
  )
}

/** Outcome of the review of everything of an author or a site. */
function Standing({ decision }: { readonly decision: number | null }) {
  const t = useTranslation()
  if (decision === null) return <span class="tag">{t('admin.trends.notReviewed')}</span>
  return decision === 1 ? (
    <span class="tag">{t('admin.trends.mayTrend')}</span>
  ) : (
    <span class="tag warn">{t('admin.trends.keptOut')}</span>
  )
}

interface DecisionProps {
  readonly what: Kind['what'] | 'author' | 'publisher'
  /** Key of the reviewed trend. */
  readonly subject: string
  readonly name: string
}

function Decision({ what, subject, name }: DecisionProps) {
  const t = useTranslation()
  const choices = [
    [
      'true',
      what === 'author' || what === 'publisher' ? t('admin.trends.allowAll') : t('admin.trends.allow'),
    ],
    [
      'false',
      what === 'author' || what === 'publisher' ? t('admin.trends.rejectAll') : t('admin.trends.reject'),
    ],
  ] as const
  return (
    <div class="actions">
      {choices.map(([trendable, text]) => (
        <PostForm action={path} hidden={{ what, key: subject, trendable }} class="inline">
          <Button look="secondary">
            {text}
            <span class="hidden"> {name}</span>
          </Button>
        </PostForm>
      ))}
    </div>
  )
}
