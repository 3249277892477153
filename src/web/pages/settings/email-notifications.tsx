import * as z from 'zod'
import { type MailKind, mailKinds, notificationKind } from '../../../contract/notification-kinds'
import { execute } from '../../../db/query'
import type { MailSettings } from '../../../db/schema/accounts'
import { mailsPerHour } from '../../../domain/notifications/mail-claims'
import { wantsMail } from '../../../domain/notifications/mail-preferences'
import { hasPermission } from '../../../domain/policy/permissions'
import type { WebSession } from '../../../domain/sessions/web-session'
import { saveMailSettings } from '../../../domain/users/mail-settings'
import { findOwnSettings } from '../../../domain/users/preferences'
import { message } from '../../../lib/translate'
import { Banner } from '../../components/banner'
import { Button } from '../../components/button'
import { CheckboxField } from '../../components/field'
import { type FormErrors, PostForm } from '../../components/form'
import { SettingsLayout } from '../../components/settings-layout'
import { checkbox } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import type { AccountSummary, FormPageProps } from '../../site'

const title = message('E-mail notifications')

/** Completes "Send me a mail when". */
const choiceTexts: Readonly<Record<MailKind, string>> = {
  mention: message('somebody mentions me'),
  quote: message('somebody quotes me'),
  follow: message('somebody follows me'),
  follow_request: message('somebody asks to follow me'),
  favourite: message('somebody favourites a post of mine'),
  reblog: message('somebody boosts a post of mine'),
  moderation_warning: message('the moderators decide something about my account'),
  'admin.report': message('somebody reports something'),
  'admin.sign_up': message('somebody joins'),
  'admin.appeal': message('somebody appeals against a decision of the moderators'),
  'admin.trends': message('new trends wait for review'),
}

const form = z.object({
  ...Object.fromEntries(mailKinds.map((kind) => [kind, checkbox])),
  always: checkbox,
})

export const emailNotificationsPage = memberPage({
  kind: 'settings',
  path: paths.mailSettings,
  title,
  access: 'signed-in',
  menu: { group: 'preferences', label: title, order: 30 },
  form,
  submissions: [{ run: save }],
  notices: { mail: message('What you are mailed about is saved.') },
  // The address that Mastodon has.
  redirectsFrom: ['/settings/preferences/notifications'],
  load: async (ctx, { session }) => {
    const own = await execute(ctx.db, findOwnSettings(ctx, session.accountId))
    return own === null ? null : { mail: own.settings.mail, isSent: ctx.mailer !== null }
  },
  view: ({ site, viewer, csrfToken, session, errors, message: notice, found: { mail, isSent } }) => {
    const choice = (kind: MailKind) => ({
      field: kind,
      label: choiceTexts[kind],
      isChosen: wantsMail(mail, kind),
    })
    const { everybody, staff } = offered(session)
    return (
      <EmailNotificationsPage
        site={site}
        viewer={viewer}
        csrfToken={csrfToken}
        errors={errors}
        message={notice}
        email={session.email}
        isSent={isSent}
        choices={everybody.map(choice)}
        staffChoices={staff.map(choice)}
        always={{ field: 'always', label: message('Send mail then, too'), isChosen: mail?.always === true }}
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
  readonly errors: FormErrors<string>
  readonly message: string | null
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
  const { site, viewer, csrfToken, errors, message, isSent, email, choices, staffChoices, always } = props
  const t = useTranslation()
  return (
    <SettingsLayout site={site} viewer={viewer} title={t(title)} errors={errors} message={message}>
      {!isSent && (
        <Banner kind="info" title={t('This server sends no mail')}>
          <p>
            {t(
              'You find everything in your app all the same. What you choose here counts once the server sends mail.',
            )}
          </p>
        </Banner>
      )}
      <PostForm action={paths.mailSettings} csrfToken={csrfToken}>
        <section class="card" aria-labelledby="about">
          <h2 id="about">{t('Send me a mail when')}</h2>
          <Choices choices={choices} />
          <p class="muted">
            {t('To {email}, at most {count, number} an hour. Every mail has a link that stops its kind.', {
              email,
              count: mailsPerHour,
            })}
          </p>
        </section>
        {staffChoices.length > 0 && (
          <section class="card" aria-labelledby="staff">
            <h2 id="staff">{t('As I look after this server, also when')}</h2>
            <Choices choices={staffChoices} />
          </section>
        )}
        <section class="card" aria-labelledby="time">
          <h2 id="time">{t('While I am here')}</h2>
          <Choices choices={[always]} />
          <p class="muted">
            {t('Otherwise nothing is sent while you use an app, or about what you have read.')}
          </p>
        </section>
        <div class="actions">
          <Button>{t('Save')}</Button>
        </div>
      </PostForm>
    </SettingsLayout>
  )
}

function Choices({ choices }: { readonly choices: readonly MailChoice[] }) {
  const t = useTranslation()
  return (
    <>
      {choices.map(({ field, label, isChosen }) => (
        <CheckboxField name={field} label={t(label)} isChecked={isChosen} isOptional />
      ))}
    </>
  )
}
