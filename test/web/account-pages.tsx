import { OtherAccountPage } from '../../src/web/other-account'
import { AccountsPage, SignOutPage } from '../../src/web/pages/accounts/view'
import { OfflinePage } from '../../src/web/pages/offline'
import { SignInPage, type SignInPageProps } from '../../src/web/pages/sign-in'
import type { AccountSummary } from '../../src/web/site'
import { UnsentFormPage } from '../../src/web/unsent-form'
import { Shown } from '../support/shown'
import type { NamedPage } from './every-page'

/** The pages of several accounts in one browser. */
export function accountPages(viewer: AccountSummary, form: SignInPageProps): readonly NamedPage[] {
  const username = viewer.acct
  const accounts = (['active', 'signed-in', 'restricted', 'ended'] as const).map((state) => ({
    account: viewer,
    state,
  }))
  const listed = { accounts, returnTo: null, mayAdd: true, left: null }
  const refused = {
    opened: username,
    active: 'finch',
    isHere: true,
    back: '/home',
    texts: ['A waxwing in the hedge'],
    isKept: true,
    action: '/publish',
    fields: '{}',
  }
  const unsent = { status: 'A waxwing\nin the hedge', visibility: 'public' }
  return [
    { name: 'offline', page: <Shown of={OfflinePage} /> },
    { name: 'sign-in-to-add', page: <Shown of={SignInPage} {...form} isAdded accounts={accounts} /> },
    { name: 'accounts', page: <Shown of={AccountsPage} viewer={viewer} {...listed} /> },
    {
      name: 'accounts-full',
      page: (
        <Shown
          of={AccountsPage}
          {...listed}
          mayAdd={false}
          left={username}
          message="accounts.signedOutOthersStay"
        />
      ),
    },
    {
      name: 'other-account',
      page: <Shown of={OtherAccountPage} viewer={viewer} {...refused} />,
    },
    {
      name: 'other-account-gone',
      page: <Shown of={OtherAccountPage} viewer={viewer} {...refused} isHere={false} isKept={false} />,
    },
    {
      name: 'not-sent',
      page: <Shown of={UnsentFormPage} action="/settings/profile" fields={unsent} signIn="/auth/sign_in" />,
    },
    {
      name: 'not-sent-expired',
      page: (
        <Shown of={UnsentFormPage} viewer={viewer} action="/settings/profile" fields={unsent} signIn={null} />
      ),
    },
    {
      name: 'sign-out',
      page: <Shown of={SignOutPage} account={viewer} returnTo={null} />,
    },
  ]
}
