import type { Child } from 'hono/jsx'
import * as z from 'zod'
import { deleteOwnAccount } from '../../../domain/accounts/delete-own'
import { findWithPassword } from '../../../domain/users/passwords'
import { Button } from '../../components/button'
import { PostForm } from '../../components/form'
import { CurrentPasswordField, PasswordManagerUsername } from '../../components/new-password'
import { SettingsLayout } from '../../components/settings-layout'
import { clearSecretCookie } from '../../cookies'
import { textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { useMember } from '../../page-context'
import { paths } from '../../paths'

const title = 'settings.deletion.deleteAccount'

const form = z.object({ current_password: textField() })

export const deletionPage = memberPage({
  kind: 'settings',
  path: paths.deletion,
  title,
  access: 'signed-in',
  isBeforeTerms: true,
  menu: { group: 'account', label: title, order: 330 },
  form,
  submissions: [{ run: deleteAccount }],
  notices: {},
  load: () => ({}),
  view: () => <DeletionPage />,
})

async function deleteAccount({ c, ctx, session, input }: SubmissionCall<z.output<typeof form>>) {
  const { accountId } = session
  // An open browser must not allow to try passwords without end.
  await ctx.throttle.take('signInsByName', `account ${accountId}`)
  await findWithPassword(ctx, accountId, input.current_password)
  await deleteOwnAccount(ctx, accountId)
  clearSecretCookie(c, 'session')
  return { redirectTo: `${paths.signIn}?done=deleted` }
}

/** Leaving for good. */
export function DeletionPage() {
  const t = useTranslation()
  const viewer = useMember()
  return (
    <SettingsLayout title={t(title)}>
      <section class="block" aria-label={t(title)}>
        <p>{t('settings.deletion.deletesProfilePostsPictures')}</p>
        <p>
          {t.rich('settings.deletion.keepFollowersMoveAccount', {
            link: (words: Child[]) => <a href={paths.migration}>{words}</a>,
          })}
        </p>
        <PostForm action={paths.deletion}>
          <PasswordManagerUsername username={viewer.acct} />
          <CurrentPasswordField />
          <Button look="danger">{t('settings.deletion.deleteMyAccount')}</Button>
        </PostForm>
      </section>
    </SettingsLayout>
  )
}
