import type { Child } from 'hono/jsx'
import * as z from 'zod'
import { changeEmail } from '../../../domain/users/confirm'
import { Button } from '../../components/button'
import { CheckboxField, TextField } from '../../components/field'
import { PostForm } from '../../components/form'
import { CurrentPasswordField, PasswordManagerUsername } from '../../components/new-password'
import { SettingsLayout } from '../../components/settings-layout'
import { textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { useMember } from '../../page-context'
import { paths } from '../../paths'

const title = 'common.changeEmailAddress'
const emailMaxLength = 300
const nonBreakingHyphen = '\u2011'

const form = z.object({
  email: textField(emailMaxLength),
  current_password: textField(),
  sign_out_apps: textField(),
})

export const emailChangePage = memberPage({
  kind: 'settings',
  path: paths.emailChange,
  title,
  access: 'signed-in',
  menu: { group: 'security', label: 'field.emailAddress', order: 210 },
  form,
  submissions: [{ run: change }],
  notices: {
    email: 'settings.emailChange.emailAddressChanged',
    // The address of the page alone proves nothing: without a new e-mail address no mail was sent.
    'email-sent': ({ unconfirmedEmail }) =>
      unconfirmedEmail === null ? null : 'settings.emailChange.pleaseFollowLinkWe',
  },
  noticesAt: paths.account,
  load: (ctx) => ({ isConfirmedByMail: ctx.mailer !== null }),
  view: ({ session, typed, found }) => (
    <EmailChangePage
      currentEmail={session.email}
      email={typed('email').slice(0, emailMaxLength)}
      isConfirmedByMail={found.isConfirmedByMail}
    />
  ),
})

async function change({ ctx, session, input }: SubmissionCall<z.output<typeof form>>) {
  const { accountId } = session
  // An open browser must neither allow to try passwords nor to send mail without end.
  await ctx.throttle.take('signInsByName', `account ${accountId}`)
  await changeEmail(ctx, accountId, {
    email: input.email,
    currentPassword: input.current_password,
    keepSessionId: session.id,
    endsApplications: input.sign_out_apps === 'true',
  })
  return { notice: ctx.mailer === null ? ('email' as const) : ('email-sent' as const) }
}

export interface EmailChangePageProps {
  readonly currentEmail: string
  /** The new address, as typed. */
  readonly email: string
  /** A link has to be followed before the new address counts. */
  readonly isConfirmedByMail: boolean
}

export function EmailChangePage(props: EmailChangePageProps) {
  const { currentEmail, email, isConfirmedByMail } = props
  const t = useTranslation()
  const viewer = useMember()
  return (
    <SettingsLayout title={t(title)} heading={t(title).replaceAll('-', nonBreakingHyphen)}>
      <section class="block" aria-label={t(title)}>
        <p class="quiet">
          {t.rich('settings.emailChange.nowEmail', {
            email: currentEmail,
            address: (words: Child[]) => <strong>{words}</strong>,
          })}
        </p>

        <PostForm action={paths.emailChange}>
          <PasswordManagerUsername username={viewer.acct} />
          <TextField
            name="email"
            label={t('settings.emailChange.newEmailAddress')}
            type="email"
            value={email}
            autocomplete="email"
          />
          <CurrentPasswordField />
          <CheckboxField
            name="sign_out_apps"
            label={t('settings.signOutAllApps')}
            isChecked={false}
            isOptional
          />
          <p class="quiet small">{t('settings.signsOutAllOther')}</p>
          {isConfirmedByMail && <p class="quiet small">{t('settings.emailChange.weSendLinkNew')}</p>}
          <Button>{t('settings.emailChange.changeAddress')}</Button>
        </PostForm>
      </section>
    </SettingsLayout>
  )
}
