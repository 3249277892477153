import type { Child } from 'hono/jsx'
import { transferKinds } from '../../src/db/schema/transfers'
import type { ListedImport } from '../../src/domain/imports-exports/find'
import type { Scope } from '../../src/domain/sessions/scopes'
import { problem } from '../../src/errors/sentences'
import { ErrorPage } from '../../src/web/components/error-page'
import { explorePlaces } from '../../src/web/explore-places'
import { CodePage } from '../../src/web/pages/authorize/code'
import { ConsentPage } from '../../src/web/pages/authorize/consent'
import { OAuthErrorPage } from '../../src/web/pages/authorize/oauth-error'
import { ChallengePage, ConfirmationPage, ResendConfirmationPage } from '../../src/web/pages/confirmation'
import { DirectoryPage } from '../../src/web/pages/directory'
import { DocumentPage, RulesPage } from '../../src/web/pages/document'
import { LandingPage } from '../../src/web/pages/landing'
import {
  PasswordForgottenPage,
  PasswordResetByAdminPage,
  PasswordResetPage,
  PasswordResetSentPage,
} from '../../src/web/pages/password-reset'
import { AccountPage } from '../../src/web/pages/settings/account'
import { AppsPage } from '../../src/web/pages/settings/apps'
import { ArchivePage } from '../../src/web/pages/settings/archive'
import { DeletionPage } from '../../src/web/pages/settings/deletion'
import { EmailChangePage } from '../../src/web/pages/settings/email-change'
import { EmailNotificationsPage } from '../../src/web/pages/settings/email-notifications'
import { ImportsExportsPage } from '../../src/web/pages/settings/imports-exports'
import { InvitesPage, type InviteView } from '../../src/web/pages/settings/invites'
import { PasswordChangePage } from '../../src/web/pages/settings/password-change'
import { PreferencesPage, type PreferencesPageProps } from '../../src/web/pages/settings/preferences'
import { TermsNoticePage } from '../../src/web/pages/settings/terms'
import { SignInPage, SignOutPage } from '../../src/web/pages/sign-in'
import { CheckMailPage, NoMailPage, WaitingForApprovalPage } from '../../src/web/pages/sign-up/done'
import { SignUpPage } from '../../src/web/pages/sign-up/view'
import { UnsubscribePage } from '../../src/web/pages/unsubscribe'
import { inEnglishPages } from '../support/english'
import { aboutPages } from './about-pages'
import { contentPages } from './content-pages'
import { memberSettingsPages } from './member-settings-pages'
import { schedulePages } from './schedule-pages'
import { passkeyOptions, secondStepPages } from './second-step-pages'
import { strikePages } from './strike-pages'

/** Texts that strangers write and pages show. */
export interface StrangersWords {
  readonly applicationName: string
  readonly website: string
  readonly displayName: string
  readonly username: string
  readonly reason: string
  readonly email: string
  readonly code: string
}

export const harmless: StrangersWords = {
  applicationName: 'Ivory for iPad',
  website: 'https://tapbots.com/ivory/',
  displayName: 'Ada Thrush',
  username: 'ada',
  reason: 'I watch birds along the river and would like to share what I see.',
  email: 'ada@example.org',
  code: 'Zx8wQ3vT1rLmK0pYb5nHs7cDgUeJ4aFoX2iV6tBqR9M',
}

export interface NamedPage {
  readonly name: string
  readonly page: Child
}

/** Every page in every state that looks different. */
export function everyPage(words: StrangersWords): readonly NamedPage[] {
  return inEnglishPages([
    ...signUpPages(words),
    ...signInPages(words),
    ...oauthPages(words),
    ...publicPages(words),
    ...contentPages(words),
    ...settingsPages(words),
    ...memberSettingsPages(words, { site, viewer: accountOf(words), csrfToken }),
  ])
}

