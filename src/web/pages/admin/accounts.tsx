import * as z from 'zod'
import type { AdminAccount } from '../../../contract/entities/admin/account'
import { execute } from '../../../db/query'
import { approveMember, findPendingMember, rejectMember } from '../../../domain/moderation/delete-account'
import { accountStates, planAccountPage } from '../../../domain/moderation/find-accounts'
import { parseAddressRange } from '../../../lib/network'
import type { TextKey } from '../../../lib/translate'
import type { Ctx } from '../../../ports/ctx'
import { loadScannedAccounts } from '../../../view/load/admin-accounts'
import { presentAdminAccounts } from '../../../view/present/admin-account'
import { AccountLine, statesOf } from '../../components/admin/notes'
import { More, Panel } from '../../components/admin/panel'
import { askRejection } from '../../components/admin/questions'
import { Table } from '../../components/admin/table'
import { Button } from '../../components/button'
import { Command } from '../../components/confirm'
import { Day } from '../../components/day'
import { SelectField, TextField } from '../../components/field'
import { Tabs } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import type { PageQuery, PageView, SubmissionCall } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { moderatorOf } from '../../moderator'
import { pageBehind, readMaxId } from '../../pagination'
import { paths } from '../../paths'

const title = 'admin.accounts.accounts'
const pageLength = 40
const maxText = 200

const stateTexts = {
  active: 'admin.accounts.notSuspended',
  pending: 'admin.accounts.waitForApproval',
  disabled: 'field.accountDisabled',
  silenced: 'field.limited',
  suspended: 'field.suspended',
  sensitized: 'admin.accounts.mediaSensitive',
} as const satisfies Readonly<Record<(typeof accountStates)[number], TextKey>>

/** Accounts by condition, and sign-ups that wait for approval. */
export const accountsPage = memberPage({
  kind: 'admin',
  path: paths.moderatedAccounts,
  title,
  access: 'manageUsers',
  menu: { label: title, order: 30 },
  form: z.object({}),
  submissions: [
    { path: `${paths.moderatedAccounts}/:id/approve`, isCommand: true, run: approve },
    { path: `${paths.moderatedAccounts}/:id/reject`, isCommand: true, ask: askReject, run: reject },
  ],
  notices: {
    approved: 'admin.accounts.accountLetOwnerTold',
    rejected: 'admin.accounts.signUpRemoved',
  },
  load: loadAccounts,
  view: (page) => <AccountsView page={page} />,
})

type Found = Awaited<ReturnType<typeof loadAccounts>>

function AccountsView({ page }: { readonly page: PageView<Found> }) {
  const t = useTranslation()
  return (
    <Panel title={t(title)} current={paths.moderatedAccounts}>
      <Tabs
        label={t('admin.accounts.accounts')}
        tabs={[
          {
            href: paths.moderatedAccounts,
            label: t('admin.members'),
            isCurrent: page.found.tab === 'members',
          },
          {
            href: `${paths.moderatedAccounts}?status=pending`,
            label: t('admin.accounts.signUpsApprove'),
            isCurrent: page.found.tab === 'pending',
          },
          {
            href: `${paths.moderatedAccounts}?origin=remote`,
            label: t('admin.accounts.remote'),
            isCurrent: page.found.tab === 'remote',
          },
        ]}
      />
      <FilterForm found={page.found} />
      {page.found.isInvalid && <p class="error">{t('admin.accounts.noIpAddress')}</p>}
      {page.found.accounts.length === 0 ? (
        <p class="quiet small">
          {page.found.tab === 'pending'
            ? t('admin.accounts.nobodyWaitsApproval')
            : t('admin.accounts.noAccountLike')}
        </p>
      ) : page.found.tab === 'pending' ? (
        <ul class="entries block">
          {page.found.accounts.map((account) => (
            <li>
              <SignUp account={account} />
            </li>
          ))}
        </ul>
      ) : (
        <AccountTable accounts={page.found.accounts} />
      )}
      <More olderUrl={page.found.olderUrl} />
    </Panel>
  )
}

async function approve({ c, ctx, session }: SubmissionCall<unknown>) {
  await approveMember(ctx, moderatorOf(c, session), requireIdInPath(c))
  return { notice: 'approved' as const }
}

async function askReject({ c, ctx, session }: SubmissionCall<unknown>) {
  const target = await findPendingMember(ctx, moderatorOf(c, session), requireIdInPath(c))
  return askRejection(target, ctx.mailer !== null)
}

async function reject({ c, ctx, session }: SubmissionCall<unknown>) {
  await rejectMember(ctx, moderatorOf(c, session), requireIdInPath(c))
  return { notice: 'rejected' as const }
}

const conditionNames = ['origin', 'status', 'username', 'domain', 'email', 'ip'] as const
type Conditions = Readonly<Record<(typeof conditionNames)[number], string>>

