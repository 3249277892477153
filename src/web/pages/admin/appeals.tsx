import * as z from 'zod'
import type { AdminAppeal } from '../../../contract/entities/report'
import { both, execute } from '../../../db/query'
import { loadRules } from '../../../domain/instance/rules'
import { decideAppeal } from '../../../domain/moderation/appeal'
import { findAppeals } from '../../../domain/moderation/find-strikes'
import { storedText, type TextKey } from '../../../lib/translate'
import type { Ctx } from '../../../ports/ctx'
import { presentAdminAppeal } from '../../../view/present/report'
import { More, Panel } from '../../components/admin/panel'
import { actionTexts } from '../../components/admin/report-words'
import { Command } from '../../components/confirm'
import { Day } from '../../components/day'
import { Tabs } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import type { PageQuery, PageView, Submission } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { fixedQuestion } from '../../member-pages/question'
import { moderatorOf } from '../../moderator'
import { pageBehind, readMaxId } from '../../pagination'
import { moderatedAccountPath, moderatedReportPath, paths } from '../../paths'

const title = 'admin.appeals.appeals'
const pageLength = 20

const verdicts = ['approve', 'reject'] as const
type Verdict = (typeof verdicts)[number]

const questions = {
  approve: fixedQuestion('admin.appeals.approveAppeal', 'admin.appeals.decisionUndoneExceptPosts'),
  reject: fixedQuestion('admin.appeals.rejectAppeal', 'admin.appeals.decisionStandsNobodyCan'),
} as const

/** Appeals against decisions, and the decisions about them. */
export const appealsPage = memberPage({
  kind: 'admin',
  path: paths.moderatedAppeals,
  title,
  access: 'manageAppeals',
  menu: { label: title, order: 40 },
  form: z.object({}),
  submissions: verdicts.map(
    (verdict): Submission<unknown, Verdict> => ({
      path: `${paths.moderatedAppeals}/:id/${verdict}`,
      isCommand: true,
      ask: questions[verdict],
      run: async ({ c, ctx, session }) => {
        await decideAppeal(ctx, moderatorOf(c, session), { appealId: requireIdInPath(c), verdict })
        return { notice: verdict }
      },
    }),
  ),
  notices: {
    approve: 'admin.appeals.decisionUndoneTargetTold',
    reject: 'admin.appeals.appealRejectedAuthorTold',
  },
  load: loadAppeals,
  view: (page) => <AppealsView page={page} />,
})

type Found = Awaited<ReturnType<typeof loadAppeals>>

function AppealsView({ page }: { readonly page: PageView<Found> }) {
  const t = useTranslation()
  return (
    <Panel title={t(title)} current={paths.moderatedAppeals}>
      <Tabs
        label={t('admin.appeals.stateAppeals')}
        tabs={[
          { href: paths.moderatedAppeals, label: t('admin.appeals.undecided'), isCurrent: !page.found.isAll },
          { href: `${paths.moderatedAppeals}?all=1`, label: t('admin.all'), isCurrent: page.found.isAll },
        ]}
      />
      {page.found.appeals.length === 0 ? (
        <p class="quiet small">{t('admin.appeals.noAppealWaitsDecision')}</p>
      ) : (
        <ul class="entries block">
          {page.found.appeals.map((appeal) => (
            <li>
              <AppealEntry appeal={appeal} />
            </li>
          ))}
        </ul>
      )}
      <More olderUrl={page.found.olderUrl} />
    </Panel>
  )
}

async function loadAppeals(ctx: Ctx, { query }: PageQuery) {
  const isAll = query('all') === '1'
  const page = { limit: pageLength, maxId: readMaxId(query('max_id')) }
  const [strikes, rules] = await execute(
    ctx.db,
    both(findAppeals(ctx, { onlyPending: !isAll }, page), loadRules(ctx)),
  )
  const last = strikes.length < pageLength ? undefined : strikes.at(-1)?.appeal?.id
  return {
    isAll,
    appeals: strikes.map((strike) => presentAdminAppeal(strike, rules)),
    olderUrl: pageBehind(paths.moderatedAppeals, last, { all: isAll ? '1' : '' }),
  }
}

const stateTexts: Readonly<Record<string, TextKey>> = {
  approved: 'admin.appeals.approved',
  rejected: 'admin.appeals.rejected',
}

function AppealEntry({ appeal }: { readonly appeal: AdminAppeal }) {
  const t = useTranslation()
  const { strike, state, text } = appeal
  const at = `${paths.moderatedAppeals}/${appeal.id}`
  const action = storedText(t, actionTexts[strike.action], strike.action)
  return (
    <>
      <h2 class="entry-title">
        <a href={moderatedAccountPath(strike.target_account_id)}>
          <bdi>@{strike.target_acct}</bdi>
        </a>{' '}
        <span class="tag warn">{action}</span>
        {state !== 'pending' && <span class="tag">{storedText(t, stateTexts[state], state)}</span>}
      </h2>
      <p class="quoted">
        <bdi>{text}</bdi>
      </p>
      <p class="quiet small">
        {t.rich('admin.appeals.decidedAppealed', {
          day: () => <Day at={new Date(strike.created_at)} />,
          later: () => <Day at={new Date(appeal.created_at)} />,
        })}
        {strike.report_id !== null && (
          <>
            {' · '}
            <a href={moderatedReportPath(strike.report_id)}>{t('field.report')}</a>
          </>
        )}
      </p>
      {strike.text !== '' && (
        <details>
          <summary>{t('admin.message')}</summary>
          <p class="quoted">
            <bdi>{strike.text}</bdi>
          </p>
        </details>
      )}
      {state === 'pending' && (
        <div class="actions">
          <Command action={`${at}/approve`} about={`@${strike.target_acct}`} asks>
            {t('admin.approve')}
          </Command>
          <Command action={`${at}/reject`} about={`@${strike.target_acct}`} asks>
            {t('admin.reject')}
          </Command>
        </div>
      )}
    </>
  )
}
