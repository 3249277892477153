import * as z from 'zod'
import { combineQueries, execute } from '../../../db/query'
import {
  type DeadLetter,
  dropLetter,
  findDeadLetters,
  retryLetter,
} from '../../../domain/health/dead-letters'
import { type FailingHost, findFailingHosts } from '../../../domain/servers/reachability'
import { loadUsage, type QuotaUsage, type Usage } from '../../../domain/usage/read'
import type { TextKey } from '../../../lib/translate'
import type { Ctx } from '../../../ports/ctx'
import { Bar } from '../../components/admin/dashboard'
import { MissingServices } from '../../components/admin/missing-services'
import { Panel } from '../../components/admin/panel'
import { Command } from '../../components/confirm'
import { Day } from '../../components/day'
import { useTranslation } from '../../i18n/context'
import { sizeText } from '../../i18n/names'
import type { PageQuery, PageView, Submission } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { fixedQuestion } from '../../member-pages/question'
import { moderatorOf } from '../../moderator'

const path = '/admin/operation'
const title = 'admin.operation.operation'

const acts = {
  retry: { run: retryLetter, notice: 'admin.operation.jobRunAgain' },
  drop: { run: dropLetter, notice: 'admin.operation.jobDeleted' },
} as const
type Act = keyof typeof acts

const dropQuestion = fixedQuestion('admin.operation.deleteJob', 'admin.operation.effectNeverHappensDelivery')

/** Quotas of the platform, unreachable servers, and failed jobs. */
export const operationPage = memberPage({
  kind: 'admin',
  path,
  title,
  access: 'viewDevops',
  menu: { label: title, order: 850 },
  form: z.object({}),
  submissions: (['retry', 'drop'] as const).map(
    (act): Submission<unknown, Act> => ({
      path: `${path}/:id/${act}`,
      isCommand: true,
      ...(act === 'drop' ? { ask: dropQuestion } : {}),
      run: async ({ c, ctx, session }) => {
        await acts[act].run(ctx, moderatorOf(c, session), requireIdInPath(c))
        return { notice: act }
      },
    }),
  ),
  notices: { retry: acts.retry.notice, drop: acts.drop.notice },
  load: loadOperation,
  view: (page) => <OperationView page={page} />,
})

type Found = Awaited<ReturnType<typeof loadOperation>>

function OperationView({ page }: { readonly page: PageView<Found> }) {
  const t = useTranslation()
  return (
    <Panel title={t(title)} current={path}>
      <MissingServices services={page.found.missingServices} />
      <Quotas usage={page.found.usage} />
      <FailingHosts hosts={page.found.failing.hosts} next={page.found.failing.next} />
      <DeadLetters letters={page.found.dead.letters} count={page.found.dead.count} />
    </Panel>
  )
}

async function loadOperation(ctx: Ctx, { query }: PageQuery) {
  const found = await execute(
    ctx.db,
    combineQueries({
      usage: loadUsage(ctx),
      failing: findFailingHosts(ctx, query('after').slice(0, 300)),
      dead: findDeadLetters(ctx, 0),
    }),
  )
  return { ...found, missingServices: ctx.config.missingServices }
}

const quotaTexts: Readonly<Record<QuotaUsage['name'], TextKey>> = {
  requests: 'admin.operation.requests',
  rowsRead: 'admin.operation.rowsRead',
  rowsWritten: 'admin.operation.rowsWritten',
  objectCalls: 'admin.operation.callsDurableObjects',
  queueOperations: 'admin.operation.queueOperations',
  storageWrites: 'admin.operation.writesBucket',
  storageReads: 'admin.operation.readsFromBucket',
  imageTransformations: 'admin.operation.transformedPictures',
  mails: 'admin.operation.mails',
  databaseBytes: 'admin.database',
  mediaBytes: 'common.media',
}
const periodTexts = {
  day: 'admin.operation.today',
  month: 'admin.operation.thisMonth',
  total: 'admin.operation.inAll',
} as const

