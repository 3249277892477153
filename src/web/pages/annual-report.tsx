import { Hono } from 'hono'
import { annualReportUrl } from '../../contract/addresses'
import { parseHandle } from '../../contract/handle'
import { combineQueries, execute } from '../../db/query'
import { selectByHandle } from '../../domain/accounts/find'
import { sharedReport } from '../../domain/annual-reports/find'
import { anonymousViewer } from '../../domain/core/viewer'
import { Gone, NotFound } from '../../errors'
import type { AppContext, AppEnv } from '../../ports/app-env'
import { loadAccounts } from '../../view/load/accounts'
import { loadStatuses, statusesById } from '../../view/load/statuses'
import { presentOnlyAccount } from '../../view/present/account'
import { presentStatuses } from '../../view/present/status'
import { EmojiText } from '../components/emoji-text'
import { Layout } from '../components/layout'
import { useTranslation } from '../i18n/context'
import { showPublicPage } from '../page'
import { usePage } from '../page-context'
import { openPageWith } from '../page-request'
import { Post } from '../posts/post'
import { type PostView, postView } from '../posts/post-view'
import { requireMember } from '../require-member'
import { authorView } from '../status-view'
import type { AuthorView } from '../status-view-model'

/** Shared annual reports, under Mastodon's address, readable by anyone with the address. */
export function annualReportRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/:handle{@[^/]+}/wrapstodon/:year{[0-9]{4}}/:key', requireMember, showReport)
  return app
}

async function showReport(c: AppContext) {
  const ctx = c.get('ctx')
  const { config } = ctx
  const handle = parseHandle(c.req.param('handle') ?? '', config.ownDomains)
  if (handle === null || handle.domain !== null) throw new NotFound()
  const [year, key] = [Number(c.req.param('year')), c.req.param('key') ?? '']
  const { visit, found } = await openPageWith(
    c,
    combineQueries({
      report: sharedReport(ctx, { handle, year, key }),
      account: loadAccounts(ctx, selectByHandle(handle)),
    }),
  )
  const { report } = found
  if (report === null) throw new NotFound()
  const account = presentOnlyAccount(config, found.account)
  if (account.suspended === true) throw new Gone('account_suspended')
  const { topStatusId, months, archetype, topTag } = report.data
  const top =
    topStatusId === null
      ? null
      : await execute(ctx.db, loadStatuses(ctx, anonymousViewer, statusesById([topStatusId])))
  const [status] = top === null ? [] : presentStatuses({ config, now: ctx.clock.now() }, top)
  const total = (what: 'statuses' | 'followers') => months.reduce((sum, month) => sum + month[what], 0)
  const page = {
    author: authorView(config, account),
    year,
    archetype,
    url: annualReportUrl(config.origin, { username: account.username, year, key }),
    statuses: total('statuses'),
    followers: total('followers'),
    tag: topTag,
    top: status === undefined ? null : postView(config, status, null),
  }
  return showPublicPage(c, visit, <AnnualReportPage {...page} />)
}

export interface AnnualReportPageProps {
  readonly url: string
  readonly author: AuthorView
  readonly year: number
  readonly archetype: 'lurker' | 'booster' | 'pollster' | 'replier' | 'oracle'
  readonly statuses: number
  readonly followers: number
  readonly tag: { readonly name: string; readonly count: number } | null
  /** The most reblogged status, if visitors may see it. */
  readonly top: PostView | null
}

/** The year of an account, for visitors who were given the address. */
export function AnnualReportPage(props: AnnualReportPageProps) {
  const { url, author, year, statuses, followers, tag, top } = props
  const t = useTranslation()
  const { site } = usePage()
  const title = t('annualReport.yearName', { year: String(year), name: author.name })
  const heading = t.rich('annualReport.yearName', {
    year: String(year),
    name: <EmojiText text={author.name} emojis={author.emojis} />,
  })
  const preview = {
    url,
    imageUrl: author.avatarUrl,
    description: t('annualReport.handleYearSite', {
      handle: author.handle,
      year: String(year),
      site: site.title,
    }),
  }
  return (
    <Layout title={title} heading={heading} preview={preview} isPrivate>
      <section class="block" aria-label={title}>
        <p class="quiet">
          {t.rich(archetypes[props.archetype], {
            handle: author.handle,
            link: (words) => <a href={author.url}>{words}</a>,
          })}
        </p>
        <dl class="numbers">
          <div>
            <dt>{t('annualReport.posts', { count: statuses })}</dt>
            <dd>{t('common.count', { count: statuses })}</dd>
          </div>
          <div>
            <dt>{t('annualReport.newFollowers', { count: followers })}</dt>
            <dd>{t('common.count', { count: followers })}</dd>
          </div>
          {tag !== null && (
            <div>
              <dt>
                {t.rich('annualReport.countPluralOneTime', {
                  count: tag.count,
                  tag: <bdi>#{tag.name}</bdi>,
                })}
              </dt>
              <dd>{t('common.count', { count: tag.count })}</dd>
            </div>
          )}
        </dl>
      </section>
      {top !== null && (
        <section class="unpadded" aria-labelledby="top">
          <div class="section-head">
            <h2 id="top">{t('annualReport.sharedMost')}</h2>
          </div>
          <Post post={top} />
        </section>
      )}
    </Layout>
  )
}

const archetypes = {
  lurker: 'annualReport.handleLurkerThereRead',
  booster: 'annualReport.handleBoosterPassingWhat',
  pollster: 'annualReport.handlePollsterAlwaysAsking',
  replier: 'annualReport.handleReplierHomeConversations',
  oracle: 'annualReport.handleOracleSomethingOwn',
} as const
