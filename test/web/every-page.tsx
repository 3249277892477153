import type { Child } from 'hono/jsx'
import { transferKinds } from '../../src/db/schema/transfers'
import type { ListedImport } from '../../src/domain/imports-exports/find'
import type { Scope } from '../../src/domain/sessions/scopes'
import { problem } from '../../src/errors/sentences'
import { ErrorPage } from '../../src/web/components/error-page'
import { ConsentPage } from '../../src/web/pages/authorize/consent'
import { CodePage, OAuthErrorPage } from '../../src/web/pages/authorize/page'
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
import { SignInPage } from '../../src/web/pages/sign-in'
import { CheckMailPage, NoMailPage, WaitingForApprovalPage } from '../../src/web/pages/sign-up/done'
import { SignUpPage } from '../../src/web/pages/sign-up/view'
import { UnsubscribePage } from '../../src/web/pages/unsubscribe'
import { inEnglishPages } from '../support/english'
import { Shown } from '../support/shown'
import { aboutPages } from './about-pages'
import { accountPages } from './account-pages'
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
    ...memberSettingsPages(words, { viewer: accountOf(words) }),
  ])
}

const wrongPassword = problem('wrong', { field: 'current_password' })
const mismatch = problem('passwords_differ', { field: 'password_confirmation' })

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
    closedMessageHtml: null,
    values: { username, email, reason, dateOfBirth: '', agreement: false },
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
  const confirmation = { email }
  const confirmed = { answersByMail: true }
  const empty = { username: '', email: '', dateOfBirth: '', reason: '', agreement: false }
  return [
    { name: 'sign-up-open', page: <Shown of={SignUpPage} {...form} state="open" values={empty} /> },
    {
      name: 'sign-up-approval',
      page: <Shown of={SignUpPage} {...form} state="approval" inviteCode="abc" minimumAge={16} />,
    },
    {
      name: 'sign-up-errors',
      page: <Shown of={SignUpPage} {...form} state="approval" minimumAge={16} errors={errors} />,
    },
    {
      name: 'sign-up-invited',
      page: (
        <Shown of={SignUpPage} {...form} state="open" values={empty} inviteCode="abc" invitedBy={username} />
      ),
    },
    {
      name: 'sign-up-challenge',
      page: (
        <Shown
          of={SignUpPage}
          {...form}
          state="open"
          values={empty}
          challenge={{ parameters: {} }}
          errors={unsolved}
        />
      ),
    },
    {
      name: 'confirmation-challenge',
      page: <Shown of={ChallengePage} token="abc" challenge={{ parameters: {} }} />,
    },
    { name: 'sign-up-closed', page: <Shown of={SignUpPage} {...form} state="closed" /> },
    {
      name: 'sign-up-closed-message',
      page: (
        <Shown
          of={SignUpPage}
          {...form}
          state="closed"
          closedMessageHtml="<p>Come back in <em>spring</em>.</p>"
        />
      ),
    },
    { name: 'check-mail', page: <Shown of={CheckMailPage} {...confirmation} stage="signed-up" /> },
    { name: 'check-mail-again', page: <Shown of={CheckMailPage} {...confirmation} stage="asked-again" /> },
    {
      name: 'check-mail-unconfirmed',
      page: <Shown of={CheckMailPage} {...confirmation} stage="unconfirmed" />,
    },
    { name: 'no-mail', page: <Shown of={NoMailPage} {...confirmation} stage="asked-again" /> },
    { name: 'no-mail-unconfirmed', page: <Shown of={NoMailPage} {...confirmation} stage="unconfirmed" /> },
    { name: 'waiting-for-approval', page: <Shown of={WaitingForApprovalPage} answersByMail /> },
    { name: 'confirmed', page: <Shown of={ConfirmationPage} {...confirmed} outcome="confirmed" /> },
    {
      name: 'confirmed-waiting',
      page: <Shown of={ConfirmationPage} {...confirmed} outcome="waiting_for_approval" />,
    },
    {
      name: 'confirmed-waiting-no-mail',
      page: (
        <Shown of={ConfirmationPage} {...confirmed} outcome="waiting_for_approval" answersByMail={false} />
      ),
    },
    {
      name: 'address-changed',
      page: (
        <Shown of={ConfirmationPage} {...confirmed} viewer={accountOf(words)} outcome="address_changed" />
      ),
    },
    {
      name: 'confirmation-bad-link',
      page: <Shown of={ConfirmationPage} {...confirmed} outcome="bad_link" />,
    },
    {
      name: 'resend-confirmation',
      page: <Shown of={ResendConfirmationPage} {...confirmation} sendsMail />,
    },
    {
      name: 'resend-confirmation-no-mail',
      page: <Shown of={ResendConfirmationPage} {...confirmation} sendsMail={false} />,
    },
  ]
}

