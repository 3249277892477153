import { Hono } from 'hono'
import { takeForNetwork } from '../../domain/sessions/flood'
import { confirmationProblems, passwordLengths } from '../../domain/users/check-sign-up'
import { changePassword, isLiveReset, requestReset, resetPassword } from '../../domain/users/passwords'
import { Forbidden, invalidFields } from '../../errors'
import type { AppEnv } from '../../platform/app-env'
import { type AppContext, clientIp } from '../../platform/app-env'
import type { AccountBundle } from '../../view/load/accounts'
import { type PasswordChangeField, PasswordChangePage } from '../auth/password-change'
import {
  PasswordForgottenPage,
  PasswordResetByAdminPage,
  PasswordResetPage,
  PasswordResetSentPage,
} from '../auth/password-reset'
import type { FormErrors } from '../components/form'
import { contactOf, findContact } from '../contact'
import { clearSecretCookie } from '../cookies'
import { csrfTokenFor, type Form, readCsrfForm } from '../csrf'
import { formErrors } from '../form-errors'
import { showPage } from '../page'
import { openPage, openPageWith, type PageRequest } from '../page-request'
import { paths } from '../paths'
import { toSignIn } from './sign-in'

const passwordMinLength = passwordLengths.min
const newPassword = ['password', 'password_confirmation'] as const
const change = ['current_password', ...newPassword] as const satisfies readonly PasswordChangeField[]

export function passwordRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  // Password managers look here for the page where passwords are changed.
  app.get('/.well-known/change-password', (c) => c.redirect(paths.passwordChange))
  app.get(paths.passwordChange, async (c) => showChange(c, await openPage(c), {}, 200))
  app.post(paths.passwordChange, changeOwn)
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

async function changeOwn(c: AppContext) {
  const visit = await openPage(c)
  const form = await readCsrfForm(c, visit)
  if (visit.session === null) return toSignIn(c)
  const { accountId, id } = visit.session
  const ctx = c.get('ctx')
  // Whoever found an open browser must not be able to try passwords without end.
  await ctx.throttle.take('signInsByName', `account ${accountId}`)
  try {
    refuseMismatch(form)
    const [current, next] = [form('current_password'), form('password')]
    await changePassword(ctx, accountId, { current, next, keepSessionId: id })
  } catch (failure) {
    return showChange(c, visit, formErrors(failure, change), 422)
  }
  return c.redirect(`${paths.account}?done=password`, 303)
}

function refuseMismatch(form: Form): void {
  const [password, passwordConfirmation] = [form('password'), form('password_confirmation')]
  const problems = confirmationProblems({ password, passwordConfirmation })
  if (problems.length > 0) throw invalidFields({ password_confirmation: problems })
}

async function showChange(
  c: AppContext,
  visit: PageRequest,
  errors: FormErrors<PasswordChangeField>,
  status: 200 | 422,
) {
  const { site, viewer } = visit
  if (viewer === null) return toSignIn(c)
  const csrfToken = await csrfTokenFor(c, visit)
  return showPage(c, <PasswordChangePage {...{ site, viewer, csrfToken, errors, passwordMinLength }} />, {
    status,
  })
}

async function showForgotten(c: AppContext) {
  const ctx = c.get('ctx')
  const { visit, found } = await openPageWith(c, findContact(ctx))
  if (ctx.mailer === null) return showByAdmin(c, visit, found)
  const { site, viewer } = visit
  const csrfToken = await csrfTokenFor(c, visit)
  return showPage(c, <PasswordForgottenPage {...{ site, viewer, csrfToken, email: '', errors: {} }} />)
}

function showByAdmin(c: AppContext, { site, viewer, settings }: PageRequest, found: AccountBundle) {
  const contact = contactOf(c.get('ctx').config, settings, found)
  return showPage(c, <PasswordResetByAdminPage {...{ site, viewer, contact }} />)
}

async function requestLink(c: AppContext) {
  const ctx = c.get('ctx')
  const { visit, found } = await openPageWith(c, findContact(ctx))
  const form = await readCsrfForm(c, visit)
  if (ctx.mailer === null) return showByAdmin(c, visit, found)
  const email = form('email').slice(0, 300)
  await takeForNetwork(ctx, 'confirmationsByIp', clientIp(c))
  await ctx.throttle.take('confirmations', `reset ${email.trim().toLowerCase()}`)
  // After the answer, so that its time does not tell whether somebody has this address.
  ctx.waitUntil(requestReset(ctx, email))
  return showPage(c, <PasswordResetSentPage site={visit.site} viewer={visit.viewer} />)
}

async function resetByLink(c: AppContext) {
  const visit = await openPage(c)
  const form = await readCsrfForm(c, visit)
  const token = form('reset_password_token')
  try {
    refuseMismatch(form)
    await resetPassword(c.get('ctx'), token, form('password'))
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
  const { site, viewer } = visit
  const csrfToken = await csrfTokenFor(c, visit)
  return showPage(
    c,
    <PasswordResetPage {...{ site, viewer, csrfToken, token, errors, passwordMinLength }} />,
    {
      status,
    },
  )
}
