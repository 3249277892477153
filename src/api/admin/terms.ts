import * as z from 'zod'
import { AdminTerms, AdminTermsWithText } from '../../contract/entities/admin/instance'
import { CalendarDate, Flag } from '../../contract/scalars'
import { both, execute, type Query } from '../../db/query'
import {
  cancelTerms,
  findTerms,
  findTermsNotices,
  notifyOfTerms,
  scheduleTerms,
  type Terms,
  type TermsNotice,
  type TermsSummary,
  termsNoticeOf,
  termsOf,
} from '../../domain/instance/terms'
import { idOfHandle } from '../../domain/moderation/find-target'
import { previewTermsMail } from '../../domain/users/mail-terms'
import { Invalid, NotFound } from '../../errors'
import { dayText } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import { timestamp } from '../../view/present/time'
import { endpoint, readEndpoint, staff } from '../endpoint'

const path = '/api/fieldfare/v1/admin/terms'
const reading = staff('admin:read', 'manageSettings')
const writing = staff('admin:write', 'manageSettings')

const ByDay = z.object({ date: z.string() })
const NewTerms = z.object({
  text: z.string(),
  changelog: z.string().default(''),
  effective_date: CalendarDate.optional(),
  notify: Flag.default(false),
})

export const adminTerms = [
  readEndpoint({
    path,
    summary: 'Every version of the terms of service, the latest first',
    auth: reading,
    output: z.array(AdminTerms),
    read: (ctx) => both(findTerms(ctx), findTermsNotices(ctx)),
    show: ({ clock }, { found: [versions, notices] }) => {
      const noticeOf = new Map(notices.map((notice) => [notice.effectiveOn, notice]))
      return versions.map((version) =>
        presentSummary(version, noticeOf.get(version.effectiveOn) ?? null, clock.now()),
      )
    },
  }),
  endpoint({
    path,
    summary:
      'Publishes terms that come into force on `effective_date`, today by default; `notify` tells members',
    auth: writing,
    input: NewTerms,
    output: AdminTermsWithText,
    run: async (ctx, { input, viewer }) => {
      const { text, changelog, notify, effective_date: effectiveOn = dayText(ctx.clock.now()) } = input
      await scheduleTerms(ctx, viewer, { text, changelog, effectiveOn, notify })
      return presentVersion(ctx, await execute(ctx.db, version(ctx, effectiveOn)))
    },
  }),
  readEndpoint({
    path: `${path}/:date`,
    summary: 'The version that comes into force on a day, with its text',
    auth: reading,
    input: ByDay,
    output: AdminTermsWithText,
    read: (ctx, { input }) => version(ctx, input.date),
    show: (ctx, { found }) => presentVersion(ctx, found),
  }),
  endpoint({
    path: `${path}/:date/preview`,
    summary: 'Mails the notice about a version to one member alone: the caller, or the one named by `acct`',
    auth: writing,
    input: ByDay.extend({ acct: z.string().optional() }),
    run: async (ctx, { input: { acct, date }, viewer }) => {
      const receiver = acct === undefined ? viewer.accountId : await idOfHandle(ctx, acct)
      if (receiver === null) throw new Invalid('blank', { field: 'acct' })
      await previewTermsMail(ctx, receiver, date)
    },
  }),
  endpoint({
    path: `${path}/:date/notify`,
    summary:
      'Tells members about a version, once: by mail, and by a page at their next visit with the browser',
    auth: writing,
    input: ByDay,
    output: AdminTermsWithText,
    run: async (ctx, { input, viewer }) => {
      await notifyOfTerms(ctx, viewer, input.date)
      return presentVersion(ctx, await execute(ctx.db, version(ctx, input.date)))
    },
  }),
  endpoint({
    method: 'DELETE',
    path: `${path}/:date`,
    summary: 'Deletes a version that is not in force yet',
    auth: writing,
    input: ByDay,
    run: (ctx, { input, viewer }) => cancelTerms(ctx, viewer, input.date),
  }),
]

type Version = readonly [Terms | null, TermsNotice | null]

function version(ctx: Ctx, day: string): Query<Version> {
  return both(termsOf(ctx, day), termsNoticeOf(ctx, day))
}

function presentVersion({ clock }: Ctx, [terms, notice]: Version): AdminTermsWithText {
  if (terms === null) throw new NotFound()
  const { text } = terms
  return { ...presentSummary({ ...terms, characters: text.length }, notice, clock.now()), text }
}

function presentSummary(version: TermsSummary, notice: TermsNotice | null, now: Date): AdminTerms {
  const { effectiveOn, succeededOn, publishedAt, changelog, characters } = version
  const finishedAt = notice?.finishedAt ?? null
  return {
    effective_date: effectiveOn,
    effective: effectiveOn <= dayText(now),
    succeeded_by: succeededOn,
    published_at: timestamp(publishedAt),
    changelog,
    characters,
    notification_sent_at: notice === null ? null : timestamp(notice.sentAt),
    notification_mails: notice?.mails ?? 0,
    notification_finished_at: finishedAt === null ? null : timestamp(finishedAt),
  }
}
