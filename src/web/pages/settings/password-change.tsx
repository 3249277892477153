import * as z from 'zod'
import { passwordLengths } from '../../../domain/users/check-sign-up'
import { changePassword } from '../../../domain/users/passwords'
import { Button } from '../../components/button'
import { CheckboxField } from '../../components/field'
import { PostForm } from '../../components/form'
import {
  CurrentPasswordField,
  NewPasswordFields,
  PasswordManagerUsername,
} from '../../components/new-password'
import { SettingsLayout } from '../../components/settings-layout'
import { textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { useMember } from '../../page-context'
import { refuseMismatch } from '../../password-mismatch'
import { paths } from '../../paths'

const title = 'settings.passwordChange.changePassword'

const form = z.object({
  current_password: textField(),
  password: textField(),
  password_confirmation: textField(),
  sign_out_apps: textField(),
})

export const passwordChangePage = memberPage({
  kind: 'settings',
  path: paths.passwordChange,
  title,
  access: 'signed-in',
  menu: { group: 'security', topic: 'signIn', label: 'field.password', order: 220 },
  words: ['common.newPassword'],
  form,
  submissions: [{ run: change }],
  notices: { password: 'settings.passwordChange.passwordChangedAllOther' },
  noticesAt: paths.account,
  // Password managers look here for the page where passwords are changed.
  redirectsFrom: ['/.well-known/change-password'],
  load: () => ({}),
  view: () => <PasswordChangePage passwordMinLength={passwordLengths.min} />,
})

async function change({ ctx, session, input }: SubmissionCall<z.output<typeof form>>) {
  // An open browser must not allow to try passwords without end.
  await ctx.throttle.take('signInsByName', `account ${session.accountId}`)
  const { password, password_confirmation: passwordConfirmation, current_password: current } = input
  refuseMismatch({ password, passwordConfirmation })
  await changePassword(ctx, session.accountId, {
    current,
    next: password,
    keepSessionId: session.id,
    endsApplications: input.sign_out_apps === 'true',
  })
  return { notice: 'password' as const }
}

export interface PasswordChangePageProps {
  readonly passwordMinLength: number
}

export function PasswordChangePage(props: PasswordChangePageProps) {
  const { passwordMinLength } = props
  const t = useTranslation()
  const viewer = useMember()
  return (
    <SettingsLayout title={t(title)}>
      <section class="block" aria-label={t(title)}>
        <PostForm action={paths.passwordChange}>
          <PasswordManagerUsername username={viewer.acct} />
          <CurrentPasswordField label={t('field.currentPassword')} />
          <NewPasswordFields
            labels={[t('common.newPassword'), t('common.confirmNewPassword')]}
            minLength={passwordMinLength}
          />
          <CheckboxField
            name="sign_out_apps"
            label={t('settings.signOutAllApps')}
            isChecked={false}
            isOptional
          />
          <p class="quiet small">{t('settings.signsOutAllOther')}</p>
          <Button>{t('settings.passwordChange.changePassword')}</Button>
        </PostForm>
      </section>
    </SettingsLayout>
  )
}
