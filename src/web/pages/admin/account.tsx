import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { AccountHistoryEntry, AdminAccount } from '../../../contract/entities/admin/account'
import { combineQueries, execute } from '../../../db/query'
import { loadRules } from '../../../domain/instance/rules'
import { enableAccount, removeMark, unsuspendAccount } from '../../../domain/moderation/act'
import { deleteSuspendedAccount } from '../../../domain/moderation/delete-account'
import { type AccountPost, findAccountPosts, findHistory } from '../../../domain/moderation/find-history'
import { findNotes } from '../../../domain/moderation/notes'
import { previewDataDeletion } from '../../../domain/moderation/preview-acts'
import { listPresets } from '../../../domain/moderation/warning-presets'
import { baseRole, hasPermission, outranks } from '../../../domain/policy/permissions'
import { assignRole, findRoles, type Role } from '../../../domain/users/roles'
import { NotFound } from '../../../errors'
import { htmlToText } from '../../../lib/html'
import { instantOf } from '../../../lib/ids'
import { storedText } from '../../../lib/translate'
import type { Ctx } from '../../../ports/ctx'
import { loadAdminAccounts } from '../../../view/load/admin-accounts'
import {
  presentHistoryEntry,
  presentModerationNote,
  presentOnlyAdminAccount,
} from '../../../view/present/admin-account'
import { AccountPosts, type ShownPost } from '../../components/admin/account-posts'
import { ChoiceLinks } from '../../components/admin/decision-form'
import { AccountLine, LimitLink, Notes } from '../../components/admin/notes'
import { Facts, Panel } from '../../components/admin/panel'
import { askDataDeletion } from '../../components/admin/questions'
import { actionTexts, categoryTexts } from '../../components/admin/report-words'
import { RoleForm } from '../../components/admin/role-form'
import { Command } from '../../components/confirm'
import { Day } from '../../components/day'
import { textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import type { PageView, Submission, SubmissionCall } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { moderatorOf } from '../../moderator'
import { moderatedAccountPath, moderatedReportPath, paths } from '../../paths'
import { choicesAbout } from './account-decision'
import { askAboutPosts, decideAboutPosts, mostChoices, postDecisionFields } from './decide'
import { noteNotices, noteSubmissions } from './note-submissions'

const title = 'field.account'
const path = `${paths.moderatedAccounts}/:id` as const
const shownEntries = 20

const form = z.object({
  ...postDecisionFields,
  role: textField(20),
  note: textField(2_000),
})
type Call = SubmissionCall<z.output<typeof form>>

const undoings = ['unsuspend', 'unsilence', 'unsensitive', 'enable'] as const
type Undoing = (typeof undoings)[number]
type NoticeName = Undoing | 'decided' | 'role' | 'deleted' | keyof typeof noteNotices

/** An account with its history, and the decisions about it. */
export const moderatedAccountPage = memberPage({
  kind: 'admin',
  path,
  title,
  access: 'manageUsers',
  menu: null,
  form,
  submissions: [
    ...undoings.map(
      (undoing): Submission<z.output<typeof form>, NoticeName> => ({
        path: `${path}/${undoing}`,
        isCommand: true,
        run: async (call) => {
          await undo(call, undoing)
          return { notice: undoing }
        },
      }),
    ),
    {
      path: `${path}/posts`,
      ask: (call) => askAboutPosts(call, requireIdInPath(call.c)),
      run: runPostDecision,
    },
    { path: `${path}/role`, access: 'manageRoles', run: runRole },
    { path: `${path}/delete`, access: 'deleteUserData', isCommand: true, ask: askDeletion, run: runDeletion },
    ...noteSubmissions<z.output<typeof form>>('account', path),
  ],
  notices: {
    decided: 'admin.account.decisionCarriedOut',
    role: 'admin.account.accountHasAnotherRole',
    unsuspend: 'admin.account.accountNoLongerSuspended',
    unsilence: 'admin.account.accountNoLongerLimited',
    unsensitive: 'admin.account.mediaAccountNoLonger',
    enable: 'admin.account.ownerCanSignAgain',
    deleted: 'admin.account.dataAccountBeingDeleted',
    ...noteNotices,
  },
  load: (ctx, { id }) => loadAccount(ctx, id),
  view: (page) => <AccountPage page={page} />,
})

async function undo({ c, ctx, session }: Call, undoing: Undoing): Promise<void> {
  const [moderator, accountId] = [moderatorOf(c, session), requireIdInPath(c)]
  if (undoing === 'unsuspend') await unsuspendAccount(ctx, moderator, accountId)
  else if (undoing === 'enable') await enableAccount(ctx, moderator, accountId)
  else await removeMark(ctx, moderator, { accountId, action: undoing })
}

async function runPostDecision(call: Call) {
  await decideAboutPosts(call, requireIdInPath(call.c))
  return { notice: 'decided' as const }
}

async function runRole({ c, ctx, session, input }: Call) {
  const roleId = input.role === '' ? null : Number(input.role)
  await assignRole(ctx, moderatorOf(c, session), requireIdInPath(c), roleId)
  return { notice: 'role' as const }
}

async function askDeletion({ c, ctx, session }: Call) {
  return askDataDeletion(await previewDataDeletion(ctx, moderatorOf(c, session), requireIdInPath(c)))
}

async function runDeletion({ c, ctx, session }: Call) {
  await deleteSuspendedAccount(ctx, moderatorOf(c, session), requireIdInPath(c))
  return { notice: 'deleted' as const }
}

async function loadAccount(ctx: Ctx, id: number | null) {
  if (id === null) throw new NotFound()
  const found = await execute(
    ctx.db,
    combineQueries({
      account: loadAdminAccounts(ctx, sql`select ${id} as id, 0 as cursor`),
      posts: findAccountPosts(ctx, id, { limit: mostChoices }),
      history: findHistory(ctx, id, { limit: shownEntries }),
      notes: findNotes(ctx, { type: 'account', id }, { limit: shownEntries }),
      presets: listPresets(ctx),
      rules: loadRules(ctx),
      roles: findRoles(ctx),
    }),
  )
  const account = presentOnlyAdminAccount(ctx.config, found.account)
  return {
    account,
    posts: found.posts.map((post) => shownPost(post, account)),
    history: (found.history ?? [])
      .filter(({ type }) => type !== 'note')
      .map((entry) => presentHistoryEntry(entry, found.rules)),
    notes: found.notes.map(presentModerationNote),
    presets: found.presets,
    roles: found.roles.filter(({ id }) => id !== baseRole),
  }
}

function shownPost(post: AccountPost, { domain, username }: AdminAccount): ShownPost {
  return {
    id: post.id,
    href: domain === null ? `/@${username}/${post.id}` : (post.url ?? post.uri ?? ''),
    text: htmlToText(post.content),
    warning: post.spoilerText === '' ? null : post.spoilerText,
    visibility: post.visibility,
    isSensitive: post.sensitive,
    isLocalOnly: post.localOnly,
    files: post.attachments.length,
    at: instantOf(post.id),
  }
}

type Found = Awaited<ReturnType<typeof loadAccount>>

interface AccountPageProps {
  readonly page: PageView<Found>
}

function AccountPage({ page }: AccountPageProps) {
  const t = useTranslation()
  const { session, typed, found } = page
  const { account, history, notes, presets } = found
  const at = moderatedAccountPath(account.id)
  const isStaff = hasPermission(session.permissions, 'manageReports')
  const choices = choicesAbout(account)
  return (
    <Panel title={t(title)} current={paths.moderatedAccounts}>
      <AccountFacts account={account} />
      <LimitLink domain={account.domain} session={session} />
      <UndoForms account={account} at={at} />
      {choices.length > 0 && (
        <section class="block" aria-labelledby="decision">
          <h2 id="decision">{t('admin.decide')}</h2>
          <ChoiceLinks at={at} choices={choices} />
        </section>
      )}
      <RoleOf page={page} />
      {isStaff && (
        <AccountPosts
          action={`${at}/posts`}
          posts={found.posts}
          presets={presets}
          typed={typed}
          isLocal={account.domain === null}
        />
      )}
      {isStaff && <History history={history} />}
      {isStaff && <Notes path={at} notes={notes} typed={typed('note')} />}
      {account.suspended && hasPermission(session.permissions, 'deleteUserData') && (
        <Command action={`${at}/delete`} asks>
          {t('admin.account.deleteDataNow')}
        </Command>
      )}
    </Panel>
  )
}

/** The form for the role of a member, for staff who may assign roles and rank above the member. */
function RoleOf({ page: { session, found } }: AccountPageProps) {
  const { account, roles } = found
  const rank = { position: session.rolePosition }
  const held = roles.find(({ id }) => String(id) === account.role?.id)
  const isBelow = ({ position }: Role) => outranks(rank, position)
  if (account.domain !== null || !hasPermission(session.permissions, 'manageRoles')) return null
  if (account.id === String(session.accountId) || (held !== undefined && !isBelow(held))) return null
  return (
    <RoleForm
      action={`${moderatedAccountPath(account.id)}/role`}
      roleId={held === undefined ? null : String(held.id)}
      roles={roles.filter(isBelow)}
    />
  )
}

function AccountFacts({ account }: { readonly account: AdminAccount }) {
  const t = useTranslation()
  const { email, ips, locale, role, invite_request: reason, account: profile } = account
  const addresses =
    ips === null || ips.length === 0 ? null : (
      <ul class="plain-list">
        {ips.map(({ ip, used_at: usedAt }) => (
          <li>
            <a href={`${paths.moderatedAccounts}?${new URLSearchParams({ ip })}`}>{ip}</a>{' '}
            <span class="quiet small">
              <Day at={new Date(usedAt)} withTime />
            </span>
          </li>
        ))}
      </ul>
    )
  return (
    <section class="block" aria-label={t('admin.account.aboutTheAccount')}>
      <AccountLine account={account} />
      <Facts
        facts={[
          [t('common.profile'), <a href={profile.url ?? profile.uri}>{profile.url ?? profile.uri}</a>],
          [t('common.email'), email],
          [t('field.role'), role === null ? null : role.name],
          [t('admin.account.hereSince'), <Day at={new Date(account.created_at)} />],
          [t('admin.account.signedInFrom'), addresses],
          [t('field.language'), locale],
          [t('admin.account.askedJoin'), reason],
          [t('field.posts'), String(profile.statuses_count)],
          [t('field.followers'), String(profile.followers_count)],
          [t('admin.follows'), String(profile.following_count)],
        ]}
      />
    </section>
  )
}

interface UndoFormsProps {
  readonly account: AdminAccount
  readonly at: string
}

function UndoForms({ account, at }: UndoFormsProps) {
  const t = useTranslation()
  const offered: readonly (readonly [Undoing, string, boolean])[] = [
    ['unsuspend', t('admin.account.liftTheSuspension'), account.suspended],
    ['unsilence', t('admin.liftTheLimit'), account.silenced],
    ['unsensitive', t('admin.account.stopMarkingMedia'), account.sensitized],
    ['enable', t('admin.account.letOwnerAgain'), account.disabled === true],
  ]
  return (
    <div class="actions">
      {offered.map(
        ([undoing, text, isOffered]) => isOffered && <Command action={`${at}/${undoing}`}>{text}</Command>,
      )}
    </div>
  )
}

const historyTexts = {
  report_about: 'admin.reported',
  report_by: 'admin.account.reportedSomebody',
  strike: 'field.decision',
  note: 'field.note',
} as const

function History({ history }: { readonly history: readonly AccountHistoryEntry[] }) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="history">
      <h2 id="history">{t('admin.account.history')}</h2>
      {history.length === 0 ? (
        <p class="quiet small">{t('admin.account.noReportsNoDecisions')}</p>
      ) : (
        <ul class="entries">
          {history.map(({ type, created_at: at, report, strike }) => (
            <li>
              <strong>{t(historyTexts[type])}</strong>{' '}
              {report !== null && (
                <a href={moderatedReportPath(report.id)}>
                  {storedText(t, categoryTexts[report.category], report.category)}
                </a>
              )}
              {strike !== null && (
                <span class="tag warn">{storedText(t, actionTexts[strike.action], strike.action)}</span>
              )}{' '}
              {strike?.overruled_at != null && <span class="tag">{t('common.undone')}</span>}
              <span class="quiet small">
                {' '}
                <Day at={new Date(at)} withTime />
              </span>
              {(report?.comment ?? strike?.text ?? '') !== '' && (
                <p class="quoted">
                  <bdi>{report?.comment ?? strike?.text}</bdi>
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