const wrongPassword = problem('wrong', { field: 'current_password' })
const mismatch = problem('passwords_differ', { field: 'password_confirmation' })
const site = {
  title: 'Hedgerow',
  domain: 'hedgerow.example',
  host: 'social.hedgerow.example',
  version: '0.1.0',
  sourceUrl: 'https://source.example/fieldfare',
  hasTerms: true,
  places: explorePlaces,
}
const visitor = { site, viewer: null }
const csrfToken = 'a-token-against-forgery'
const noErrors = {}

const rules = [
  {
    id: '1',
    text: 'Be kind to people and birds.',
    hint: 'Disagree with what was said, not with who said it.',
  },
  { id: '2', text: 'Describe your pictures.', hint: '' },
  { id: '3', text: 'No advertising, no spam.', hint: '' },
]

function accountOf({ displayName, username }: StrangersWords) {
  return {
    displayName,
    acct: username,
    url: 'https://hedgerow.example/@ada',
    avatarUrl: '/assets/avatar.webp',
  }
}

function signUpPages(words: StrangersWords): readonly NamedPage[] {
  const { username, email, reason } = words
  const form = {
    ...visitor,
    csrfToken,
    closedMessageHtml: null,
    values: { username, email, reason, dateOfBirth: '', agreement: false },
    errors: noErrors,
    rules,
    minimumAge: null,
    passwordMinLength: 8,
    inviteCode: null,
    invitedBy: null,
    returnTo: null,
    answersByMail: true,
    challenge: null,
  }
  const errors = {
    fields: {
      username: [problem('taken', { field: 'username' })],
      email: [problem('invalid', { field: 'email' })],
      password: [problem('too_short', { field: 'password', min: 8 })],
      password_confirmation: [mismatch],
      date_of_birth: [problem('below_age_limit', { field: 'date_of_birth', years: 16 })],
      reason: [problem('blank', { field: 'reason' })],
      agreement: [problem('not_accepted', { field: 'agreement' })],
    },
  }
  const unsolved = { fields: { challenge: [problem('challenge_wrong', { field: 'challenge' })] } }
  const confirmation = { ...visitor, csrfToken, email }
  const confirmed = { ...visitor, answersByMail: true }
  const empty = { username: '', email: '', dateOfBirth: '', reason: '', agreement: false }
  return [
    { name: 'sign-up-open', page: <SignUpPage {...form} state="open" values={empty} /> },
    {
      name: 'sign-up-approval',
      page: <SignUpPage {...form} state="approval" inviteCode="abc" minimumAge={16} />,
    },
    {
      name: 'sign-up-errors',
      page: <SignUpPage {...form} state="approval" minimumAge={16} errors={errors} />,
    },
    {
      name: 'sign-up-invited',
      page: <SignUpPage {...form} state="open" values={empty} inviteCode="abc" invitedBy={username} />,
    },
    {
      name: 'sign-up-challenge',
      page: (
        <SignUpPage {...form} state="open" values={empty} challenge={{ parameters: {} }} errors={unsolved} />
      ),
    },
    {
      name: 'confirmation-challenge',
      page: (
        <ChallengePage
          {...visitor}
          csrfToken={csrfToken}
          token="abc"
          challenge={{ parameters: {} }}
          errors={noErrors}
        />
      ),
    },
    { name: 'sign-up-closed', page: <SignUpPage {...form} state="closed" /> },
    {
      name: 'sign-up-closed-message',
      page: <SignUpPage {...form} state="closed" closedMessageHtml="<p>Come back in <em>spring</em>.</p>" />,
    },
    { name: 'check-mail', page: <CheckMailPage {...confirmation} stage="signed-up" /> },
    { name: 'check-mail-again', page: <CheckMailPage {...confirmation} stage="asked-again" /> },
    { name: 'check-mail-unconfirmed', page: <CheckMailPage {...confirmation} stage="unconfirmed" /> },
    { name: 'no-mail', page: <NoMailPage {...confirmation} stage="asked-again" /> },
    { name: 'no-mail-unconfirmed', page: <NoMailPage {...confirmation} stage="unconfirmed" /> },
    {
      name: 'terms-notice',
      page: (
        <TermsNoticePage
          site={site}
          viewer={accountOf(words)}
          csrfToken={csrfToken}
          returnTo="/start"
          notice={{
            effectiveOn: '2027-01-02',
            isAhead: true,
            changelogHtml: '<p>We say what we keep, and for how long.</p>',
            termsPath: '/terms-of-service/2027-01-02',
          }}
        />
      ),
    },
    {
      name: 'terms-seen',
      page: (
        <TermsNoticePage
          site={site}
          viewer={accountOf(words)}
          csrfToken={csrfToken}
          returnTo=""
          notice={null}
        />
      ),
    },
    { name: 'waiting-for-approval', page: <WaitingForApprovalPage {...visitor} answersByMail={true} /> },
    { name: 'confirmed', page: <ConfirmationPage {...confirmed} outcome="confirmed" /> },
    { name: 'confirmed-waiting', page: <ConfirmationPage {...confirmed} outcome="waiting_for_approval" /> },
    {
      name: 'confirmed-waiting-no-mail',
      page: <ConfirmationPage {...confirmed} outcome="waiting_for_approval" answersByMail={false} />,
    },
    {
      name: 'address-changed',
      page: <ConfirmationPage {...confirmed} viewer={accountOf(words)} outcome="address_changed" />,
    },
    { name: 'confirmation-bad-link', page: <ConfirmationPage {...confirmed} outcome="bad_link" /> },
    {
      name: 'resend-confirmation',
      page: <ResendConfirmationPage {...confirmation} errors={noErrors} sendsMail />,
    },
    {
      name: 'resend-confirmation-no-mail',
      page: <ResendConfirmationPage {...confirmation} errors={noErrors} sendsMail={false} />,
    },
  ]
}

