import * as z from 'zod'
import { combineQueries, execute } from '../../../db/query'
import { viewerById } from '../../../domain/core/viewer'
import { snoozedAccounts } from '../../../domain/relationships/account-lists'
import { unmuteAccount } from '../../../domain/relationships/block'
import { changeFollow } from '../../../domain/relationships/follow'
import { quieterFollows, quieterTags } from '../../../domain/relationships/shown-less'
import { changeTagFollow } from '../../../domain/tags/follow'
import { loadAccounts } from '../../../view/load/accounts'
import { loadRelationships } from '../../../view/load/relationships'
import { presentAccounts } from '../../../view/present/account'
import { summaryOfAccount } from '../../components/account-card'
import { ShownLessPage, shownLessTitle as title } from '../../components/settings/shown-less-view'
import { textField } from '../../form-fields'
import type { SubmissionCall } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { lastCursor, readMaxId } from '../../pagination'
import { paths } from '../../paths'
import { memberViewer } from '../interact/member-viewer'

const pageLength = 20
const accountPath = `${paths.shownLess}/accounts/:id` as const

const form = z.object({ name: textField(200) })
type Call = SubmissionCall<z.output<typeof form>>

/** Choices of a follow that leaves nothing out. */
const everything = { showReblogs: true, showReplies: true, fewer: false, languages: null } as const

export const shownLessPage = memberPage({
  kind: 'settings',
  path: paths.shownLess,
  title,
  access: 'active',
  menu: { group: 'reach', label: title, order: 47 },
  words: [
    'settings.shownLess.snoozedAccounts',
    'settings.shownLess.quieterAccounts',
    'settings.shownLess.quieterTags',
  ],
  form,
  submissions: [
    { path: `${accountPath}/unsnooze`, isCommand: true, run: endSnooze },
    { path: `${accountPath}/all`, isCommand: true, run: showAllOfAccount },
    { path: `${paths.shownLess}/tags/unsnooze`, isCommand: true, run: endSnoozeOfTag },
    { path: `${paths.shownLess}/tags/all`, isCommand: true, run: showAllOfTag },
  ],
  notices: {
    unsnoozed: 'settings.shownLess.unsnoozed',
    all: 'settings.shownLess.allShown',
  },
  load: async (ctx, { session, query }) => {
    const viewer = viewerById(session.accountId)
    const from = (name: string) => ({ limit: pageLength, maxId: readMaxId(query(name)) })
    const snoozed = snoozedAccounts(viewer, from('snoozed'), ctx.clock.now())
    const quieter = quieterFollows(viewer, from('accounts'))
    const found = await execute(
      ctx.db,
      combineQueries({
        snoozed: loadAccounts(ctx, snoozed),
        snoozes: loadRelationships(ctx, viewer, snoozed),
        quieter: loadAccounts(ctx, quieter),
        follows: loadRelationships(ctx, viewer, quieter),
        tags: quieterTags(ctx, viewer, from('tags')),
      }),
    )
    const facts = new Map([...found.snoozes, ...found.follows].map((one) => [String(one.id), one]))
    const linesOf = (bundle: typeof found.snoozed) =>
      presentAccounts(ctx.config, bundle).map((account) => ({
        id: account.id,
        account: summaryOfAccount(account),
        facts: facts.get(account.id) ?? null,
      }))
    // Three lists share the page: each continues by a parameter of its own.
    return {
      snoozed: linesOf(found.snoozed),
      moreSnoozed: moreUrl('snoozed', lastCursor(found.snoozed, pageLength)),
      quieter: linesOf(found.quieter),
      moreQuieter: moreUrl('accounts', lastCursor(found.quieter, pageLength)),
      tags: found.tags.tags,
      moreTags: moreUrl('tags', found.tags.last),
    }
  },
  view: ({ found }) => <ShownLessPage {...found} />,
})

function moreUrl(name: string, last: number | undefined): string | null {
  return last === undefined ? null : `${paths.shownLess}?${name}=${last}`
}

async function endSnooze({ c, ctx, session }: Call) {
  await unmuteAccount(ctx, { id: session.accountId }, requireIdInPath(c))
  return { notice: 'unsnoozed' as const }
}

async function showAllOfAccount({ c, ctx, session }: Call) {
  await changeFollow(ctx, await memberViewer(ctx, session.accountId), requireIdInPath(c), everything)
  return { notice: 'all' as const }
}

async function endSnoozeOfTag({ ctx, session, input }: Call) {
  await changeTagFollow(ctx, { id: session.accountId }, input.name, { snoozedUntil: null })
  return { notice: 'unsnoozed' as const }
}

async function showAllOfTag({ ctx, session, input }: Call) {
  await changeTagFollow(ctx, { id: session.accountId }, input.name, { fewer: false })
  return { notice: 'all' as const }
}
