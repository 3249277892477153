import type { Child } from 'hono/jsx'
import { AccountCard } from '../../components/account-card'
import { Banner } from '../../components/banner'
import { Button, ButtonLink } from '../../components/button'
import { PostForm } from '../../components/form'
import { IslandScript } from '../../components/island-script'
import { Layout } from '../../components/layout'
import { useTranslation } from '../../i18n/context'
import { usePage } from '../../page-context'
import { addAccountPath, paths } from '../../paths'
import type { AccountSummary } from '../../site'
import type { BrowserAccount } from './browser-accounts'

export interface AccountsPageProps {
  readonly accounts: readonly BrowserAccount[]
  /** Page to go on with after a switch. */
  readonly returnTo: string | null
  /** False where the browser has as many as it may. */
  readonly mayAdd: boolean
  /** Name of the account that just signed out; null for none. */
  readonly left: string | null
}

export function AccountsPage({ accounts, returnTo, mayAdd, left }: AccountsPageProps) {
  const t = useTranslation()
  const { viewer, message } = usePage()
  return (
    <Layout
      title={t('accounts.inThisBrowser')}
      {...(viewer === null ? {} : { back: paths.menu })}
      place="you"
      hasSide={false}
      isPrivate
    >
      <section class="block" aria-label={t('accounts.inThisBrowser')} data-left={left ?? undefined}>
        {message !== null && (
          <Banner kind="success" takesFocus>
            <p>{t(message)}</p>
          </Banner>
        )}
        <p class="quiet">{t('accounts.oneIsActive')}</p>
        <AccountList accounts={accounts} returnTo={returnTo} />
        {mayAdd ? (
          <p>
            <ButtonLink look="secondary" href={addAccountPath(returnTo)}>
              {t('accounts.add')}
            </ButtonLink>
          </p>
        ) : (
          <p class="quiet">{t('accounts.noMore')}</p>
        )}
        {accounts.length > 1 && (
          <PostForm action={paths.signOut} hidden={{ all: '1' }}>
            <Button look="secondary">{t('accounts.signOutOfAll')}</Button>
          </PostForm>
        )}
      </section>
      <IslandScript name="accounts.js" />
    </Layout>
  )
}

export interface AccountListProps {
  readonly accounts: readonly BrowserAccount[]
  readonly returnTo: string | null
}

/** The accounts of a browser, each with its buttons. */
export function AccountList({ accounts, returnTo }: AccountListProps) {
  const { site } = usePage()
  return (
    <ul class="entries">
      {accounts.map((one) => (
        <li class="entry-line">
          <div class="entry-account">
            <AccountCard account={one.account} domain={site.domain} isLink={false} />
            <State state={one.state} />
          </div>
          <div class="actions">
            <Buttons {...one} returnTo={returnTo} />
          </div>
        </li>
      ))}
    </ul>
  )
}

const stateTexts = {
  active: 'accounts.isActive',
  restricted: 'accounts.isRestricted',
  ended: 'accounts.isSignedOut',
} as const

function State({ state }: Pick<BrowserAccount, 'state'>) {
  const t = useTranslation()
  return state === 'signed-in' ? null : <p class="quiet small">{t(stateTexts[state])}</p>
}

function Buttons({ account, state, returnTo }: BrowserAccount & Pick<AccountListProps, 'returnTo'>) {
  const t = useTranslation()
  const { acct } = account
  return (
    <>
      {state === 'ended' && (
        <ButtonLink look="secondary" href={addAccountPath(returnTo)}>
          {t('common.signIn')}
        </ButtonLink>
      )}
      {(state === 'signed-in' || state === 'restricted') && (
        <SwitchForm acct={acct} returnTo={returnTo}>
          <Button look="secondary">{t('accounts.switchTo', { name: `@${acct}` })}</Button>
        </SwitchForm>
      )}
      <PostForm action={paths.signOut} hidden={{ account: acct, return_to: returnTo }} class="inline">
        <Button look="link">{state === 'ended' ? t('accounts.remove') : t('common.signOut')}</Button>
      </PostForm>
    </>
  )
}

export interface SwitchFormProps {
  readonly acct: string
  readonly returnTo: string | null
  /** A form to go on with: its fields as JSON, and the path it was sent to. */
  readonly typed?: { readonly fields: string; readonly action: string }
  readonly children?: Child
}

/** Makes an account the active one. */
export function SwitchForm({ acct, returnTo, typed, children }: SwitchFormProps) {
  const hidden = {
    account: acct,
    return_to: returnTo,
    typed: typed?.fields ?? null,
    typed_at: typed?.action ?? null,
  }
  return (
    <PostForm action={paths.switchAccount} hidden={hidden} class="inline">
      {children}
    </PostForm>
  )
}

export interface SignOutPageProps {
  /** The account of the session; the page has no link to it. */
  readonly account: AccountSummary
  readonly returnTo: string | null
}

export function SignOutPage({ account, returnTo }: SignOutPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  return (
    <Layout title={t('common.signOut')} heading={t('signIn.signOut')} isAlone isPrivate>
      <div class="block">
        <AccountCard account={account} domain={site.domain} isLink={false} />
        <p>{t('signIn.endsSessionBrowserApps')}</p>
        <PostForm action={paths.signOut} hidden={{ return_to: returnTo }}>
          <div class="actions">
            <Button>{t('common.signOut')}</Button>
            <ButtonLink look="secondary" href={paths.home}>
              {t('signIn.staySignedIn')}
            </ButtonLink>
          </div>
        </PostForm>
      </div>
    </Layout>
  )
}