async function loadAccounts(ctx: Ctx, { query }: PageQuery) {
  const text = (name: string) => query(name).trim().slice(0, maxText)
  const sent: Conditions = {
    origin: text('origin') === 'remote' ? 'remote' : 'local',
    status: text('status'),
    username: text('username').replace(/^@/, ''),
    domain: text('domain'),
    email: text('email'),
    ip: text('ip'),
  }
  const { origin, status } = sent
  const tab = origin === 'remote' ? 'remote' : status === 'pending' ? 'pending' : 'members'
  const addresses = sent.ip === '' ? undefined : parseAddressRange(sent.ip)
  if (addresses === null) return { sent, tab, isInvalid: true, accounts: [], olderUrl: null }
  const filter = {
    origin: origin === 'remote' ? ('remote' as const) : ('local' as const),
    status: accountStates.find((state) => state === status) ?? ('active' as const),
    username: sent.username || undefined,
    domain: sent.domain || undefined,
    email: sent.email || undefined,
    addresses,
  }
  const page = { limit: pageLength, maxId: readMaxId(query('max_id')) }
  const scan = await planAccountPage(ctx, filter, page)
  const bundle = await execute(ctx.db, loadScannedAccounts(ctx, scan))
  const last = bundle.cursors.length === scan.limit || bundle.endsEarly ? bundle.cursors.at(-1) : undefined
  return {
    sent,
    tab,
    isInvalid: false,
    accounts: presentAdminAccounts(ctx.config, bundle),
    olderUrl: pageBehind(paths.moderatedAccounts, last, sent),
  }
}

function FilterForm({ found: { sent } }: { readonly found: Found }) {
  const t = useTranslation()
  const isRemote = sent.origin === 'remote'
  return (
    <form class="filter" method="get" action={paths.moderatedAccounts}>
      <input type="hidden" name="origin" value={sent.origin} />
      <TextField
        name="username"
        label={t('admin.accounts.nameBeginsWith')}
        value={sent.username}
        autocomplete="off"
        isFilter
      />
      {isRemote ? (
        <TextField name="domain" label={t('field.server')} value={sent.domain} autocomplete="off" isFilter />
      ) : (
        <>
          <TextField
            name="email"
            label={t('admin.accounts.emailBeginsWith')}
            value={sent.email}
            autocomplete="off"
            isFilter
          />
          <TextField
            name="ip"
            label={t('field.ipAddressNetwork')}
            value={sent.ip}
            autocomplete="off"
            isFilter
          />
        </>
      )}
      <SelectField
        name="status"
        label={t('field.state')}
        value={sent.status === '' ? 'active' : sent.status}
        options={accountStates.map((value) => ({ value, text: t(stateTexts[value]) }))}
      />
      <Button look="secondary">{t('admin.filter')}</Button>
    </form>
  )
}

function AccountTable({ accounts }: Pick<Found, 'accounts'>) {
  const t = useTranslation()
  return (
    <Table
      label={t('admin.accounts.accounts')}
      columns={[
        t('field.account'),
        t('field.state'),
        t('common.email'),
        t('admin.accounts.ipAddress'),
        t('profile.joined'),
      ]}
    >
      {accounts.map((account) => (
        <AccountRow account={account} />
      ))}
    </Table>
  )
}

function AccountRow({ account }: { readonly account: AdminAccount }) {
  const t = useTranslation()
  const { email, ip, created_at: createdAt } = account
  return (
    <tr>
      <th scope="row">
        <AccountLine account={account} hasStates={false} />
      </th>
      <td>
        {statesOf(account).map((state) => (
          <span class="tag warn">{t(state)}</span>
        ))}
      </td>
      <td>{email}</td>
      <td>{ip !== null && <code>{ip}</code>}</td>
      <td>
        <Day at={new Date(createdAt)} />
      </td>
    </tr>
  )
}

/** A member who waits for approval, with the words they signed up with. */
function SignUp({ account }: { readonly account: AdminAccount }) {
  const t = useTranslation()
  const { email, ip, invite_request: reason, created_at: createdAt } = account
  const path = `${paths.moderatedAccounts}/${account.id}`
  return (
    <>
      <AccountLine account={account} />
      <p class="quiet small">
        {email !== null && <>{email} · </>}
        {ip !== null && <>{ip} · </>}
        {t.rich('admin.accounts.since', { day: () => <Day at={new Date(createdAt)} /> })}
      </p>
      {reason !== null && (
        <p class="quoted">
          <bdi>{reason}</bdi>
        </p>
      )}
      <div class="actions">
        <Command action={`${path}/approve`}>{t('admin.approve')}</Command>
        <Command action={`${path}/reject`} asks>
          {t('admin.reject')}
        </Command>
      </div>
    </>
  )
}
