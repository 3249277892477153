import type { Child } from 'hono/jsx'
import type { Scope } from '../../../domain/sessions/scopes'
import type { TranslateText } from '../../../lib/translate'
import { AccountCard } from '../../components/account-card'
import { ScopeList } from '../../components/app-list'
import { Button } from '../../components/button'
import { PostForm } from '../../components/form'
import { Layout } from '../../components/layout'
import { ExternalLink } from '../../components/page-links'
import { useTranslation } from '../../i18n/context'
import { usePage } from '../../page-context'
import { paths } from '../../paths'
import type { AccountSummary } from '../../site'

export interface ConsentPageProps {
  /** The account that the application asks for; the page has no link to it. */
  readonly account: AccountSummary
  readonly application: { readonly name: string; readonly website: string | null }
  readonly scopes: readonly Scope[]
  readonly redirectUri: string
  /** Parameters of the authorization request, sent back with the decision. */
  readonly params: Readonly<Record<string, string | null>>
  /** Path and query of this page, to come back to with another account after signing out. */
  readonly returnTo: string
}

/** Answers `decision=authorize` or `decision=deny`. */
export function ConsentPage(props: ConsentPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  const { account, application, scopes, redirectUri, params, returnTo } = props
  const named = { app: (words: Child[]) => <bdi>{words}</bdi>, name: application.name }
  return (
    <Layout
      title={t('authorize.consent.authoriseName', { name: application.name })}
      heading={t.rich('authorize.consent.letNameUseAccount', named)}
      isAlone
      isPrivate
    >
      <div class="block consent">
        {application.website !== null && (
          <p class="quiet">
            <ExternalLink url={application.website} />
          </p>
        )}
        <div class="acting-account">
          <AccountCard account={account} domain={site.domain} isLink={false} />
          <PostForm action={paths.signOut} hidden={{ return_to: returnTo }} class="inline">
            <Button look="link">{t('authorize.consent.notSignOut')}</Button>
          </PostForm>
        </div>
        <p class="consent-intro">{t.rich('authorize.consent.nameAsksTo', named)}</p>
        <ScopeList scopes={scopes} heading="h2" />
        <p class="quiet small">{t('authorize.consent.nobodyHasCheckedApplication')}</p>
        <PostForm action={paths.authorize} hidden={params} class="consent-decision">
          <div class="actions">
            <Button name="decision" value="authorize">
              {t('authorize.consent.authorise')}
            </Button>
            <Button look="secondary" name="decision" value="deny">
              {t('authorize.consent.deny')}
            </Button>
          </div>
          <p class="quiet small">{describeReturn(t, redirectUri)}</p>
        </PostForm>
      </div>
    </Layout>
  )
}

function describeReturn(t: TranslateText, redirectUri: string): string {
  if (redirectUri.startsWith('urn:ietf:wg:oauth:2.0:oob')) return t('authorize.consent.willSeeCodeCopy')
  const address = URL.parse(redirectUri)
  const isWeb = address?.protocol === 'https:' || address?.protocol === 'http:'
  return isWeb
    ? t('authorize.consent.willSentHost', { host: address.host })
    : t('authorize.consent.willSentBackApp')
}
