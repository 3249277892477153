import { Hono } from 'hono'
import { deleteOwnAccount } from '../../domain/accounts/delete-own'
import { findWithPassword } from '../../domain/users/passwords'
import type { AppContext, AppEnv } from '../../platform/app-env'
import type { FormErrors } from '../components/form'
import { clearSecretCookie } from '../cookies'
import { csrfTokenFor, readCsrfForm } from '../csrf'
import { formErrors } from '../form-errors'
import { showPage } from '../page'
import { openPage, type PageRequest } from '../page-request'
import { paths } from '../paths'
import { type DeletionField, DeletionPage } from '../settings/deletion'
import { toSignIn } from './sign-in'

export function deletionRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.deletion, async (c) => showForm(c, await openPage(c), {}))
  app.post(paths.deletion, deleteAccount)
  return app
}

async function deleteAccount(c: AppContext) {
  const ctx = c.get('ctx')
  const visit = await openPage(c)
  const form = await readCsrfForm(c, visit)
  if (visit.session === null) return toSignIn(c)
  const { accountId } = visit.session
  try {
    // Whoever found an open browser must not be able to try passwords without end.
    await ctx.throttle.take('signInsByName', `account ${accountId}`)
    await findWithPassword(ctx, accountId, form('current_password'))
    await deleteOwnAccount(ctx, accountId)
  } catch (failure) {
    return showForm(c, visit, formErrors(failure, ['current_password']))
  }
  clearSecretCookie(c, 'session')
  return c.redirect(`${paths.signIn}?done=deleted`, 303)
}

async function showForm(c: AppContext, visit: PageRequest, errors: FormErrors<DeletionField>) {
  const { site, viewer } = visit
  if (viewer === null) return toSignIn(c)
  const page = { site, viewer, errors, csrfToken: await csrfTokenFor(c, visit) }
  return showPage(c, <DeletionPage {...page} />, { status: Object.keys(errors).length === 0 ? 200 : 422 })
}
