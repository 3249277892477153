import * as z from 'zod'
import { combineQueries, execute } from '../../../db/query'
import { selectKnown } from '../../../domain/accounts/find'
import { viewerById } from '../../../domain/core/viewer'
import {
  acceptRequest,
  changeNotificationPolicy,
  dismissRequest,
  notificationPolicyOf,
  type PolicyAction,
  type PolicyActions,
  type PolicyKind,
  requestsOf,
} from '../../../domain/notifications/requests'
import type { AccountId } from '../../../lib/ids'
import type { TextKey } from '../../../lib/translate'
import type { Ctx } from '../../../ports/ctx'
import { loadAccounts } from '../../../view/load/accounts'
import { presentAccounts } from '../../../view/present/account'
import { type AccountLine, AccountLines, summaryOfAccount } from '../../components/account-card'
import { Button } from '../../components/button'
import { SelectField } from '../../components/field'
import { PostForm } from '../../components/form'
import { MoreLink } from '../../components/page-links'
import { SettingsLayout } from '../../components/settings-layout'
import { textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import type { SubmissionCall } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { usePage } from '../../page-context'
import { lastCursor, pageBehind, readMaxId } from '../../pagination'
import { paths } from '../../paths'

const title = 'settings.notifications.whoMayNotify'
const pageLength = 20

const kinds: readonly { readonly kind: PolicyKind; readonly field: string; readonly label: TextKey }[] = [
  { kind: 'notFollowing', field: 'not_following', label: 'settings.notifications.peopleDoNotFollow' },
  { kind: 'notFollowers', field: 'not_followers', label: 'settings.notifications.peopleWhoDoNot' },
  { kind: 'newAccounts', field: 'new_accounts', label: 'settings.notifications.newAccounts' },
  {
    kind: 'privateMentions',
    field: 'private_mentions',
    label: 'settings.notifications.privateMentionsDidNot',
  },
  {
    kind: 'limitedAccounts',
    field: 'limited_accounts',
    label: 'settings.notifications.accountsModeratorsLimited',
  },
  { kind: 'bots', field: 'bots', label: 'settings.notifications.automatedAccounts' },
]
const actions: readonly { readonly value: PolicyAction; readonly text: TextKey }[] = [
  { value: 'accept', text: 'settings.notifications.letThrough' },
  { value: 'filter', text: 'settings.notifications.holdBackUntilDecide' },
  { value: 'drop', text: 'settings.notifications.ignore' },
]

const form = z.object({ ...Object.fromEntries(kinds.map(({ field }) => [field, textField(20)])) })

export const whoNotifiesPage = memberPage({
  kind: 'settings',
  path: paths.whoNotifies,
  title,
  access: 'active',
  menu: { group: 'reach', topic: 'notifications', label: title, order: 30 },
  words: [
    'settings.notifications.notificationsFrom',
    'settings.notifications.peopleDoNotFollow',
    'settings.notifications.peopleWhoDoNot',
    'settings.notifications.newAccounts',
    'settings.notifications.privateMentionsDidNot',
  ],
  form,
  submissions: [
    { run: save },
    {
      path: `${paths.whoNotifies}/requests/:id/accept`,
      isCommand: true,
      run: async ({ c, ctx, session }) => {
        await acceptRequest(ctx, { id: session.accountId }, requireIdInPath(c))
        return { notice: 'accepted' }
      },
    },
    {
      path: `${paths.whoNotifies}/requests/:id/dismiss`,
      isCommand: true,
      run: async ({ c, ctx, session }) => {
        await dismissRequest(ctx, { id: session.accountId }, requireIdInPath(c))
        return { notice: 'dismissed' }
      },
    },
  ],
  notices: {
    saved: 'settings.notifications.whoMayNotifySaved',
    accepted: 'settings.notifications.notificationsLetThroughLater',
    dismissed: 'settings.notifications.notificationsDeleted',
  },
  load: (ctx, { session, query }) => load(ctx, session.accountId, readMaxId(query('max_id'))),
  view: ({ found }) => <WhoNotifiesPage {...found} />,
})

async function load(ctx: Ctx, accountId: AccountId, maxId: number | undefined) {
  const viewer = viewerById(accountId)
  const { policy, held } = await execute(
    ctx.db,
    combineQueries({
      policy: notificationPolicyOf(ctx, viewer),
      held: requestsOf(ctx, viewer, { limit: pageLength, maxId }),
    }),
  )
  const ids = held.requests.map(({ from }) => from)
  const accounts = presentAccounts(ctx.config, await execute(ctx.db, loadAccounts(ctx, selectKnown(ids))))
  const byId = new Map(accounts.map((account) => [account.id, account]))
  return {
    policy: policy.policy,
    requests: held.requests.flatMap(({ id, from, count }) => {
      const account = byId.get(String(from))
      return account === undefined ? [] : [{ id: String(id), account: summaryOfAccount(account), count }]
    }),
    olderUrl: pageBehind(paths.whoNotifies, lastCursor(held, pageLength)),
  }
}

async function save({ ctx, session, input }: SubmissionCall<z.output<typeof form>>) {
  const sent: Readonly<Record<string, unknown>> = input
  const chosen = kinds.flatMap(({ kind, field }) => {
    const action = actions.find(({ value }) => value === sent[field])
    return action === undefined ? [] : [[kind, action.value] as const]
  })
  const patch: Partial<PolicyActions> = Object.fromEntries(chosen)
  await changeNotificationPolicy(ctx, { id: session.accountId }, patch)
  return { notice: 'saved' as const }
}

export interface WhoNotifiesPageProps {
  readonly policy: PolicyActions
  /** Senders whose notifications are held back. */
  readonly requests: readonly (AccountLine & { readonly count: number })[]
  readonly olderUrl: string | null
}

/** Senders whose notifications are held back or ignored. */
export function WhoNotifiesPage(props: WhoNotifiesPageProps) {
  const { policy } = props
  const t = useTranslation()
  return (
    <SettingsLayout title={t(title)}>
      <RequestSection {...props} />
      <section class="block" aria-labelledby="policy">
        <h2 id="policy">{t('settings.notifications.notificationsFrom')}</h2>
        <PostForm action={paths.whoNotifies}>
          {kinds.map(({ kind, field, label }) => (
            <SelectField
              name={field}
              label={t(label)}
              value={policy[kind]}
              options={actions.map(({ value, text }) => ({ value, text: t(text) }))}
            />
          ))}
          <Button>{t('common.save')}</Button>
        </PostForm>
      </section>
    </SettingsLayout>
  )
}

function RequestSection({ requests, olderUrl }: WhoNotifiesPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  const noted = requests.map(({ id, account, count }) => ({
    id,
    account,
    note: t('settings.notifications.notifications', { count }),
  }))
  return (
    <section class="block" aria-labelledby="held">
      <h2 id="held">{t('settings.notifications.heldBack')}</h2>
      {requests.length === 0 && <p>{t('settings.notifications.nothingWaits')}</p>}
      <AccountLines
        domain={site.domain}
        lines={noted}
        actions={({ id, account }) => (
          <>
            <PostForm action={`${paths.whoNotifies}/requests/${id}/accept`} class="inline">
              <Button>
                {t('settings.notifications.letThrough')}
                <span class="hidden"> {account.displayName}</span>
              </Button>
            </PostForm>
            <PostForm action={`${paths.whoNotifies}/requests/${id}/dismiss`} class="inline">
              <Button look="secondary">
                {t('settings.notifications.dismiss')}
                <span class="hidden"> {account.displayName}</span>
              </Button>
            </PostForm>
          </>
        )}
      />
      <MoreLink href={olderUrl} />
    </section>
  )
}
