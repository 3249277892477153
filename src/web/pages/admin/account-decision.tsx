import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { AdminAccount } from '../../../contract/entities/admin/account'
import { combineQueries, execute } from '../../../db/query'
import { listPresets } from '../../../domain/moderation/warning-presets'
import { NotFound } from '../../../errors'
import type { Ctx } from '../../../ports/ctx'
import { loadAdminAccounts } from '../../../view/load/admin-accounts'
import { presentOnlyAdminAccount } from '../../../view/present/admin-account'
import { type Choice, DecisionPage, type FoundDecision } from '../../components/admin/decision-form'
import type { PageQuery, SubmissionCall } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { previewerOf } from '../../moderator'
import { moderatedAccountPath, paths } from '../../paths'
import { askDecision, askedIn, decide, decisionFields } from './decide'

const form = z.object(decisionFields)
type Call = SubmissionCall<z.output<typeof form>>

/** Page of one decision about an account: what happens, and the words to the person. */
export const accountDecisionPage = memberPage({
  kind: 'admin',
  path: `${paths.moderatedAccounts}/:id/decision/:type`,
  title: 'admin.decide',
  access: 'manageUsers',
  menu: null,
  form,
  submissions: [
    {
      ask: (call) => askDecision(call, subjectOf(call)),
      run: async (call) => {
        const subject = subjectOf(call)
        await decide(call, subject)
        return { redirectTo: `${moderatedAccountPath(String(subject.accountId))}?done=decided` }
      },
    },
  ],
  notices: {},
  load: loadDecision,
  view: ({ typed, found }) => <DecisionPage current={paths.moderatedAccounts} typed={typed} found={found} />,
})

const subjectOf = ({ c }: Call) => ({ accountId: requireIdInPath(c), reportId: null })

/** Choices about an account, without those in force. */
export function choicesAbout(account: AdminAccount): readonly Choice[] {
  const isLocal = account.domain === null
  return [
    ...(isLocal ? (['none'] as const) : []),
    ...(account.sensitized ? [] : (['sensitive'] as const)),
    ...(isLocal && account.disabled !== true ? (['disable'] as const) : []),
    ...(account.silenced ? [] : (['silence'] as const)),
    ...(account.suspended ? [] : (['suspend'] as const)),
  ]
}

async function loadDecision(ctx: Ctx, { id, session, param }: PageQuery): Promise<FoundDecision> {
  if (id === null) throw new NotFound()
  const { bundle, presets } = await execute(
    ctx.db,
    combineQueries({
      bundle: loadAdminAccounts(ctx, sql`select ${id} as id, 0 as cursor`),
      presets: listPresets(ctx),
    }),
  )
  const account = presentOnlyAdminAccount(ctx.config, bundle)
  const choices = choicesAbout(account)
  const asked = await askedIn(ctx, previewerOf(session), {
    choices,
    type: param('type'),
    subject: { accountId: id, reportId: null },
    account,
    concerned: { posts: 0, collections: 0 },
  })
  return { at: moderatedAccountPath(account.id), account, choices, asked, presets }
}
