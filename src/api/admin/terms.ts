import * as z from 'zod'
import { AdminTerms, AdminTermsWithText } from '../../contract/entities/admin/terms'
import { CalendarDate } from '../../contract/scalars'
import { execute } from '../../db/query'
import { cancelTerms, scheduleTerms } from '../../domain/instance/schedule-terms'
import { dayText, findTerms, type Terms, type TermsSummary, termsOf } from '../../domain/instance/terms'
import { NotFound } from '../../errors'
import { timestamp } from '../../view/present/time'
import { EmptyObject } from '../api-response'
import { staff } from '../caller'
import { endpoint, readEndpoint } from '../endpoint'

const path = '/api/fieldfare/v1/admin/terms'
const reading = staff('admin:read', 'manageSettings')
const writing = staff('admin:write', 'manageSettings')

const ByDay = z.object({ date: z.string() })

export const adminTerms = [
  readEndpoint({
    method: 'GET',
    path,
    summary: 'Every version of the terms of service, the latest first',
    auth: reading,
    input: z.object({}),
    output: z.array(AdminTerms),
    read: (ctx) => findTerms(ctx),
    show: ({ clock }, { found }) => found.map((version) => presentSummary(version, clock.now())),
  }),
  endpoint({
    method: 'POST',
    path,
    summary: 'Publishes terms that come into force on `effective_date`, today by default',
    auth: writing,
    input: z.object({ text: z.string(), effective_date: CalendarDate.optional() }),
    output: AdminTermsWithText,
    run: async (ctx, { input, viewer }) => {
      const { text, effective_date: effectiveOn = dayText(ctx.clock.now()) } = input
      await scheduleTerms(ctx, viewer, { text, effectiveOn })
      return presentVersion(await execute(ctx.db, termsOf(ctx, effectiveOn)), ctx.clock.now())
    },
  }),
  readEndpoint({
    method: 'GET',
    path: `${path}/:date`,
    summary: 'The version that comes into force on a day, with its text',
    auth: reading,
    input: ByDay,
    output: AdminTermsWithText,
    read: (ctx, { input }) => termsOf(ctx, input.date),
    show: ({ clock }, { found }) => presentVersion(found, clock.now()),
  }),
  endpoint({
    method: 'DELETE',
    path: `${path}/:date`,
    summary: 'Deletes a version that is not in force yet',
    auth: writing,
    input: ByDay,
    output: EmptyObject,
    run: async (ctx, { input, viewer }) => {
      await cancelTerms(ctx, viewer, input.date)
      return {}
    },
  }),
]

function presentVersion(terms: Terms | null, now: Date): AdminTermsWithText {
  if (terms === null) throw new NotFound()
  const { text } = terms
  return { ...presentSummary({ ...terms, characters: text.length }, now), text }
}

function presentSummary(version: TermsSummary, now: Date): AdminTerms {
  const { effectiveOn, succeededOn, publishedAt, characters } = version
  return {
    effective_date: effectiveOn,
    effective: effectiveOn <= dayText(now),
    succeeded_by: succeededOn,
    published_at: timestamp(publishedAt),
    characters,
  }
}
