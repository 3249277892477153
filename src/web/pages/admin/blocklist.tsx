import * as z from 'zod'
import { execute } from '../../../db/query'
import {
  approveChanges,
  decidedMeanwhile,
  findPendingChange,
  previewReview,
  rejectChanges,
} from '../../../domain/moderation/blocklists/review'
import { requireSubscription } from '../../../domain/moderation/blocklists/subscribe'
import { previewLimit } from '../../../domain/moderation/preview-effects'
import { NotFound } from '../../../errors'
import { BlocklistView, ReviewPage } from '../../components/admin/blocklist'
import { askLimit } from '../../components/admin/questions'
import { textField } from '../../form-fields'
import type { SubmissionCall } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { fixedQuestion } from '../../member-pages/question'
import { moderatorOf } from '../../moderator'
import { paths } from '../../paths'
import { loadList } from './load-blocklist'

const path = `${paths.blocklists}/:id` as const
const form = z.object({ change: textField(20) })
type Call = SubmissionCall<z.output<typeof form>>

/** Changes that a published list proposes, to be approved or rejected one by one or all together. */
export const blocklistPage = memberPage({
  kind: 'admin',
  path,
  title: 'admin.blocklist',
  access: 'manageFederation',
  menu: null,
  form,
  submissions: [
    { path: `${path}/review`, isCommand: true, run: review },
    { path: `${path}/approve`, isCommand: true, ask: askApproval, run: approve },
    { path: `${path}/reject`, isCommand: true, ask: askRejection, run: reject },
  ],
  notices: {
    approved: 'admin.blocklist.approvedLimitsMadeBackground',
    rejected: 'admin.blocklist.rejectedProposedAgainWhen',
  },
  load: loadList,
  view: (page) => <BlocklistView page={page} />,
})

/** The change that a form names, or all of them where it names none. */
function decidedOf({ change }: z.output<typeof form>) {
  const id = Number(change)
  if (change === '') return 'all' as const
  if (!Number.isSafeInteger(id)) throw new NotFound()
  return [id]
}

const approvalOfAll = fixedQuestion('admin.blocklist.approveAll', 'admin.blocklist.allChangesTakeEffect')
const rejectionOfAll = fixedQuestion('admin.blocklist.rejectAll', 'admin.blocklist.noneTakesEffectProposed')

/** Asks about all changes together, and about one that suspends a server or deletes its media. */
async function askApproval({ c, ctx, input }: Call) {
  const decided = decidedOf(input)
  if (decided === 'all') return approvalOfAll()
  const [changeId = 0] = decided
  const entry = await execute(ctx.db, findPendingChange(ctx, requireIdInPath(c), changeId))
  if (entry === null) throw decidedMeanwhile()
  const suspends = entry.severity === 'suspend'
  if (entry.change === 'remove' || (!suspends && !entry.rejectMedia)) return null
  const { effects } = await previewLimit(ctx, entry.domain)
  return askLimit({ domain: entry.domain, effects, suspends, deletesMedia: true })
}

async function askRejection({ input }: Call) {
  return decidedOf(input) === 'all' ? rejectionOfAll() : null
}

async function approve({ c, ctx, session, input }: Call) {
  await approveChanges(ctx, moderatorOf(c, session), requireIdInPath(c), decidedOf(input))
  return { notice: 'approved' as const }
}

async function reject({ c, ctx, session, input }: Call) {
  await rejectChanges(ctx, moderatorOf(c, session), requireIdInPath(c), decidedOf(input))
  return { notice: 'rejected' as const }
}

/** Sums all changes up, which reads each of them: a page of its own, and not with every look at the list. */
async function review({ c, ctx }: Call) {
  const id = requireIdInPath(c)
  const list = await requireSubscription(ctx, id)
  const preview = await previewReview(ctx, id)
  return {
    show: <ReviewPage title={list.title} path={`${paths.blocklists}/${id}`} preview={preview} />,
  }
}