function signInPages(words: StrangersWords): readonly NamedPage[] {
  const { username, email, applicationName } = words
  const viewer = accountOf(words)
  const contact = { email: 'ask@hedgerow.example', account: viewer }
  const form = {
    ...visitor,
    csrfToken,
    username: '',
    errors: noErrors,
    message: null,
    applicationName: null,
    returnTo: '/oauth/authorize?client_id=1',
    signUp: 'open',
    passkeyOptions,
  } as const
  const wrong = { form: 'problem.wrongNamePassword' } as const
  const forgotten = { ...visitor, csrfToken, email: '', errors: noErrors }
  const reset = { ...visitor, csrfToken, token: 'reset-token', errors: noErrors, passwordMinLength: 8 }
  const differ = { fields: { password_confirmation: [mismatch] } }
  return [
    { name: 'sign-in', page: <SignInPage {...form} /> },
    { name: 'sign-in-for-app', page: <SignInPage {...form} applicationName={applicationName} /> },
    { name: 'sign-in-wrong', page: <SignInPage {...form} username={username} errors={wrong} /> },
    {
      name: 'sign-in-after-reset',
      page: <SignInPage {...form} message="signIn.newPasswordSavedSign" />,
    },
    {
      name: 'sign-out',
      page: <SignOutPage site={site} viewer={viewer} csrfToken={csrfToken} returnTo={null} />,
    },
    {
      name: 'password-change',
      page: (
        <PasswordChangePage
          site={site}
          viewer={viewer}
          csrfToken={csrfToken}
          errors={{ fields: { current_password: [wrongPassword] } }}
          passwordMinLength={8}
        />
      ),
    },
    { name: 'password-forgotten', page: <PasswordForgottenPage {...forgotten} email={email} /> },
    { name: 'password-reset-sent', page: <PasswordResetSentPage {...visitor} /> },
    { name: 'password-reset-by-admin', page: <PasswordResetByAdminPage {...visitor} contact={contact} /> },
    { name: 'password-reset', page: <PasswordResetPage {...reset} errors={differ} /> },
    { name: 'password-reset-bad-link', page: <PasswordResetPage {...reset} token={null} /> },
  ]
}

