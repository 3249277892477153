import { Hono } from 'hono'
import { takeForNetwork } from '../../domain/sessions/flood'
import { passwordLengths } from '../../domain/users/check-sign-up'
import { isLiveReset, requestReset, resetPassword } from '../../domain/users/passwords'
import { Forbidden } from '../../errors'
import { type AppContext, type AppEnv, clientIp } from '../../ports/app-env'
import type { AccountBundle } from '../../view/load/accounts'
import { Button, ButtonLink } from '../components/button'
import { ContactCard } from '../components/contact-card'
import { PostForm } from '../components/form'
import { EmailLinkForm, FormPage } from '../components/form-page'
import { Layout } from '../components/layout'
import { NewPasswordFields } from '../components/new-password'
import { contactOf, findContact } from '../contact'
import { clearSecretCookie } from '../cookies'
import { csrfTokenFor, readCsrfForm } from '../csrf'
import { type FormErrors, formErrors } from '../form-errors'
import { useTranslation } from '../i18n/context'
import { showPage } from '../page'
import { usePage } from '../page-context'
import { openPage, openPageWith, type PageRequest } from '../page-request'
import { refuseMismatch } from '../password-mismatch'
import { paths } from '../paths'
import type { Contact } from '../site'

const passwordMinLength = passwordLengths.min
const newPassword = ['password', 'password_confirmation'] as const

export function passwordResetRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.passwordForgotten, showForgotten)
  app.post(paths.passwordForgotten, requestLink)
  app.get(paths.passwordReset, async (c) => {
    const token = c.req.query('reset_password_token') ?? ''
    const isLive = await isLiveReset(c.get('ctx'), token)
    return showReset(c, await openPage(c), isLive ? token : null, {}, isLive ? 200 : 403)
  })
  app.post(paths.passwordReset, resetByLink)
  return app
}

async function showForgotten(c: AppContext) {
  const ctx = c.get('ctx')
  const { visit, found } = await openPageWith(c, findContact(ctx))
  if (ctx.mailer === null) return showByAdmin(c, visit, found)
  const csrfToken = await csrfTokenFor(c, visit)
  return showPage(c, <PasswordForgottenPage email="" />, { csrfToken })
}

function showByAdmin(c: AppContext, { settings }: PageRequest, found: AccountBundle) {
  const contact = contactOf(c.get('ctx').config, settings, found)
  return showPage(c, <PasswordResetByAdminPage contact={contact} />)
}

async function requestLink(c: AppContext) {
  const ctx = c.get('ctx')
  const { visit, found } = await openPageWith(c, findContact(ctx))
  const form = await readCsrfForm(c, visit)
  if (ctx.mailer === null) return showByAdmin(c, visit, found)
  const email = form('email').slice(0, 300)
  await takeForNetwork(ctx, 'confirmationsByIp', clientIp(c))
  await ctx.throttle.take('confirmations', `reset ${email.trim().toLowerCase()}`)
  // After the answer, whose time must not reveal whether an account has this address.
  ctx.waitUntil(requestReset(ctx, email))
  return showPage(c, <PasswordResetSentPage />)
}

async function resetByLink(c: AppContext) {
  const visit = await openPage(c)
  const form = await readCsrfForm(c, visit)
  const token = form('reset_password_token')
  try {
    const [password, passwordConfirmation] = [form('password'), form('password_confirmation')]
    refuseMismatch({ password, passwordConfirmation })
    await resetPassword(c.get('ctx'), token, password)
  } catch (failure) {
    if (failure instanceof Forbidden) return showReset(c, visit, null, {}, 403)
    return showReset(c, visit, token, formErrors(failure, newPassword), 422)
  }
  clearSecretCookie(c, 'session')
  return c.redirect(`${paths.signIn}?done=reset`, 303)
}

async function showReset(
  c: AppContext,
  visit: PageRequest,
  token: string | null,
  errors: FormErrors<(typeof newPassword)[number]>,
  status: 200 | 403 | 422,
) {
  const csrfToken = await csrfTokenFor(c, visit)
  return showPage(c, <PasswordResetPage token={token} passwordMinLength={passwordMinLength} />, {
    csrfToken,
    errors,
    status,
  })
}

export interface PasswordForgottenPageProps {
  readonly email: string
}

/** Asks for the address to send a reset link to. */
export function PasswordForgottenPage({ email }: PasswordForgottenPageProps) {
  const t = useTranslation()
  return (
    <FormPage
      title={t('password.reset.resetYourPassword')}
      intro={<p class="quiet">{t('password.reset.weSendLinkWhich')}</p>}
      after={<BackToSignIn />}
    >
      <EmailLinkForm action={paths.passwordForgotten} email={email} />
    </FormPage>
  )
}

/** The answer for every address, so that it does not reveal accounts. */
export function PasswordResetSentPage() {
  const t = useTranslation()
  return (
    <Layout title={t('common.checkYourMail')} isAlone isPrivate>
      <div class="block">
        <p>{t('password.reset.ifAccountHereBelongs')}</p>
        <p class="quiet small">{t('common.nothingThereCanTake')}</p>
      </div>
      <BackToSignIn />
    </Layout>
  )
}

export interface PasswordResetByAdminPageProps {
  readonly contact: Contact
}

/** For a server that sends no mail. */
export function PasswordResetByAdminPage({ contact }: PasswordResetByAdminPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  return (
    <Layout title={t('password.reset.resetYourPassword')} isAlone isPrivate>
      <div class="block">
        <p>{t('password.reset.domainSendsNoEmail', { domain: site.domain })}</p>
        <ContactCard contact={contact} domain={site.domain} />
      </div>
      <BackToSignIn />
    </Layout>
  )
}

export interface PasswordResetPageProps {
  /** From the link; null when it is unknown, used or too old. */
  readonly token: string | null
  readonly passwordMinLength: number
}

/** Page that the link of the mail opens. */
export function PasswordResetPage(props: PasswordResetPageProps) {
  const t = useTranslation()
  const { token } = props
  if (token === null) return <BadLinkPage />
  return (
    <FormPage title={t('password.reset.chooseNewPassword')}>
      <PostForm action={paths.passwordReset} hidden={{ reset_password_token: token }}>
        <NewPasswordFields
          labels={[t('common.newPassword'), t('common.confirmNewPassword')]}
          minLength={props.passwordMinLength}
        />
        <p class="quiet small">{t('password.reset.signsOutAllBrowsers')}</p>
        <Button>{t('password.reset.saveNewPassword')}</Button>
      </PostForm>
    </FormPage>
  )
}

function BadLinkPage() {
  const t = useTranslation()
  return (
    <Layout title={t('common.linkNoLongerWorks')} isAlone isPrivate>
      <div class="block">
        <p>{t('password.reset.usedAlreadyTooOld')}</p>
        <div class="actions">
          <ButtonLink href={paths.passwordForgotten}>{t('common.sendNewLink')}</ButtonLink>
        </div>
      </div>
      <BackToSignIn />
    </Layout>
  )
}

function BackToSignIn() {
  const t = useTranslation()
  return (
    <p class="aside">
      <a href={paths.signIn}>{t('password.reset.backSign')}</a>
    </p>
  )
}
