import * as z from 'zod'
import { both, execute } from '../../../db/query'
import { listAuthorized, revokeApplication } from '../../../domain/sessions/authorized-applications'
import type { Scope } from '../../../domain/sessions/scopes'
import { listSessions, revokeOtherSessions, revokeSession } from '../../../domain/sessions/web-session'
import { describeBrowser } from '../../../lib/browser'
import { AccountCard } from '../../components/account-card'
import { Banner } from '../../components/banner'
import { Button, ButtonLink } from '../../components/button'
import { Day } from '../../components/day'
import { ExternalLink } from '../../components/external-link'
import { PostForm } from '../../components/form'
import { Layout } from '../../components/layout'
import { ScopeList } from '../../components/scope-list'
import type { MenuEntry, SubmissionCall } from '../../member-pages/declaration'
import { idInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { applicationRevokePath, paths, sessionRevokePath } from '../../paths'
import type { AccountSummary, FormPageProps } from '../../site'

const title = 'Your account'

export const accountPage = memberPage({
  kind: 'settings',
  path: paths.account,
  title,
  access: 'signed-in',
  menu: null,
  form: z.object({}),
  submissions: [
    { path: `${paths.authorizedApplications}/:id/revoke`, isCommand: true, run: revoke },
    { path: `${paths.authorizedApplications}/:id`, methods: ['DELETE'], isCommand: true, run: revoke },
    { path: paths.sessionsRevokeOthers, isCommand: true, run: signOutOthers },
    { path: `${paths.sessions}/:id/revoke`, isCommand: true, run: signOutBrowser },
  ],
  notices: {
    application: 'The application can no longer use your account.',
    session: 'That browser is signed out.',
    sessions: 'All other browsers are signed out.',
  },
  alsoAt: [paths.authorizedApplications],
  redirectsFrom: ['/settings'],
  load: async (ctx, { session: { accountId } }) => {
    const [applications, sessions] = await execute(
      ctx.db,
      both(listAuthorized(ctx, accountId), listSessions(ctx, accountId)),
    )
    return { applications, sessions, sendsMail: ctx.mailer !== null }
  },
  view: ({ site, viewer, csrfToken, session, message, menu, found }) => (
    <AccountPage
      site={site}
      viewer={viewer}
      csrfToken={csrfToken}
      email={session.email}
      isEmailConfirmed={session.confirmed}
      unconfirmedEmail={session.unconfirmedEmail}
      sendsMail={found.sendsMail}
      menu={menu}
      message={message}
      applications={found.applications.map((application) => ({
        ...application,
        id: String(application.id),
      }))}
      sessions={found.sessions.map(({ id, userAgent, ip, createdAt }) => ({
        id: String(id),
        browser: describeBrowser(userAgent),
        ip: ip ?? 'unknown',
        since: createdAt,
        isCurrent: id === session.id,
      }))}
    />
  ),
})

async function revoke({ c, ctx, session }: SubmissionCall<unknown>) {
  const id = idInPath(c)
  if (id !== null) await revokeApplication(ctx, session.accountId, id)
  return { notice: 'application' as const }
}

async function signOutBrowser({ c, ctx, session }: SubmissionCall<unknown>) {
  const id = idInPath(c)
  if (id !== null) await revokeSession(ctx, session.accountId, id)
  return { notice: 'session' as const }
}

async function signOutOthers({ ctx, session }: SubmissionCall<unknown>) {
  await revokeOtherSessions(ctx, session.accountId, session.id)
  return { notice: 'sessions' as const }
}

export interface AccountPageProps extends FormPageProps {
  readonly viewer: AccountSummary
  readonly email: string
  readonly isEmailConfirmed: boolean
  /** An address that takes the place of `email` once it is confirmed. */
  readonly unconfirmedEmail: string | null
  readonly sendsMail: boolean
  /** Links to the other settings. */
  readonly menu: readonly MenuEntry[]
  /** Notice of what was done, e.g. that an application was revoked. */
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
    <Layout site={site} viewer={null} title={title} width="text" isPrivate>
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
  const { csrfToken, email, isEmailConfirmed, unconfirmedEmail, sendsMail, menu } = props
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
        {menu.map(({ path, label }) => (
          <ButtonLink look="secondary" href={path}>
            {label}
          </ButtonLink>
        ))}
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
      {sessions.length > 1 && (
        <details class="confirm">
          <summary>Sign out all other browsers…</summary>
          <PostForm action={paths.sessionsRevokeOthers} csrfToken={csrfToken}>
            <p>This browser and your apps stay signed in.</p>
            <Button look="danger">Sign out all others</Button>
          </PostForm>
        </details>
      )}
    </section>
  )
}
