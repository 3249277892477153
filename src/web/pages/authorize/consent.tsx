import type { Scope } from '../../../domain/sessions/scopes'
import { AccountCard } from '../../components/account-card'
import { Button } from '../../components/button'
import { ExternalLink } from '../../components/external-link'
import { PostForm } from '../../components/form'
import { Layout } from '../../components/layout'
import { ScopeList } from '../../components/scope-list'
import { paths } from '../../paths'
import type { AccountSummary, FormPageProps } from '../../site'

export interface ConsentPageProps extends FormPageProps {
  readonly viewer: AccountSummary
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
  const { site, viewer, csrfToken, application, scopes, redirectUri, params, returnTo } = props
  return (
    <Layout site={site} viewer={null} title={`Authorise ${application.name}`} width="narrow" isPrivate>
      <div class="card consent">
        <h1>
          Let <bdi>{application.name}</bdi> use your account?
        </h1>
        {application.website !== null && (
          <p class="lead">
            <ExternalLink url={application.website} />
          </p>
        )}
        <div class="acting-account">
          <AccountCard account={viewer} domain={site.domain} isLink={false} />
          <PostForm
            action={paths.signOut}
            csrfToken={csrfToken}
            hidden={{ return_to: returnTo }}
            class="inline"
          >
            <Button look="link">Not you? Sign out</Button>
          </PostForm>
        </div>
        <p class="consent-intro">
          <bdi>{application.name}</bdi> asks to:
        </p>
        <ScopeList scopes={scopes} heading="h2" />
        <p class="muted">
          Nobody has checked this application. Go on only if you trust it and came here from it. You can take
          this back at any time in your account settings.
        </p>
        <PostForm action={paths.authorize} csrfToken={csrfToken} hidden={params} class="consent-decision">
          <div class="actions">
            <Button name="decision" value="authorize">
              Authorise
            </Button>
            <Button look="secondary" name="decision" value="deny">
              Deny
            </Button>
          </div>
          <p class="muted">{describeReturn(redirectUri)}</p>
        </PostForm>
      </div>
    </Layout>
  )
}

function describeReturn(redirectUri: string): string {
  if (redirectUri.startsWith('urn:ietf:wg:oauth:2.0:oob')) return 'You will see a code to copy into the app.'
  const address = URL.parse(redirectUri)
  const isWeb = address?.protocol === 'https:' || address?.protocol === 'http:'
  return isWeb ? `You will be sent to ${address.host}.` : 'You will be sent back to the app on this device.'
}