function Quotas({ usage: { plan, quotas, paused } }: { readonly usage: Usage }) {
  const t = useTranslation()
  const amount = (name: QuotaUsage['name'], value: number) =>
    name === 'databaseBytes' || name === 'mediaBytes'
      ? sizeText(t, value)
      : t('admin.operation.value', { value })
  return (
    <section class="block" aria-labelledby="quotas">
      <h2 id="quotas">{t('admin.operation.usePlanPlan', { plan })}</h2>
      {paused.length > 0 && (
        <p class="error">{t('admin.operation.switchedOffUntilMidnight', { what: paused.join(', ') })}</p>
      )}
      <table class="named-cells">
        <thead>
          <tr>
            <th scope="col">{t('admin.operation.quota')}</th>
            <th scope="col">{t('admin.operation.used')}</th>
            <th scope="col">{t('admin.operation.share')}</th>
            <th scope="col">{t('admin.operation.expected')}</th>
          </tr>
        </thead>
        <tbody>
          {quotas.map(({ name, period, used, limit, share, forecast, fullAt }) => (
            <tr>
              <th scope="row">
                {t(quotaTexts[name])} <span class="quiet small">{t(periodTexts[period])}</span>
                <Bar share={share} />
              </th>
              <td data-name={t('admin.operation.used')}>
                {t('admin.operation.usedOfLimit', { used: amount(name, used), limit: amount(name, limit) })}
              </td>
              <td data-name={t('admin.operation.share')}>{t('admin.rate', { rate: share })}</td>
              <td data-name={t('admin.operation.expected')}>
                {forecast !== null && amount(name, forecast)}
                {fullAt !== null && (
                  <span class="tag warn">
                    {t.rich('admin.operation.fullOn', { day: () => <Day at={fullAt} /> })}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function FailingHosts({
  hosts,
  next,
}: {
  readonly hosts: readonly FailingHost[]
  readonly next: string | null
}) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="failing">
      <h2 id="failing">{t('admin.operation.unreachableServers')}</h2>
      {hosts.length === 0 ? (
        <p class="quiet small">{t('admin.everyServerTakesDeliveries')}</p>
      ) : (
        <ul class="entries">
          {hosts.map(({ host, failingSince, lastSuccessAt, waiting, error, unreachable }) => (
            <li>
              <p>
                <bdi>{host}</bdi> {unreachable && <span class="tag warn">{t('admin.givenUp')}</span>}
              </p>
              <p class="quiet small">
                {t.rich('admin.failsSinceDeliveriesWait', {
                  day: () => <Day at={failingSince} withTime />,
                  waiting,
                })}
                {lastSuccessAt !== null && (
                  <>
                    {' · '}
                    {t.rich('admin.operation.lastReachedOn', {
                      day: () => <Day at={lastSuccessAt} withTime />,
                    })}
                  </>
                )}
                {error !== null && ` · ${error}`}
              </p>
            </li>
          ))}
        </ul>
      )}
      {next !== null && (
        <p>
          <a href={`${path}?${new URLSearchParams({ after: next })}`}>{t('admin.moreServers')}</a>
        </p>
      )}
    </section>
  )
}

interface DeadLettersProps {
  readonly letters: readonly DeadLetter[]
  readonly count: number
}

function DeadLetters({ letters, count }: DeadLettersProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="dead">
      <h2 id="dead">{t('admin.operation.failedJobs')}</h2>
      <p class="quiet small">{t('admin.operation.theOldestFirst', { count })}</p>
      <ul class="entries">
        {letters.map(({ id, kind, diedAt, isRetryable }) => (
          <li>
            <p>
              <code>{kind === '' ? t('common.unknown') : kind}</code> <Day at={diedAt} withTime />
            </p>
            <div class="actions">
              {isRetryable && (
                <Command action={`${path}/${id}/retry`}>{t('admin.operation.runAgain')}</Command>
              )}
              <Command action={`${path}/${id}/drop`} asks>
                {t('admin.delete')}
              </Command>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