function oauthPages(words: StrangersWords): readonly NamedPage[] {
  const { applicationName, website, code, email } = words
  const viewer = accountOf(words)
  const broad: readonly Scope[] = ['read', 'write', 'follow', 'push', 'admin:read', 'admin:write:reports']
  const narrow: readonly Scope[] = ['profile', 'read:statuses', 'write:statuses', 'write:media']
  const consent = {
    site,
    viewer,
    csrfToken,
    application: { name: applicationName, website },
    redirectUri: 'ivory://callback',
    params: { client_id: '1', state: '"><script>alert(1)</script>', code_challenge: null },
    returnTo: '/oauth/authorize?client_id=1',
  }
  const account = {
    site,
    viewer,
    csrfToken,
    email,
    isEmailConfirmed: true,
    sendsMail: true,
    adminPath: null,
    message: null,
    unconfirmedEmail: null,
  }
  const since = new Date('2026-03-01T10:00:00Z')
  const used = new Date('2026-11-20T10:00:00Z')
  const applications = [
    { id: 1, name: applicationName, website, scopes: broad, createdAt: since, lastUsedAt: used },
    { id: 2, name: 'Cross-poster', website: null, scopes: narrow, createdAt: since, lastUsedAt: null },
  ]
  const firefox = { browser: 'Firefox', system: 'Linux' }
  const safari = { browser: 'Safari', system: 'iPhone' }
  const sessions = [
    { id: '1', browser: firefox, ip: '192.0.2.7', since: used, isCurrent: true },
    { id: '2', browser: safari, ip: '2001:db8::42', since, isCurrent: false },
  ]
  return [
    { name: 'consent', page: <ConsentPage {...consent} scopes={broad} /> },
    {
      name: 'consent-narrow',
      page: <ConsentPage {...consent} scopes={narrow} redirectUri="https://elk.example/api/callback" />,
    },
    {
      name: 'consent-code',
      page: <ConsentPage {...consent} scopes={['read']} redirectUri="urn:ietf:wg:oauth:2.0:oob" />,
    },
    {
      name: 'code',
      page: <CodePage site={site} viewer={viewer} code={code} applicationName={applicationName} />,
    },
    {
      name: 'oauth-error',
      page: (
        <OAuthErrorPage
          {...visitor}
          error="invalid_redirect_uri"
          reason={problem('oauth_unknown_redirect')}
        />
      ),
    },
    {
      name: 'account',
      page: <AccountPage {...account} sessions={sessions} message="settings.account.browserSignedOut" />,
    },
    {
      name: 'apps',
      page: (
        <AppsPage
          site={site}
          viewer={viewer}
          csrfToken={csrfToken}
          message="settings.apps.applicationCanNoLonger"
          applications={applications}
          devices={[{ id: 1, applicationName, service: 'push.example', createdAt: since }]}
        />
      ),
    },
    {
      name: 'invites',
      page: <InvitesPage {...invitesOf(words)} message="settings.invites.invitationReadySendLink" />,
    },
    { name: 'invites-none', page: <InvitesPage {...invitesOf(words)} choices={null} invites={[]} /> },
    {
      name: 'account-empty',
      page: (
        <AccountPage
          {...account}
          isEmailConfirmed={false}
          unconfirmedEmail={email}
          sessions={sessions.slice(0, 1)}
        />
      ),
    },
  ]
}

