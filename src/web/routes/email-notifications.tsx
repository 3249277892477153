import { Hono } from 'hono'
import { execute } from '../../db/query'
import { type MailKind, type MailSettings, mailKinds } from '../../db/schema/accounts'
import { mailTopics, wantsMail } from '../../domain/notifications/mail-preferences'
import { hasPermission } from '../../domain/policy/permissions'
import { findMemberById } from '../../domain/users/find'
import { saveMailSettings, stopMail } from '../../domain/users/mail-settings'
import { findOwnSettings } from '../../domain/users/preferences'
import { readUnsubscribeToken } from '../../lib/mail/unsubscribe'
import type { AppContext, AppEnv } from '../../platform/app-env'
import { csrfTokenFor, readCsrfForm } from '../csrf'
import { showPage } from '../page'
import { openPage, openPageWith, type PageRequest } from '../page-request'
import { paths } from '../paths'
import { UnsubscribePage } from '../public/unsubscribe'
import { EmailNotificationsPage } from '../settings/email-notifications'
import { toSignIn } from './sign-in'

export function emailNotificationRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.mailSettings, showSettings)
  app.post(paths.mailSettings, saveSettings)
  // Where Mastodon has it.
  app.get('/settings/preferences/notifications', (c) => c.redirect(paths.mailSettings))
  app.get(`${paths.unsubscribe}/:token`, (c) => unsubscribe(c, 'ask'))
  app.post(`${paths.unsubscribe}/:token`, (c) => unsubscribe(c, 'stop'))
  return app
}

const labels: Readonly<Record<MailKind | 'always', string>> = {
  mention: 'somebody mentions me',
  quote: 'somebody quotes me',
  follow: 'somebody follows me',
  follow_request: 'somebody asks to follow me',
  favourite: 'somebody favourites a post of mine',
  reblog: 'somebody boosts a post of mine',
  moderation_warning: 'the moderators decide something about my account',
  'admin.report': 'somebody reports something',
  'admin.sign_up': 'somebody joins',
  always: 'Send mail then, too',
}

type Session = NonNullable<PageRequest['session']>

/** The kinds on offer to somebody, those for who looks after the server apart. */
function offered({ permissions }: Session) {
  const staff = [
    ...(hasPermission(permissions, 'manageReports') ? (['admin.report'] as const) : []),
    ...(hasPermission(permissions, 'manageUsers') ? (['admin.sign_up'] as const) : []),
  ]
  return { everybody: mailKinds.filter((kind) => !kind.startsWith('admin.')), staff }
}

async function showSettings(c: AppContext) {
  const ctx = c.get('ctx')
  const visit = await openPage(c)
  const { site, viewer, session } = visit
  const own = session === null ? null : await execute(ctx.db, findOwnSettings(ctx, session.accountId))
  if (viewer === null || session === null || own === null) return toSignIn(c)
  const { mail } = own.settings
  const choice = (kind: MailKind) => ({
    ...{ field: kind, label: labels[kind], isChosen: wantsMail(mail, kind) },
  })
  const { everybody, staff } = offered(session)
  const page = {
    ...{ site, viewer, csrfToken: await csrfTokenFor(c, visit) },
    ...{ email: session.email, isSent: ctx.mailer !== null },
    ...{ choices: everybody.map(choice), staffChoices: staff.map(choice) },
    always: { field: 'always', label: labels.always, isChosen: mail?.always === true },
  }
  return showPage(c, <EmailNotificationsPage {...page} />)
}

/** A box that is not ticked is not sent; what was not on the page stays as it is. */
async function saveSettings(c: AppContext) {
  const visit = await openPage(c)
  const form = await readCsrfForm(c, visit)
  const { session } = visit
  if (session === null) return toSignIn(c)
  const { everybody, staff } = offered(session)
  const names = [...everybody, ...staff, 'always'] as const
  const chosen: MailSettings = Object.fromEntries(names.map((name) => [name, form(name) === 'true']))
  await saveMailSettings(c.get('ctx'), session.accountId, chosen)
  return c.redirect(`${paths.account}?done=mail`, 303)
}

/**
 * One-click unsubscription (RFC 8058): mail programs post to the address they were given, with no session and no
 * form of ours, and get the page instead of a redirection. The token is all it takes, and it stops one kind only.
 */
async function unsubscribe(c: AppContext, step: 'ask' | 'stop') {
  const ctx = c.get('ctx')
  const token = c.req.param('token') ?? ''
  const subscription = await readUnsubscribeToken(ctx.config.secret, token)
  const kind = mailKinds.find((one) => one === subscription?.kind)
  const accountId = subscription?.accountId ?? 0
  const { visit, found: member } = await openPageWith(c, findMemberById(ctx, accountId))
  const { site, viewer } = visit
  if (kind === undefined || member === null)
    return showPage(c, <UnsubscribePage {...{ site, viewer }} mails={null} action={null} />, { status: 404 })
  if (step === 'stop') await stopMail(ctx, accountId, kind)
  const mails = { handle: `@${member.username}@${ctx.config.domain}`, topic: mailTopics[kind] }
  const action = step === 'ask' ? `${paths.unsubscribe}/${token}` : null
  return showPage(c, <UnsubscribePage {...{ site, viewer, mails, action }} />)
}
