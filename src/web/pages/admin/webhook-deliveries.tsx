import * as z from 'zod'
import { both, execute } from '../../../db/query'
import { rotateWebhookSecret, webhookOrNotFound } from '../../../domain/webhooks/change'
import { findDeliveries, findWebhook, type WebhookDelivery } from '../../../domain/webhooks/find'
import { testWebhook } from '../../../domain/webhooks/post'
import { NotFound } from '../../../errors'
import type { TextKey } from '../../../lib/translate'
import type { Ctx } from '../../../ports/ctx'
import { More, Panel } from '../../components/admin/panel'
import { WebhookOutcome, WebhookSecret } from '../../components/admin/webhook-outcome'
import { Command } from '../../components/confirm'
import { Day } from '../../components/day'
import { useTranslation } from '../../i18n/context'
import type { PageQuery, PageView, SubmissionCall } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { fixedQuestion } from '../../member-pages/question'
import { moderatorOf } from '../../moderator'
import { pageBehind, readMaxId } from '../../pagination'

const list = '/admin/webhooks'
const path = `${list}/:id/deliveries` as const
const pageLength = 40

const secretQuestion = fixedQuestion(
  'admin.webhooks.deliveries.makeNewSecret',
  'admin.webhooks.deliveries.deliveriesSignedOnceOld',
)

/** Log of the deliveries to a webhook, a test of its address, and a new secret. */
export const webhookDeliveriesPage = memberPage({
  kind: 'admin',
  path,
  title: 'admin.webhooks.deliveriesWebhook',
  access: 'manageWebhooks',
  menu: null,
  form: z.object({}),
  submissions: [
    { path: `${list}/:id/test`, isCommand: true, run: test },
    { path: `${list}/:id/secret`, isCommand: true, ask: secretQuestion, run: rotate },
  ],
  notices: {},
  load: loadDeliveries,
  view: (page) => <DeliveriesView page={page} />,
})

async function test({ c, ctx }: SubmissionCall<unknown>) {
  const id = requireIdInPath(c)
  const outcome = await testWebhook(ctx, await webhookOrNotFound(ctx, id))
  return {
    show: <WebhookOutcome outcome={outcome} backTo={`${list}/${id}/deliveries`} />,
  }
}

async function rotate({ c, ctx, session }: SubmissionCall<unknown>) {
  const secret = await rotateWebhookSecret(ctx, moderatorOf(c, session), requireIdInPath(c))
  return {
    show: <WebhookSecret secret={secret} />,
  }
}

async function loadDeliveries(ctx: Ctx, { id, query }: PageQuery) {
  if (id === null) throw new NotFound()
  const page = { limit: pageLength, maxId: readMaxId(query('max_id')) }
  const [webhook, deliveries] = await execute(
    ctx.db,
    both(findWebhook(ctx, id), findDeliveries(ctx, id, page)),
  )
  if (webhook === null) throw new NotFound()
  const last = deliveries.length < pageLength ? null : deliveries.at(-1)?.id
  return { webhook, deliveries, olderUrl: pageBehind(`${list}/${id}/deliveries`, last) }
}

type Found = Awaited<ReturnType<typeof loadDeliveries>>

function DeliveriesView({ page }: { readonly page: PageView<Found> }) {
  const t = useTranslation()
  const { found } = page
  const { webhook, deliveries } = found
  return (
    <Panel title={t('admin.webhooks.deliveriesWebhook')} current={list}>
      <section class="block" aria-labelledby="webhook">
        <h2 id="webhook">
          <bdi>{webhook.url}</bdi>
        </h2>
        <div class="actions">
          <Command action={`${list}/${webhook.id}/test`}>{t('admin.webhooks.deliveries.sendATest')}</Command>
          <Command action={`${list}/${webhook.id}/secret`} asks>
            {t('admin.webhooks.deliveries.newSecret')}
          </Command>
        </div>
      </section>
      {deliveries.length === 0 ? (
        <p class="quiet small">{t('admin.webhooks.deliveries.nothingDeliveredYet')}</p>
      ) : (
        <ul class="entries block">
          {deliveries.map((delivery) => (
            <li>
              <Delivery delivery={delivery} />
            </li>
          ))}
        </ul>
      )}
      <More olderUrl={found.olderUrl} />
      <p>
        <a href={list}>{t('admin.webhooks.webhooks')}</a>
      </p>
    </Panel>
  )
}

const states: Readonly<Record<WebhookDelivery['state'], TextKey>> = {
  pending: 'admin.webhooks.deliveries.waits',
  delivered: 'admin.webhooks.delivered',
  failed: 'admin.failed',
}

function Delivery({ delivery }: { readonly delivery: WebhookDelivery }) {
  const t = useTranslation()
  const { event, state, attempts, httpStatus, error, durationMs, occurredAt } = delivery
  return (
    <>
      <p>
        <code>{event}</code> <span class={state === 'failed' ? 'tag warn' : 'tag'}>{t(states[state])}</span>{' '}
        {httpStatus !== null && <span class="tag">{httpStatus}</span>}
      </p>
      <p class="quiet small">
        <Day at={occurredAt} withTime /> {t('admin.webhooks.deliveries.attempts', { attempts })}
        {durationMs !== null && <> · {t('admin.webhooks.millisecondsMs', { milliseconds: durationMs })}</>}
      </p>
      {error !== null && (
        <p class="quiet small" lang="en">
          <bdi>{error}</bdi>
        </p>
      )}
    </>
  )
}