function signInPages(words: StrangersWords): readonly NamedPage[] {
  const { username, email, applicationName } = words
  const viewer = accountOf(words)
  const contact = { email: 'ask@hedgerow.example', account: viewer }
  const form = {
    username: '',
    applicationName: null,
    returnTo: '/oauth/authorize?client_id=1',
    signUp: 'open',
    isAdded: false,
    accounts: [],
    passkeyOptions,
  } as const
  const wrong = { form: 'problem.wrongNamePassword' } as const
  const forgotten = { email: '' }
  const reset = { token: 'reset-token', passwordMinLength: 8 }
  const differ = { fields: { password_confirmation: [mismatch] } }
  return [
    ...accountPages(viewer, form),
    { name: 'sign-in', page: <Shown of={SignInPage} {...form} /> },
    { name: 'sign-in-for-app', page: <Shown of={SignInPage} {...form} applicationName={applicationName} /> },
    { name: 'sign-in-wrong', page: <Shown of={SignInPage} {...form} username={username} errors={wrong} /> },
    {
      name: 'sign-in-after-reset',
      page: <Shown of={SignInPage} {...form} message="signIn.newPasswordSavedSign" />,
    },
    {
      name: 'password-change',
      page: (
        <Shown
          of={PasswordChangePage}
          viewer={viewer}
          errors={{ fields: { current_password: [wrongPassword] } }}
          passwordMinLength={8}
        />
      ),
    },
    { name: 'password-forgotten', page: <Shown of={PasswordForgottenPage} {...forgotten} email={email} /> },
    { name: 'password-reset-sent', page: <Shown of={PasswordResetSentPage} /> },
    {
      name: 'password-reset-by-admin',
      page: <Shown of={PasswordResetByAdminPage} contact={contact} />,
    },
    { name: 'password-reset', page: <Shown of={PasswordResetPage} {...reset} errors={differ} /> },
    { name: 'password-reset-bad-link', page: <Shown of={PasswordResetPage} {...reset} token={null} /> },
  ]
}

