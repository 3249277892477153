import { Hono } from 'hono'
import * as z from 'zod'
import { combineQueries, execute } from '../db/query'
import { anonymousViewer } from '../domain/core/viewer'
import { actOnStatuses, statusActionTypes } from '../domain/moderation/act-on-statuses'
import { decideAppeal } from '../domain/moderation/appeal'
import { findAppeals } from '../domain/moderation/find-strikes'
import { reportById } from '../domain/reports/find'
import { findCollectionEvidence, findEvidence, findReports } from '../domain/reports/find-for-moderators'
import { assignReportTo, reopenReport, resolveReport, unassignReport } from '../domain/reports/update'
import { NotFound } from '../errors'
import type { Ctx } from '../ports/ctx'
import { affordableReports, loadAdminReports } from '../view/load/admin-reports'
import { presentAdminReports, presentOnlyAdminReport } from '../view/present/admin-report'
import { presentAdminAppeal, presentCollectionEvidence, presentEvidence } from '../view/present/report'
import type { OperatorEnv } from './env'
import { readInput } from './input'

const pageLength = 40

const before = z.coerce.number().int().nullable().default(null)
const List = z.object({ resolved: z.boolean().default(false), before })
const One = z.object({ id: z.coerce.number().int() })
const WithText = One.extend({ text: z.string().default('') })
const Assigned = One.extend({ username: z.string().nullable() })
const Appeals = z.object({ all: z.boolean().default(false), before })
const Verdict = One.extend({ verdict: z.enum(['approve', 'reject']) })

/** Routes about reports and appeals for operators without a panel. Mounted behind the set-up token. */
export function reportRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
  app.post('/setup/reports/list', async (c) => {
    const ctx = c.get('ctx')
    const { resolved, before } = await readInput(c, List)
    const page = { limit: pageLength, maxId: before ?? undefined }
    const { reports, endsAt } = await execute(ctx.db, findReports(ctx, { resolved }, page))
    const shown = affordableReports(reports)
    const bundle = await execute(ctx.db, loadAdminReports(ctx, anonymousViewer, shown))
    const isLast = shown.length === reports.length && reports.length < pageLength && endsAt === null
    const last = shown.length < reports.length ? shown.at(-1)?.id : (endsAt ?? shown.at(-1)?.id)
    return c.json({
      reports: presentAdminReports(showing(ctx), bundle),
      next: isLast ? null : (last ?? null),
    })
  })
  app.post('/setup/reports/show', async (c) => {
    const ctx = c.get('ctx')
    const { id } = await readInput(c, One)
    const { report, evidence, collections } = await execute(
      ctx.db,
      combineQueries({
        report: reportById(ctx, id),
        evidence: findEvidence(ctx, { reportId: id }),
        collections: findCollectionEvidence(ctx, { reportId: id }),
      }),
    )
    if (report === null) throw new NotFound()
    const bundle = await execute(ctx.db, loadAdminReports(ctx, anonymousViewer, [report]))
    return c.json({
      report: presentOnlyAdminReport(showing(ctx), bundle),
      evidence: evidence.map((one) => presentEvidence(ctx.config, one)),
      collections: collections.map((one) => presentCollectionEvidence(ctx.config, one)),
    })
  })
  app.post('/setup/reports/resolve', async (c) => {
    await resolveReport(c.get('ctx'), c.get('moderator'), (await readInput(c, One)).id)
    return c.json({})
  })
  for (const type of statusActionTypes)
    app.post(`/setup/reports/statuses/${type}`, async (c) => {
      const ctx = c.get('ctx')
      const { id, text } = await readInput(c, WithText)
      const report = await execute(ctx.db, reportById(ctx, id))
      if (report === null) throw new NotFound()
      await actOnStatuses(ctx, c.get('moderator'), {
        accountId: report.targetAccountId,
        reportId: report.id,
        type,
        text,
        warningPresetId: null,
        sendEmail: true,
        statusIds: null,
        collectionIds: null,
      })
      return c.json({})
    })
  app.post('/setup/reports/reopen', async (c) => {
    await reopenReport(c.get('ctx'), c.get('moderator'), (await readInput(c, One)).id)
    return c.json({})
  })
  app.post('/setup/reports/assign', async (c) => {
    const ctx = c.get('ctx')
    const { id, username } = await readInput(c, Assigned)
    if (username === null) await unassignReport(ctx, c.get('moderator'), id)
    else await assignReportTo(ctx, c.get('moderator'), { id, username })
    return c.json({})
  })
  app.post('/setup/appeals/list', async (c) => {
    const ctx = c.get('ctx')
    const { all, before } = await readInput(c, Appeals)
    const page = { limit: pageLength, maxId: before ?? undefined }
    const strikes = await execute(ctx.db, findAppeals(ctx, { onlyPending: !all }, page))
    const last = strikes.length < pageLength ? undefined : strikes.at(-1)
    return c.json({
      appeals: strikes.map((strike) => presentAdminAppeal(strike, [])),
      next: last?.appeal?.id ?? null,
    })
  })
  app.post('/setup/appeals/decide', async (c) => {
    const { id, verdict } = await readInput(c, Verdict)
    await decideAppeal(c.get('ctx'), c.get('moderator'), { appealId: id, verdict })
    return c.json({})
  })
  return app
}

function showing({ config, clock }: Ctx) {
  return { config, now: clock.now() }
}
