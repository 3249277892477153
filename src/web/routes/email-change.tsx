import { Hono } from 'hono'
import { changeEmail } from '../../domain/users/confirm'
import type { AppContext, AppEnv } from '../../platform/app-env'
import { type EmailChangeField, EmailChangePage } from '../auth/email-change'
import type { FormErrors } from '../components/form'
import { csrfTokenFor, readCsrfForm } from '../csrf'
import { formErrors } from '../form-errors'
import { showPage } from '../page'
import { openPage, type PageRequest } from '../page-request'
import { paths } from '../paths'
import { toSignIn } from './sign-in'

const fields = ['email', 'current_password'] as const satisfies readonly EmailChangeField[]

export function emailChangeRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.emailChange, async (c) => showForm(c, await openPage(c), '', {}, 200))
  app.post(paths.emailChange, change)
  return app
}

async function change(c: AppContext) {
  const ctx = c.get('ctx')
  const visit = await openPage(c)
  const form = await readCsrfForm(c, visit)
  if (visit.session === null) return toSignIn(c)
  const { accountId } = visit.session
  const email = form('email').slice(0, 300)
  // Whoever found an open browser must neither try passwords nor send mail without end.
  await ctx.throttle.take('signInsByName', `account ${accountId}`)
  try {
    await changeEmail(ctx, accountId, { email, currentPassword: form('current_password') })
  } catch (failure) {
    return showForm(c, visit, email, formErrors(failure, fields), 422)
  }
  return c.redirect(`${paths.account}?done=${ctx.mailer === null ? 'email' : 'email-sent'}`, 303)
}

async function showForm(
  c: AppContext,
  visit: PageRequest,
  email: string,
  errors: FormErrors<EmailChangeField>,
  status: 200 | 422,
) {
  const { site, viewer, session } = visit
  if (viewer === null || session === null) return toSignIn(c)
  const page = {
    ...{ site, viewer, currentEmail: session.email, email, errors },
    csrfToken: await csrfTokenFor(c, visit),
    isConfirmedByMail: c.get('ctx').mailer !== null,
  }
  return showPage(c, <EmailChangePage {...page} />, { status })
}
