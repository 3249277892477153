import * as z from 'zod'
import { execute } from '../../../db/query'
import type { MailSettings } from '../../../db/schema/accounts'
import { mailsPerHour } from '../../../domain/notifications/mail-claims'
import { wantsMail } from '../../../domain/notifications/mail-preferences'
import { hasPermission } from '../../../domain/policy/permissions'
import type { WebSession } from '../../../domain/sessions/web-session'
import { saveMailSettings } from '../../../domain/users/mail-settings'
import { findOwnSettings } from '../../../domain/users/preferences'
import {
  type MailKind,
  mailKinds,
  notificationKind,
  notificationMail,
} from '../../../lib/notifications/kinds'
import { Banner } from '../../components/banner'
import { Button } from '../../components/button'
import { CheckboxField } from '../../components/field'
import { PostForm } from '../../components/form'
import { Layout } from '../../components/layout'
import { checkbox } from '../../form-fields'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import type { AccountSummary, FormPageProps } from '../../site'

const title = 'E-mail notifications'

const form = z.object({
  ...Object.fromEntries(mailKinds.map((kind) => [kind, checkbox])),
  always: checkbox,
})

export const emailNotificationsPage = memberPage({
  kind: 'settings',
  path: paths.mailSettings,
  title,
  access: 'signed-in',
  menu: { label: 'E-mail notifications', order: 30 },
  form,
  submissions: [{ run: save }],
  notices: { mail: 'What you are mailed about is saved.' },
  noticesAt: paths.account,
  // The address that Mastodon has.
  redirectsFrom: ['/settings/preferences/notifications'],
  load: async (ctx, { session }) => {
    const own = await execute(ctx.db, findOwnSettings(ctx, session.accountId))
    return own === null ? null : { mail: own.settings.mail, isSent: ctx.mailer !== null }
  },
  view: ({ site, viewer, csrfToken, session, found: { mail, isSent } }) => {
    const choice = (kind: MailKind) => ({
      field: kind,
      label: notificationMail(kind).choice,
      isChosen: wantsMail(mail, kind),
    })
    const { everybody, staff } = offered(session)
    return (
      <EmailNotificationsPage
        site={site}
        viewer={viewer}
        csrfToken={csrfToken}
        email={session.email}
        isSent={isSent}
        choices={everybody.map(choice)}
        staffChoices={staff.map(choice)}
        always={{ field: 'always', label: 'Send mail then, too', isChosen: mail?.always === true }}
      />
    )
  },
})

/** The kinds a session can choose from, those for moderators apart. */
function offered({ permissions }: WebSession) {
  const permissionOf = (kind: MailKind) => notificationKind(kind).permission
  return {
    everybody: mailKinds.filter((kind) => permissionOf(kind) === null),
    staff: mailKinds.filter((kind) => {
      const permission = permissionOf(kind)
      return permission !== null && hasPermission(permissions, permission)
    }),
  }
}

/** Saves the kinds that the page offers; all others stay as they are. */
async function save({ ctx, session, input }: SubmissionCall<z.output<typeof form>>) {
  const { everybody, staff } = offered(session)
  const names = [...everybody, ...staff, 'always'] as const
  const ticked: Readonly<Record<string, unknown>> = input
  const chosen: MailSettings = Object.fromEntries(names.map((name) => [name, ticked[name] === true]))
  await saveMailSettings(ctx, session.accountId, chosen)
  return { notice: 'mail' as const }
}

export interface MailChoice {
  readonly field: string
  readonly label: string
  readonly isChosen: boolean
}

export interface EmailNotificationsPageProps extends FormPageProps {
  readonly viewer: AccountSummary
  readonly email: string
  /** Whether the server sends mail at all. */
  readonly isSent: boolean
  readonly choices: readonly MailChoice[]
  /** Kinds for moderators only. */
  readonly staffChoices: readonly MailChoice[]
  readonly always: MailChoice
}

/** Kinds of notifications that are mailed. */
export function EmailNotificationsPage(props: EmailNotificationsPageProps) {
  const { site, viewer, csrfToken, isSent, email, choices, staffChoices, always } = props
  return (
    <Layout site={site} viewer={viewer} title={title} width="text" isPrivate>
      <h1>E-mail notifications</h1>
      {!isSent && (
        <Banner kind="info" title="This server sends no mail">
          <p>You find everything in your app all the same. What you choose here counts once it does.</p>
        </Banner>
      )}
      <PostForm action={paths.mailSettings} csrfToken={csrfToken}>
        <section class="card" aria-labelledby="about">
          <h2 id="about">Send me a mail when</h2>
          <Choices choices={choices} />
          <p class="muted">
            To {email}, at most {mailsPerHour} an hour. Every mail has a link that stops its kind.
          </p>
        </section>
        {staffChoices.length > 0 && (
          <section class="card" aria-labelledby="staff">
            <h2 id="staff">As I look after this server, also when</h2>
            <Choices choices={staffChoices} />
          </section>
        )}
        <section class="card" aria-labelledby="time">
          <h2 id="time">While I am here</h2>
          <Choices choices={[always]} />
          <p class="muted">Otherwise nothing is sent while you use an app, or about what you have read.</p>
        </section>
        <div class="actions">
          <Button>Save</Button>
        </div>
      </PostForm>
      <p class="aside">
        <a href={paths.account}>Back to your account</a>
      </p>
    </Layout>
  )
}

function Choices({ choices }: { readonly choices: readonly MailChoice[] }) {
  return (
    <>
      {choices.map(({ field, label, isChosen }) => (
        <CheckboxField name={field} label={label} isChecked={isChosen} isOptional />
      ))}
    </>
  )
}
