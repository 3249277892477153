import { Hono } from 'hono'
import { ReportCategory } from '../../../contract/entities/report'
import type { Status } from '../../../contract/entities/status'
import { combineQueries, constant, type Query } from '../../../db/query'
import type { ViewerRef } from '../../../domain/core/viewer'
import { loadRules, type RuleRow } from '../../../domain/instance/rules'
import { createReport } from '../../../domain/reports/create'
import { accountSelection } from '../../../domain/timelines/account'
import { Invalid } from '../../../errors'
import type { AppEnv } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadStatuses, type StatusBundle, statusesById } from '../../../view/load/statuses'
import { presentStatuses } from '../../../view/present/status'
import type { Form } from '../../csrf'
import { readMaxId } from '../../pagination'
import { personActPath } from '../../people/acts'
import { titleOf } from '../../status-view'
import { type FormView, type PersonForm, personForm } from './form-page'
import { type ReportablePost, type ReportFields, ReportPage, ReportSentPage } from './report-view'

/** Reports of accounts, with posts of theirs, to the moderators. */
export function personReportRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  personForm(app, reporting)
  return app
}

/** Posts that the form offers, the latest first. */
const mostOffered = 10

interface ReportFound {
  readonly rules: readonly RuleRow[]
  readonly recent: StatusBundle
  /** The post that the report began at. */
  readonly named: StatusBundle | null
}

const reporting: PersonForm<ReportFound> = {
  name: 'report',
  fields: (form) => [
    'category',
    'comment',
    'forward',
    'rules',
    'posts',
    ...listed(form, 'rules').map((id) => `rule_${id}`),
    ...listed(form, 'posts').map((id) => `post_${id}`),
  ],
  read: (ctx, as, { id, query }) => readReport(ctx, as, { id, named: readMaxId(query('status')) ?? null }),
  show: (ctx, view) => {
    if (view.request.query('sent') !== '') return <ReportSentPage view={view} />
    const posts = postsToReport(ctx, view)
    return <ReportPage view={view} rules={view.found.rules} posts={posts} fields={fieldsOf(view)} />
  },
  work: async (ctx, viewer, { id, form, query }) => {
    await ctx.throttle.take('reports', String(viewer.id))
    const ruleIds = chosen(form, 'rules', 'rule').map(Number)
    const category = categoryIn(form('category'))
    if (category === 'violation' && ruleIds.length === 0)
      throw new Invalid('not_chosen', { field: 'rule_ids' })
    await createReport(ctx, viewer, {
      targetId: id,
      statusIds: chosen(form, 'posts', 'post').map(Number),
      collectionIds: [],
      comment: form('comment').replaceAll('\r\n', '\n'),
      category,
      ruleIds,
      forward: form('forward') === '1',
    })
    const after = new URLSearchParams({ sent: '1', return_to: query('return_to') })
    return `${personActPath(String(id))}/report?${after}`
  },
}

function readReport(
  ctx: Ctx,
  as: ViewerRef,
  { id, named }: { readonly id: number; readonly named: number | null },
): Query<ReportFound> {
  const filter = {
    owner: id,
    onlyMedia: false,
    excludeReplies: false,
    excludeReblogs: true,
    excludeDirect: false,
    tagged: null,
  }
  const recent = accountSelection(as, filter, { limit: mostOffered }, ctx.clock.now())
  return combineQueries({
    rules: loadRules(ctx),
    recent: loadStatuses(ctx, as, recent),
    named: named === null ? constant(null) : loadStatuses(ctx, as, statusesById([named])),
  })
}

/** The post that the report began at, and the latest ones. */
function postsToReport(
  { config }: Ctx,
  { found: { recent, named }, profile, now }: FormView<ReportFound>,
): readonly ReportablePost[] {
  const own = (bundle: StatusBundle | null): readonly Status[] =>
    bundle === null
      ? []
      : presentStatuses({ config, now }, bundle)
          .map((status) => status.reblog ?? status)
          .filter(({ account }) => account.id === profile.id)
  const posts = new Map([...own(named), ...own(recent)].map((status) => [status.id, status]))
  return [...posts.values()].map((status) => ({
    id: status.id,
    text: titleOf(status) ?? '',
    at: new Date(status.created_at),
    media: status.media_attachments.length,
  }))
}

function fieldsOf({ typed, request }: FormView<ReportFound>): ReportFields {
  if (typed === null)
    return {
      category: 'other',
      comment: '',
      forwards: false,
      ruleIds: new Set(),
      statusIds: new Set([request.query('status')]),
    }
  return {
    category: categoryIn(typed('category')),
    comment: typed('comment'),
    forwards: typed('forward') === '1',
    ruleIds: new Set(chosen(typed, 'rules', 'rule').map(Number)),
    statusIds: new Set(chosen(typed, 'posts', 'post')),
  }
}

function categoryIn(text: string): ReportCategory {
  return ReportCategory.options.find((one) => one === text) ?? 'other'
}

/** Ids that the form offered in a hidden field. */
function listed(form: Form, list: string): readonly string[] {
  return form(list).match(/\d{1,16}/g) ?? []
}

/** The chosen ones of them. */
function chosen(form: Form, list: string, field: string): readonly string[] {
  return listed(form, list).filter((id) => form(`${field}_${id}`) === '1')
}
