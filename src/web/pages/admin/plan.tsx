import * as z from 'zod'
import type { Plan } from '../../../config'
import { quotasOf, shareOfDay } from '../../../contract/usage'
import { execute } from '../../../db/query'
import { choosePlan } from '../../../domain/instance/plan'
import { planBudgets } from '../../../domain/pruning/prune'
import { loadUsage } from '../../../domain/usage/read'
import type { TextKey } from '../../../lib/translate'
import type { Ctx } from '../../../ports/ctx'
import { Facts, Panel } from '../../components/admin/panel'
import { Command } from '../../components/confirm'
import { type PageTranslate, useTranslation } from '../../i18n/context'
import { sizeText } from '../../i18n/names'
import type { PageView, Submission, SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import type { QuestionWords } from '../../member-pages/question'
import { moderatorOf } from '../../moderator'
import { paths } from '../../paths'

const path = paths.plan
const guide = '/docs/operate/limits-and-costs/'

/** Words and effects of a change to each plan. */
const changes: Readonly<Record<Plan, { readonly button: TextKey; readonly effects: readonly TextKey[] }>> = {
  paid: {
    button: 'admin.plan.changeToPaid',
    effects: [
      'admin.plan.paid.first',
      'admin.plan.paid.costs',
      'admin.plan.paid.effects',
      'admin.plan.paid.deploy',
    ],
  },
  free: {
    button: 'admin.plan.changeToFree',
    effects: ['admin.plan.free.effects', 'admin.plan.free.full', 'admin.plan.free.afterwards'],
  },
}

/** Plan of Cloudflare that the server keeps to, what each means, and the change to the other. */
export const planPage = memberPage({
  kind: 'admin',
  path,
  title: 'admin.plan',
  access: 'manageSettings',
  menu: { label: 'admin.plan', order: 855 },
  form: z.object({}),
  submissions: (['free', 'paid'] as const).map(
    (plan): Submission<unknown, 'changed'> => ({
      path: `${path}/${plan}`,
      isCommand: true,
      ask: (call) => askAbout(plan, call),
      run: async ({ c, ctx, session }) => {
        await choosePlan(ctx, moderatorOf(c, session), plan)
        return { notice: 'changed' }
      },
    }),
  ),
  notices: { changed: 'admin.plan.changed' },
  load: loadPlanFacts,
  view: (page) => <PlanView page={page} />,
})

type Found = Awaited<ReturnType<typeof loadPlanFacts>>

async function loadPlanFacts(ctx: Ctx) {
  const usage = await execute(ctx.db, loadUsage(ctx))
  return {
    plan: usage.plan,
    isChosen: usage.plan !== ctx.config.plan,
    databaseBytes: usage.quotas.find(({ name }) => name === 'databaseBytes')?.used ?? 0,
    shareOfFree: shareOfDay(usage.today, ctx.config.dailyLimits.free),
  }
}

async function askAbout(plan: Plan, { ctx }: SubmissionCall<unknown>): Promise<QuestionWords> {
  const found = await loadPlanFacts(ctx)
  const { button, effects } = changes[plan]
  return (t) => ({
    title: t(button),
    effects: effects.map((text) => t(text)),
    facts: factsOf(t, found),
    button: t(button),
  })
}

function factsOf(t: PageTranslate, { databaseBytes, shareOfFree }: Found) {
  return [
    [t('admin.database'), sizeText(t, databaseBytes)],
    [t('admin.plan.shareOfFree'), t('admin.rate', { rate: shareOfFree })],
  ] as const
}

const databaseLimit = (plan: Plan) =>
  quotasOf(plan, noLimits).find(({ name }) => name === 'databaseBytes')?.limit ?? 0
const noLimits = {
  requests: null,
  rowsRead: null,
  rowsWritten: null,
  objectCalls: null,
  queueOperations: null,
}

/** Rows of the table of plans: what it is about, and its value for each. */
function rowsOf(t: PageTranslate): readonly (readonly [name: string, free: string, paid: string])[] {
  const deletes = (plan: Plan) => t('admin.plan.fromSizeOn', { size: sizeText(t, planBudgets[plan]) })
  return [
    [t('admin.plan.price'), t('admin.plan.price.free'), t('admin.plan.price.paid')],
    [t('admin.database'), sizeText(t, databaseLimit('free')), sizeText(t, databaseLimit('paid'))],
    [t('admin.plan.oldPostsDeleted'), deletes('free'), deletes('paid')],
    [t('admin.plan.backups'), t('admin.plan.everyWeek'), t('admin.plan.everyDay')],
    [t('admin.plan.endOfQuota'), t('admin.plan.endOfQuota.free'), t('admin.plan.endOfQuota.paid')],
    [t('admin.plan.computing'), t('admin.plan.computing.free'), t('admin.plan.computing.paid')],
    [t('admin.plan.mail'), t('admin.plan.mail.free'), t('admin.plan.mail.paid')],
  ]
}

function PlanView({ page: { found } }: { readonly page: PageView<Found> }) {
  const t = useTranslation()
  const other = found.plan === 'free' ? 'paid' : 'free'
  return (
    <Panel title={t('admin.plan')} current={path}>
      <section class="block" aria-labelledby="current">
        <h2 id="current">{t(found.plan === 'free' ? 'admin.plan.runsFree' : 'admin.plan.runsPaid')}</h2>
        {found.isChosen && <p>{t('admin.plan.chosenHere')}</p>}
        <Facts facts={factsOf(t, found)} />
        <Command action={`${path}/${other}`} asks>
          {t(changes[other].button)}
        </Command>
      </section>
      <section class="block" aria-labelledby="plans">
        <h2 id="plans">{t('admin.plan.plans')}</h2>
        <table class="named-cells">
          <thead>
            <tr>
              <th scope="col">{t('admin.plan')}</th>
              <th scope="col">{t('admin.plan.free')}</th>
              <th scope="col">{t('admin.plan.paid')}</th>
            </tr>
          </thead>
          <tbody>
            {rowsOf(t).map(([name, free, paid]) => (
              <tr>
                <th scope="row">{name}</th>
                <td data-name={t('admin.plan.free')}>{free}</td>
                <td data-name={t('admin.plan.paid')}>{paid}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p class="quiet small">
          {t.rich('admin.plan.guide', { guide: (words) => <a href={guide}>{words}</a> })}
        </p>
      </section>
    </Panel>
  )
}
