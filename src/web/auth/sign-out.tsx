import { AccountCard } from '../components/account-card'
import { Button, ButtonLink } from '../components/button'
import { PostForm } from '../components/form'
import { Layout } from '../components/layout'
import { paths } from '../paths'
import type { AccountSummary, FormPageProps } from '../site'

export interface SignOutPageProps extends FormPageProps {
  readonly viewer: AccountSummary
  readonly returnTo: string | null
}

export function SignOutPage({ site, viewer, csrfToken, returnTo }: SignOutPageProps) {
  return (
    <Layout site={site} viewer={null} title="Sign out" width="narrow" isPrivate>
      <div class="card">
        <h1>Sign out?</h1>
        <AccountCard account={viewer} domain={site.domain} isLink={false} />
        <p>This ends the session in this browser. Your apps stay signed in.</p>
        <PostForm action={paths.signOut} csrfToken={csrfToken} hidden={{ return_to: returnTo }}>
          <div class="actions">
            <Button>Sign out</Button>
            <ButtonLink look="secondary" href={paths.account}>
              Stay
            </ButtonLink>
          </div>
        </PostForm>
      </div>
    </Layout>
  )
}
