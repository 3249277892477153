import * as z from 'zod'
import { combineQueries, execute } from '../../../db/query'
import {
  type Trending,
  trendingLinks,
  trendingStatuses,
  trendingTags,
} from '../../../domain/trends/find-review'
import { reviewable, reviewTargetByKey } from '../../../domain/trends/find-review-targets'
import { reviewTrend } from '../../../domain/trends/review'
import { NotFound } from '../../../errors'
import { htmlToText } from '../../../lib/html'
import { message } from '../../../lib/translate'
import type { Ctx } from '../../../platform/ports'
import { Panel } from '../../components/admin/panel'
import { Button } from '../../components/button'
import { PostForm } from '../../components/form'
import { textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import type { PageView, SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { moderatorOf } from '../../moderator'

const path = '/admin/trends'
const title = message('Trends')
const mostShown = 40
const wordsShown = 200

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
  notices: { approved: message('It may trend.'), rejected: message('It does not trend.') },
  load: loadTrends,
  view: (page) => <TrendsView page={page} />,
})

type Found = Awaited<ReturnType<typeof loadTrends>>

function TrendsView({ page }: { readonly page: PageView<Found, string> }) {
  const t = useTranslation()
  return (
    <Panel page={page} title={t(title)} current={path}>
      <Items heading={t('Hashtags')} what="tag" items={page.found.tags} csrfToken={page.csrfToken} />
      <Items heading={t('Posts')} what="status" items={page.found.statuses} csrfToken={page.csrfToken} />
      <Items heading={t('Pages')} what="link" items={page.found.links} csrfToken={page.csrfToken} />
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

interface ItemsProps {
  readonly heading: string
  readonly what: 'tag' | 'status' | 'link'
  readonly items: readonly Trending[]
  readonly csrfToken: string
}

function Items({ heading, what, items, csrfToken }: ItemsProps) {
  const t = useTranslation()
  return (
    <section class="card" aria-labelledby={what}>
      <h2 id={what}>{heading}</h2>
      {items.length === 0 ? (
        <p class="muted">{t('Nothing trends now.')}</p>
      ) : (
        <ul class="entries">
          {items.map((item) => (
            <li>
              <Item what={what} item={item} csrfToken={csrfToken} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Item({
  what,
  item,
  csrfToken,
}: {
  readonly what: ItemsProps['what']
  readonly item: Trending
  readonly csrfToken: string
}) {
  const t = useTranslation()
  const { key, of, words, decision, shown } = item
  const name = what === 'tag' ? `#${key}` : (words ?? key).slice(0, wordsShown)
  return (
    <>
      <p>
        <bdi>{name === '' ? key : name}</bdi>{' '}
        <span class={shown === 1 ? 'badge' : 'badge badge-warning'}>
          {shown === 1 ? t('shown') : t('not shown')}
        </span>
        {decision === null && <span class="badge">{t('not reviewed')}</span>}
      </p>
      {of !== null && (
        <p class="muted">
          <bdi>{what === 'status' ? `@${of}` : of}</bdi>
        </p>
      )}
      <div class="actions">
        {(
          [
            ['true', t('Let it trend')],
            ['false', t('Keep it out')],
          ] as const
        ).map(([trendable, text]) => (
          <PostForm action={path} csrfToken={csrfToken} hidden={{ what, key, trendable }} class="inline">
            <Button look="secondary">
              {text}
              <span class="visually-hidden"> {name}</span>
            </Button>
          </PostForm>
        ))}
      </div>
    </>
  )
}
