import * as z from 'zod'
import type { Account } from '../../../contract/entities/account'
import { combineQueries, execute } from '../../../db/query'
import { updateProfile } from '../../../domain/accounts/update'
import { type ViewerRef, viewerById } from '../../../domain/core/viewer'
import { followAccount } from '../../../domain/relationships/follow'
import { peopleById } from '../../../domain/sessions/find'
import { computeSuggestions, isFresh } from '../../../domain/suggestions/compute'
import { selectSuggested, suggestionsFor } from '../../../domain/suggestions/find'
import { markFirstStepsShown } from '../../../domain/users/warn'
import { NotFound } from '../../../errors'
import type { Ctx } from '../../../ports/ctx'
import { loadAccounts, loadOwnProfile } from '../../../view/load/accounts'
import { presentAccounts } from '../../../view/present/account'
import { presentProfile } from '../../../view/present/own-account'
import { summaryOfAccount } from '../../components/account-card'
import { StartPage } from '../../components/settings/start-view'
import { textField, uploadField } from '../../form-fields'
import type { SubmissionCall } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'

const mostSuggested = 8
const profilePath = `${paths.firstSteps}/profile`

const form = z.object({
  display_name: textField(500),
  note: textField(20_000),
  avatar: uploadField,
})

export const startPage = memberPage({
  kind: 'settings',
  path: paths.start,
  title: 'settings.start.welcome',
  access: 'signed-in',
  menu: { group: 'profile', label: 'common.firstSteps', order: 10 },
  form,
  uploadFields: ['avatar'],
  script: 'crop.js',
  submissions: [
    { path: profilePath, access: 'active', run: saveProfile },
    { path: `${paths.firstSteps}/follow/:id`, access: 'active', isCommand: true, run: follow },
  ],
  notices: {
    profile: 'settings.profileSaved',
    followed: 'settings.start.followOneMoreAccount',
  },
  load: async (ctx, { session }) => {
    const viewer = viewerById(session.accountId)
    // Presenters leave out accounts that are not confirmed and approved.
    if (!session.confirmed || !session.approved)
      return { displayName: '', note: '', avatarUrl: null, people: [] }
    if (session.firstStepsDue) ctx.waitUntil(markFirstStepsShown(ctx, session.accountId))
    const own = await execute(
      ctx.db,
      combineQueries({ profile: loadOwnProfile(ctx, viewer), suggested: suggested(ctx, viewer) }),
    )
    const profile = presentProfile(ctx.config, own.profile)
    let people = own.suggested
    if (!isFresh(people.list, ctx.clock.now())) {
      await computeSuggestions(ctx, { id: session.accountId })
      people = await execute(ctx.db, suggested(ctx, viewer))
    }
    return {
      displayName: profile.display_name,
      note: profile.note,
      avatarUrl: profile.avatar,
      people: presentAccounts(ctx.config, people.accounts).map(lineOf),
    }
  },
  view: ({ session, typed, found }) => {
    const isTyped = typed('sent') === 'true'
    return (
      <StartPage
        isActive={session.confirmed && session.approved}
        {...found}
        displayName={isTyped ? typed('display_name') : found.displayName}
        note={isTyped ? typed('note') : found.note}
      />
    )
  },
})

function suggested(ctx: Ctx, viewer: ViewerRef) {
  const page = { limit: mostSuggested, offset: 0 }
  return combineQueries({
    list: suggestionsFor(ctx, viewer),
    accounts: loadAccounts(ctx, selectSuggested(viewer, page, ctx.clock.now())),
  })
}

function lineOf(account: Account) {
  return { id: account.id, account: summaryOfAccount(account) }
}

async function saveProfile({ ctx, session, input }: SubmissionCall<z.output<typeof form>>) {
  const { display_name: displayName, note, avatar } = input
  await updateProfile(ctx, { id: session.accountId }, { displayName, note, avatar: avatar ?? undefined })
  return { notice: 'profile' as const, at: 'profile' }
}

async function follow({ c, ctx, session }: SubmissionCall<unknown>) {
  await ctx.throttle.take('follows', String(session.accountId))
  const person = (await execute(ctx.db, peopleById(ctx, [session.accountId]))).get(session.accountId)
  if (person === undefined) throw new NotFound()
  await followAccount(ctx, person.viewer, requireIdInPath(c), {})
  return { notice: 'followed' as const, at: 'people', keeps: profilePath }
}