function settingsPages(words: StrangersWords): readonly NamedPage[] {
  const { email } = words
  const form = { site, viewer: accountOf(words), csrfToken }
  const address = { ...form, currentEmail: email, isConfirmedByMail: true }
  const errors = {
    fields: { email: [problem('taken', { field: 'email' })], current_password: [wrongPassword] },
  }
  const preferences: PreferencesPageProps['preferences'] = {
    visibility: 'unlisted',
    sensitive: true,
    quotePolicy: 'followers',
    expandMedia: 'default',
    expandSpoilers: false,
    autoplayGifs: false,
  }
  const posting = { preferences, language: 'de', showsApplication: true }
  const chosen = { ...posting, chosenLanguages: ['de', 'en'], message: 'admin.saved' } as const
  const seen = new Date('2026-03-01T10:00:00Z')
  const counts = { total: 120, done: 117, failed: 3, present: 20, surplus: 4, undoable: true }
  const times = { createdAt: seen, progressedAt: seen, finishedAt: seen }
  const order = { id: 1, accountId: 1, kind: 'following' as const, overwrite: false }
  const transfer: ListedImport = { ...order, state: 'finished', ...counts, ...times }
  const transfers = {
    message: 'settings.importsExports.fileDiscardedNothingHas' as const,
    chosen: { kind: 'mutes', mode: 'merge' },
    files: transferKinds.map((kind, count) => ({ kind, count, path: `/settings/exports/${kind}.csv` })),
    imports: [
      ...(['waiting', 'adding'] as const).map((state) => ({ ...transfer, state, finishedAt: null })),
      transfer,
    ],
  }
  return [
    { name: 'email-change', page: <EmailChangePage {...address} email="" errors={noErrors} /> },
    { name: 'email-change-errors', page: <EmailChangePage {...address} email={email} errors={errors} /> },
    { name: 'transfers', page: <ImportsExportsPage {...form} {...transfers} errors={{}} /> },
    {
      name: 'transfers-wrong',
      page: (
        <ImportsExportsPage
          {...form}
          {...transfers}
          errors={{ fields: { file: [problem('no_usable_line', { field: 'file' })] } }}
        />
      ),
    },
    {
      name: 'archive',
      page: <ArchivePage {...form} message={null} archives={archives} mayRequest={false} />,
    },
    { name: 'archive-none', page: <ArchivePage {...form} message="admin.saved" archives={[]} mayRequest /> },
    { name: 'deletion', page: <DeletionPage {...form} errors={{}} /> },
    ...mailPages(form, words),
    ...schedulePages(form, words.reason),
    ...strikePages(form, words.reason),
    ...secondStepPages(form, words),
    { name: 'preferences', page: <PreferencesPage {...form} {...chosen} errors={{}} /> },
    {
      name: 'preferences-wrong',
      page: <PreferencesPage {...form} {...chosen} errors={{ form: 'problem.pleaseChooseFromWhat' }} />,
    },
  ]
}

const archives = [
  { id: 2, createdAt: new Date('2026-11-01T10:00:00Z'), readyAt: null, sizeBytes: 0 },
  {
    id: 1,
    createdAt: new Date('2026-10-20T10:00:00Z'),
    readyAt: new Date('2026-10-20T10:05:00Z'),
    sizeBytes: 12_000_000,
  },
]

/** The page that asks has a form of its own kind: test/web/email-notifications.test.ts holds it to the rules. */
function mailPages(
  form: { viewer: ReturnType<typeof accountOf>; csrfToken: string; site: typeof site },
  { email, username }: StrangersWords,
): readonly NamedPage[] {
  const choices = [
    { field: 'mention', label: 'settings.emailNotifications.somebodyMentionsMe', isChosen: true },
    { field: 'follow', label: 'settings.emailNotifications.somebodyFollowsMe', isChosen: false },
  ] as const
  const staffChoices = [
    { field: 'admin.report', label: 'settings.emailNotifications.somebodyReportsSomething', isChosen: true },
  ] as const
  const always = { ...choices[1], field: 'always' }
  const page = { ...form, email, choices, always, errors: {}, message: 'admin.saved' } as const
  const mails = { handle: `@${username}@hedgerow.example`, topic: 'notification.newFollowers' } as const
  return [
    { name: 'mail-settings', page: <EmailNotificationsPage {...page} isSent staffChoices={staffChoices} /> },
    {
      name: 'mail-settings-no-mail',
      page: <EmailNotificationsPage {...page} isSent={false} staffChoices={[]} />,
    },
    { name: 'unsubscribed', page: <UnsubscribePage {...visitor} mails={mails} action={null} /> },
    { name: 'unsubscribe-bad-link', page: <UnsubscribePage {...visitor} mails={null} action={null} /> },
  ]
}

