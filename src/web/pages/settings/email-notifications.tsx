import * as z from 'zod'
import { type MailKind, mailKinds, notificationKind } from '../../../contract/notification-kinds'
import { execute } from '../../../db/query'
import type { MailSettings } from '../../../db/schema/accounts'
import { mailsPerHour, wantsMail } from '../../../domain/notifications/mail-preferences'
import { hasPermission } from '../../../domain/policy/permissions'
import type { WebSession } from '../../../domain/sessions/web-session'
import { findOwnSettings, saveMailSettings } from '../../../domain/users/preferences'
import type { TextKey } from '../../../lib/translate'
import { Banner } from '../../components/banner'
import { Button } from '../../components/button'
import { CheckboxField } from '../../components/field'
import { PostForm } from '../../components/form'
import { SettingsLayout } from '../../components/settings-layout'
import { checkbox } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'

const title = 'settings.emailNotifications.emailNotifications'

/** Completes "Send me a mail when". */
export const choiceTexts: Readonly<Record<MailKind, TextKey>> = {
  mention: 'settings.emailNotifications.somebodyMentionsMe',
  quote: 'settings.emailNotifications.somebodyQuotesMe',
  follow: 'settings.emailNotifications.somebodyFollowsMe',
  follow_request: 'settings.emailNotifications.somebodyAsksFollowMe',
  favourite: 'settings.emailNotifications.somebodyFavouritesPostMine',
  reblog: 'settings.emailNotifications.somebodyBoostsPostMine',
  moderation_warning: 'settings.emailNotifications.moderatorsDecideSomethingAbout',
  'admin.report': 'settings.emailNotifications.somebodyReportsSomething',
  'admin.sign_up': 'settings.emailNotifications.somebodyJoins',
  'admin.appeal': 'settings.emailNotifications.somebodyAppealsAgainstDecision',
  'admin.trends': 'settings.emailNotifications.newTrendsWaitReview',
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
  menu: { group: 'reach', topic: 'notifications', label: title, order: 31 },
  words: ['settings.emailNotifications.sendMeMailWhen'],
  form,
  submissions: [{ run: save }],
  notices: { mail: 'settings.emailNotifications.whatMailedAboutSaved' },
  // The address that Mastodon has.
  redirectsFrom: ['/settings/preferences/notifications'],
  load: async (ctx, { session }) => {
    const own = await execute(ctx.db, findOwnSettings(ctx, session.accountId))
    return own === null ? null : { mail: own.settings.mail, isSent: ctx.mailer !== null }
  },
  view: ({ session, found: { mail, isSent } }) => {
    const choice = (kind: MailKind) => ({
      field: kind,
      label: choiceTexts[kind],
      isChosen: wantsMail(mail, kind),
    })
    const { everybody, staff } = offered(session)
    return (
      <EmailNotificationsPage
        email={session.email}
        isSent={isSent}
        choices={everybody.map(choice)}
        staffChoices={staff.map(choice)}
        always={{
          field: 'always',
          label: 'settings.emailNotifications.alsoWhileOnline',
          isChosen: mail?.always === true,
        }}
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
  readonly label: TextKey
  readonly isChosen: boolean
}

export interface EmailNotificationsPageProps {
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
  const { isSent, email, choices, staffChoices, always } = props
  const t = useTranslation()
  return (
    <SettingsLayout title={t(title)}>
      {!isSent && (
        <Banner kind="info" title={t('settings.emailNotifications.serverSendsNoMail')}>
          <p>{t('settings.emailNotifications.findEverythingAppAll')}</p>
        </Banner>
      )}
      <PostForm action={paths.mailSettings}>
        <section class="block" aria-labelledby="about">
          <h2 id="about">{t('settings.emailNotifications.sendMeMailWhen')}</h2>
          <Choices choices={choices} />
          <p class="quiet small">
            {t('settings.emailNotifications.emailMostCountHour', {
              email,
              count: mailsPerHour,
            })}
          </p>
        </section>
        {staffChoices.length > 0 && (
          <section class="block" aria-labelledby="staff">
            <h2 id="staff">{t('settings.emailNotifications.asModerator')}</h2>
            <Choices choices={staffChoices} />
          </section>
        )}
        <section class="block" aria-labelledby="time">
          <h2 id="time">{t('settings.emailNotifications.whileOnline')}</h2>
          <Choices choices={[always]} />
          <p class="quiet small">{t('settings.emailNotifications.otherwiseNothingSentWhile')}</p>
        </section>
        <div class="save">
          <Button>{t('common.save')}</Button>
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