function oauthPages(words: StrangersWords): readonly NamedPage[] {
  const { applicationName, website, code, email } = words
  const viewer = accountOf(words)
  const broad: readonly Scope[] = ['read', 'write', 'follow', 'push', 'admin:read', 'admin:write:reports']
  const narrow: readonly Scope[] = ['profile', 'read:statuses', 'write:statuses', 'write:media']
  const consent = {
    account: viewer,
    application: { name: applicationName, website },
    redirectUri: 'ivory://callback',
    params: { client_id: '1', state: '"><script>alert(1)</script>', code_challenge: null },
    returnTo: '/oauth/authorize?client_id=1',
  }
  const account = {
    viewer,
    email,
    isEmailConfirmed: true,
    sendsMail: true,
    adminPath: null,
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
    { name: 'consent', page: <Shown of={ConsentPage} {...consent} scopes={broad} /> },
    {
      name: 'consent-narrow',
      page: (
        <Shown of={ConsentPage} {...consent} scopes={narrow} redirectUri="https://elk.example/api/callback" />
      ),
    },
    {
      name: 'consent-code',
      page: <Shown of={ConsentPage} {...consent} scopes={['read']} redirectUri="urn:ietf:wg:oauth:2.0:oob" />,
    },
    {
      name: 'code',
      page: <Shown of={CodePage} viewer={viewer} code={code} applicationName={applicationName} />,
    },
    {
      name: 'oauth-error',
      page: (
        <Shown of={OAuthErrorPage} error="invalid_redirect_uri" reason={problem('oauth_unknown_redirect')} />
      ),
    },
    {
      name: 'account',
      page: (
        <Shown
          of={AccountPage}
          {...account}
          sessions={sessions}
          message="settings.account.browserSignedOut"
        />
      ),
    },
    {
      name: 'apps',
      page: (
        <Shown
          of={AppsPage}
          viewer={viewer}
          message="settings.apps.applicationCanNoLonger"
          applications={applications}
          devices={[{ id: 1, applicationName, userAgent: null, service: 'push.example', createdAt: since }]}
        />
      ),
    },
    {
      name: 'invites',
      page: (
        <Shown of={InvitesPage} {...invitesOf(words)} message="settings.invites.invitationReadySendLink" />
      ),
    },
    {
      name: 'invites-none',
      page: <Shown of={InvitesPage} {...invitesOf(words)} choices={null} invites={[]} />,
    },
    {
      name: 'account-empty',
      page: (
        <Shown
          of={AccountPage}
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
  const form = { viewer: accountOf(words) }
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
    remindsOfDescriptions: false,
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
    { name: 'email-change', page: <Shown of={EmailChangePage} {...address} email="" /> },
    {
      name: 'email-change-errors',
      page: <Shown of={EmailChangePage} {...address} email={email} errors={errors} />,
    },
    { name: 'transfers', page: <Shown of={ImportsExportsPage} {...form} {...transfers} /> },
    {
      name: 'transfers-wrong',
      page: (
        <Shown
          of={ImportsExportsPage}
          {...form}
          {...transfers}
          errors={{ fields: { file: [problem('no_usable_line', { field: 'file' })] } }}
        />
      ),
    },
    {
      name: 'archive',
      page: <Shown of={ArchivePage} {...form} archives={archives} mayRequest={false} />,
    },
    {
      name: 'archive-none',
      page: <Shown of={ArchivePage} {...form} message="admin.saved" archives={[]} mayRequest />,
    },
    { name: 'deletion', page: <Shown of={DeletionPage} {...form} /> },
    ...mailPages(form, words),
    ...schedulePages(form, words.reason),
    ...strikePages(form, words.reason),
    ...secondStepPages(form, words),
    { name: 'preferences', page: <Shown of={PreferencesPage} {...form} {...chosen} /> },
    {
      name: 'preferences-wrong',
      page: (
        <Shown of={PreferencesPage} {...form} {...chosen} errors={{ form: 'problem.pleaseChooseFromWhat' }} />
      ),
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
  form: { viewer: ReturnType<typeof accountOf> },
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
    {
      name: 'mail-settings',
      page: <Shown of={EmailNotificationsPage} {...page} isSent staffChoices={staffChoices} />,
    },
    {
      name: 'mail-settings-no-mail',
      page: <Shown of={EmailNotificationsPage} {...page} isSent={false} staffChoices={[]} />,
    },
    { name: 'unsubscribed', page: <Shown of={UnsubscribePage} mails={mails} action={null} /> },
    {
      name: 'unsubscribe-bad-link',
      page: <Shown of={UnsubscribePage} mails={null} action={null} />,
    },
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
    viewer: accountOf(words),
    commentLimit: 420,
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
    { person: { ...author, id: '1', acct: 'ada', path: '/@ada' }, intro: reason },
    { person: { ...author, id: '1', acct: 'ada', path: '/@ada' }, intro: '' },
  ]
}

function publicPages(words: StrangersWords): readonly NamedPage[] {
  const viewer = accountOf(words)
  const landing = {
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
  const texts = { html, updatedAt: new Date('2026-05-04T00:00:00Z') }
  const failures = [403, 404, 410, 422, 429, 500, 503, 418]
  return [
    { name: 'landing', page: <Shown of={LandingPage} {...landing} /> },
    {
      name: 'landing-signed-in',
      page: <Shown of={LandingPage} {...landing} viewer={viewer} signUp="approval" />,
    },
    {
      name: 'landing-bare',
      page: (
        <Shown
          of={LandingPage}
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
        <Shown
          of={DirectoryPage}
          people={peopleOf(words)}
          previousUrl="/directory"
          nextUrl="/directory?page=3"
        />
      ),
    },
    {
      name: 'directory-empty',
      page: <Shown of={DirectoryPage} people={[]} previousUrl={null} nextUrl={null} />,
    },
    ...aboutPages({ ...texts, rules, account: accountOf(words) }, words),
    { name: 'privacy', page: <Shown of={DocumentPage} {...texts} title="common.privacyPolicy" /> },
    {
      name: 'terms-unwritten',
      page: <Shown of={DocumentPage} {...texts} title="common.termsOfService" html={null} />,
    },
    { name: 'rules', page: <Shown of={RulesPage} rules={rules} /> },
    ...failures.map((status) => ({
      name: `error-${status}`,
      page: (
        <Shown
          of={ErrorPage}
          status={status}
          problems={null}
          requestId={status === 500 ? '8f2c-77' : null}
          signInPath={status === 404 ? '/auth/sign_in?return_to=%2F%40ada' : null}
        />
      ),
    })),
  ]
}