function invitesOf(words: StrangersWords) {
  const invite: InviteView = {
    id: '1',
    url: 'https://hedgerow.example/invite/abc',
    comment: words.reason,
    uses: 2,
    maxUses: null,
    expiresAt: null,
    autofollow: true,
    state: 'usable',
  }
  const usedUp: InviteView = { ...invite, id: '2', comment: '', maxUses: 2, state: 'used up' }
  const expiresAt = new Date('2026-03-01T10:00:00Z')
  const expired: InviteView = { ...invite, id: '3', expiresAt, state: 'expired' }
  return {
    site,
    viewer: accountOf(words),
    csrfToken,
    message: null,
    commentLimit: 420,
    errors: {},
    choices: { maxUses: [1, 5], expiry: [{ seconds: 1_800, text: 'settings.invites.n30Minutes' as const }] },
    invites: [invite, usedUp, expired],
  }
}

function peopleOf({ displayName, username, reason }: StrangersWords) {
  const author = {
    name: displayName,
    emojis: new Map(),
    handle: `@${username}@hedgerow.example`,
    url: 'https://hedgerow.example/@ada',
    avatarUrl: '/assets/avatar.png',
  }
  return [
    { author, intro: reason },
    { author, intro: '' },
  ]
}

function publicPages(words: StrangersWords): readonly NamedPage[] {
  const viewer = accountOf(words)
  const landing = {
    ...visitor,
    url: 'https://hedgerow.example/',
    descriptionHtml:
      '<p>A small server for people who look up: birders, gardeners and walkers from the river valleys.</p>',
    descriptionText: 'A small server for people who look up.',
    thumbnail: { url: '/assets/preview.png', description: 'A fieldfare on a branch with berries' },
    contact: { email: 'ask@hedgerow.example', account: viewer },
    rules,
    numbers: { users: 1284, statuses: 98_412, activeMonth: 412 },
    signUp: 'open',
    posts: [],
    people: peopleOf(words),
  } as const
  const html = '<h2>What we keep</h2><p>Your posts, until you delete them.</p><ul><li>No tracking</li></ul>'
  const texts = { ...visitor, html, updatedAt: new Date('2026-05-04T00:00:00Z') }
  const failures = [403, 404, 410, 422, 429, 500, 503, 418]
  return [
    { name: 'landing', page: <LandingPage {...landing} /> },
    { name: 'landing-signed-in', page: <LandingPage {...landing} viewer={viewer} signUp="approval" /> },
    {
      name: 'landing-bare',
      page: (
        <LandingPage
          {...landing}
          signUp="closed"
          rules={[]}
          people={[]}
          contact={{ email: null, account: null }}
        />
      ),
    },
    {
      name: 'directory',
      page: (
        <DirectoryPage
          {...visitor}
          people={peopleOf(words)}
          previousUrl="/directory"
          nextUrl="/directory?page=3"
        />
      ),
    },
    {
      name: 'directory-empty',
      page: <DirectoryPage {...visitor} people={[]} previousUrl={null} nextUrl={null} />,
    },
    ...aboutPages({ ...texts, rules, account: accountOf(words) }, words),
    { name: 'privacy', page: <DocumentPage {...texts} title="common.privacyPolicy" /> },
    { name: 'terms-unwritten', page: <DocumentPage {...texts} title="common.termsOfService" html={null} /> },
    { name: 'rules', page: <RulesPage {...visitor} rules={rules} /> },
    ...failures.map((status) => ({
      name: `error-${status}`,
      page: (
        <ErrorPage
          {...visitor}
          status={status}
          problems={null}
          requestId={status === 500 ? '8f2c-77' : null}
          signInPath={status === 404 ? '/auth/sign_in?return_to=%2F%40ada' : null}
        />
      ),
    })),
  ]
}
