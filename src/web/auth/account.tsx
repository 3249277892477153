import type { Scope } from '../../domain/sessions/scopes'
import { AccountCard } from '../components/account-card'
import { Banner } from '../components/banner'
import { Button, ButtonLink } from '../components/button'
import { Day } from '../components/day'
import { ExternalLink } from '../components/external-link'
import { PostForm } from '../components/form'
import { Layout } from '../components/layout'
import { ScopeList } from '../components/scope-list'
import { applicationRevokePath, paths, sessionRevokePath } from '../paths'
import type { AccountSummary, FormPageProps } from '../site'

export interface AccountPageProps extends FormPageProps {
  readonly viewer: AccountSummary
  readonly email: string
  readonly isEmailConfirmed: boolean
  /** An address that takes the place of `email` once it is confirmed. */
  readonly unconfirmedEmail: string | null
  readonly sendsMail: boolean
  readonly mayInvite: boolean
  /** What has just happened, e.g. that an application was revoked. */
  readonly message: string | null
  readonly applications: readonly AuthorizedApplication[]
  readonly sessions: readonly SignInSession[]
}

export interface AuthorizedApplication {
  readonly id: string
  readonly name: string
  readonly website: string | null
  readonly scopes: readonly Scope[]
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

export interface SignInSession {
  readonly id: string
  /** In words, e.g. `Firefox on Linux`. */
  readonly browser: string
  readonly ip: string
  readonly since: Date
  readonly isCurrent: boolean
}

/** Home of the settings, also shown where Mastodon lists authorised applications. */
export function AccountPage(props: AccountPageProps) {
  const { site, viewer, message } = props
  return (
    <Layout site={site} viewer={null} title="Your account" width="text" isPrivate>
      <h1>Your account</h1>
      {message !== null && (
        <Banner kind="success">
          <p>{message}</p>
        </Banner>
      )}
      <section class="card">
        <AccountCard account={viewer} domain={site.domain} />
        <SignInDetails {...props} />
      </section>
      <ApplicationSection {...props} />
      <SessionSection {...props} />
    </Layout>
  )
}

function SignInDetails(props: AccountPageProps) {
  const { csrfToken, email, isEmailConfirmed, unconfirmedEmail, sendsMail, mayInvite } = props
  const confirm = <a href={paths.resendConfirmation}>{sendsMail ? 'Send the link again' : 'Confirm it'}</a>
  return (
    <>
      <p>
        <span class="muted">E-mail</span> {email}
        {!isEmailConfirmed && (
          <>
            {' '}
            <span class="badge badge-warning">not confirmed</span> {confirm}
          </>
        )}
      </p>
      {unconfirmedEmail !== null && (
        <p>
          <span class="muted">New e-mail</span> {unconfirmedEmail}{' '}
          <span class="badge badge-warning">not confirmed</span> {confirm}
        </p>
      )}
      <div class="actions">
        <ButtonLink look="secondary" href={paths.start}>
          Choose an app
        </ButtonLink>
        <ButtonLink look="secondary" href={paths.preferences}>
          Preferences
        </ButtonLink>
        <ButtonLink look="secondary" href={paths.mailSettings}>
          E-mail notifications
        </ButtonLink>
        <ButtonLink look="secondary" href={paths.scheduled}>
          Scheduled posts
        </ButtonLink>
        <ButtonLink look="secondary" href={paths.cleanup}>
          Old posts
        </ButtonLink>
        <ButtonLink look="secondary" href={paths.emailChange}>
          Change e-mail
        </ButtonLink>
        <ButtonLink look="secondary" href={paths.passwordChange}>
          Change password
        </ButtonLink>
        <ButtonLink look="secondary" href={paths.transfers}>
          Import and export
        </ButtonLink>
        <ButtonLink look="secondary" href={paths.migration}>
          Move account
        </ButtonLink>
        <ButtonLink look="secondary" href={paths.deletion}>
          Delete account
        </ButtonLink>
        {mayInvite && (
          <ButtonLink look="secondary" href={paths.invites}>
            Invite people
          </ButtonLink>
        )}
        <PostForm action={paths.signOut} csrfToken={csrfToken} class="inline">
          <Button look="secondary">Sign out</Button>
        </PostForm>
      </div>
    </>
  )
}

function ApplicationSection({ csrfToken, applications }: AccountPageProps) {
  return (
    <section class="card" aria-labelledby="applications">
      <h2 id="applications">Authorised applications</h2>
      {applications.length === 0 ? (
        <p class="muted">
          None yet. When you sign in from an app, it shows up here, and you can take its access back.
        </p>
      ) : (
        <ul class="entries">
          {applications.map((application) => (
            <li>
              <Application csrfToken={csrfToken} application={application} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Application({ csrfToken, application }: { csrfToken: string; application: AuthorizedApplication }) {
  const { id, name, website, scopes, createdAt, lastUsedAt } = application
  return (
    <>
      <h3>
        <bdi>{name}</bdi>
      </h3>
      <p class="muted">
        {website !== null && (
          <>
            <ExternalLink url={website} />
            {' · '}
          </>
        )}
        authorised <Day at={createdAt} />
        {' · '}
        {lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            last used <Day at={lastUsedAt} />
          </>
        )}
      </p>
      <details>
        <summary>What it may do</summary>
        <ScopeList scopes={scopes} heading="h4" />
      </details>
      <details class="confirm">
        <summary>
          Revoke<span class="visually-hidden"> {name}</span>…
        </summary>
        <PostForm action={applicationRevokePath(id)} csrfToken={csrfToken}>
          <p>
            <strong>{name}</strong> is signed out everywhere at once and gets no more notifications. You can
            authorise it again later.
          </p>
          <Button look="danger">Revoke access</Button>
        </PostForm>
      </details>
    </>
  )
}

function SessionSection({ csrfToken, sessions }: AccountPageProps) {
  return (
    <section class="card" aria-labelledby="sessions">
      <h2 id="sessions">Browsers where you are signed in</h2>
      <ul class="entries">
        {sessions.map(({ id, browser, ip, since, isCurrent }) => (
          <li>
            <h3>
              {browser} {isCurrent && <span class="badge">this browser</span>}
            </h3>
            <p class="muted">
              {ip}
              {' · '}since <Day at={since} />
            </p>
            {!isCurrent && (
              <details class="confirm">
                <summary>
                  Sign out<span class="visually-hidden"> {browser}</span>…
                </summary>
                <PostForm action={sessionRevokePath(id)} csrfToken={csrfToken}>
                  <p>Whoever uses that browser has to enter the password again.</p>
                  <Button look="danger">Sign out that browser</Button>
                </PostForm>
              </details>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
