import * as z from 'zod'
import { execute } from '../../../db/query'
import { cancelTerms, notifyOfTerms, scheduleTerms, termsOf } from '../../../domain/instance/terms'
import { previewTermsMail } from '../../../domain/users/mail-terms'
import { Invalid } from '../../../errors'
import { dayText } from '../../../lib/days'
import type { Ctx } from '../../../ports/ctx'
import { TermsPreview, TermsView } from '../../components/admin/terms'
import { checkbox, textField } from '../../form-fields'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { fixedQuestion } from '../../member-pages/question'
import { moderatorOf } from '../../moderator'
import { loadTerms } from './load-terms'

const path = '/admin/terms'
const form = z.object({
  text: z.string(),
  changelog: z.string(),
  effective_date: textField(20),
  notify: checkbox,
  day: textField(20),
})
type Call = SubmissionCall<z.output<typeof form>>

const notifyQuestion = fixedQuestion('admin.terms.tellMembers', 'admin.terms.everyMemberGetsMail')
const cancelQuestion = fixedQuestion('admin.terms.deleteVersion', 'admin.terms.versionNeverComesInto')

/** Versions of the terms of service: the one in force, those to come, and a new one. */
export const termsPage = memberPage({
  kind: 'admin',
  path,
  title: 'common.termsOfService',
  access: 'manageSettings',
  menu: { label: 'common.termsOfService', order: 140 },
  form,
  submissions: [
    { path: `${path}/preview`, run: preview },
    { run: publish },
    { path: `${path}/notify`, isCommand: true, ask: notifyQuestion, run: notify },
    { path: `${path}/sample`, run: mailSample },
    { path: `${path}/cancel`, isCommand: true, ask: cancelQuestion, run: cancel },
  ],
  notices: {
    published: 'admin.terms.termsPublished',
    notified: 'admin.terms.membersToldByMailNext',
    mailed: 'admin.terms.noticeMailedAlone',
    cancelled: 'admin.terms.versionDeletedNeverComes',
  },
  load: loadTerms,
  view: (page) => <TermsView page={page} />,
})

function draftOf({ text, changelog, effective_date: day }: Call['input'], ctx: Ctx) {
  if (text.trim() === '') throw new Invalid('blank', { field: 'text' })
  if (day !== '' && !z.iso.date().safeParse(day).success)
    throw new Invalid('not_a_day', { field: 'effective_date' })
  return { text, changelog, effectiveOn: day === '' ? dayText(ctx.clock.now()) : day }
}

async function preview({ ctx, input }: Call) {
  const draft = draftOf(input, ctx)
  if (draft.effectiveOn < dayText(ctx.clock.now()))
    throw new Invalid('day_passed', { field: 'effective_date' })
  const replaced = await execute(ctx.db, termsOf(ctx, draft.effectiveOn))
  return {
    show: <TermsPreview draft={{ ...draft, notify: input.notify }} replaces={replaced !== null} />,
  }
}

async function publish({ c, ctx, session, input }: Call) {
  await scheduleTerms(ctx, moderatorOf(c, session), { ...draftOf(input, ctx), notify: input.notify })
  return { notice: 'published' as const }
}

async function notify({ c, ctx, session, input }: Call) {
  await notifyOfTerms(ctx, moderatorOf(c, session), input.day)
  return { notice: 'notified' as const }
}

async function mailSample({ ctx, session, input }: Call) {
  await previewTermsMail(ctx, session.accountId, input.day)
  return { notice: 'mailed' as const }
}

async function cancel({ c, ctx, session, input }: Call) {
  await cancelTerms(ctx, moderatorOf(c, session), input.day)
  return { notice: 'cancelled' as const }
}
