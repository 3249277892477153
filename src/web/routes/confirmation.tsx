import { Hono } from 'hono'
import { execute } from '../../db/query'
import { takeForNetwork } from '../../domain/sessions/flood'
import { isEmail } from '../../domain/users/check-sign-up'
import { confirmAddress, requestConfirmation } from '../../domain/users/confirm'
import { findMemberByEmail } from '../../domain/users/find'
import type { AppEnv } from '../../platform/app-env'
import { type AppContext, clientIp } from '../../platform/app-env'
import type { Ctx } from '../../platform/ports'
import { ConfirmationPage, ResendConfirmationPage } from '../auth/confirmation'
import { CheckMailPage, NoMailPage } from '../auth/sign-up-done'
import { csrfTokenFor, readCsrfForm } from '../csrf'
import { showPage } from '../page'
import { openPage } from '../page-request'
import { paths } from '../paths'

export function confirmationRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.confirmation, async (c) => {
    const token = c.req.query('confirmation_token') ?? ''
    const outcome = await confirmAddress(c.get('ctx'), token)
    const { site, viewer } = await openPage(c)
    const status = outcome === 'bad_link' ? 403 : 200
    const page = { site, viewer, outcome, answersByMail: sendsMail(c) }
    return showPage(c, <ConfirmationPage {...page} />, { status })
  })
  app.get(paths.resendConfirmation, async (c) => {
    const visit = await openPage(c)
    const { site, viewer, session } = visit
    const csrfToken = await csrfTokenFor(c, visit)
    const email = session?.email ?? ''
    const page = { site, viewer, csrfToken, email, errors: {}, sendsMail: sendsMail(c) }
    return showPage(c, <ResendConfirmationPage {...page} />)
  })
  app.post(paths.resendConfirmation, async (c) => {
    const ctx = c.get('ctx')
    const visit = await openPage(c)
    const { site, viewer } = visit
    const email = (await readCsrfForm(c, visit))('email').trim().slice(0, 300)
    const csrfToken = await csrfTokenFor(c, visit)
    if (!isEmail(email)) {
      const errors = { fields: { email: ['This is not an e-mail address.'] } }
      const page = { site, viewer, csrfToken, email, errors, sendsMail: sendsMail(c) }
      return showPage(c, <ResendConfirmationPage {...page} />, { status: 422 })
    }
    await takeForNetwork(ctx, 'confirmationsByIp', clientIp(c))
    await ctx.throttle.take('confirmations', `confirm ${email.toLowerCase()}`)
    // The same answer, as soon, whether or not somebody waits for this mail.
    ctx.waitUntil(sendAgain(ctx, email))
    const page = { site, viewer, csrfToken, email, stage: 'asked-again' as const }
    return showPage(c, sendsMail(c) ? <CheckMailPage {...page} /> : <NoMailPage {...page} />)
  })
  return app
}

export function sendsMail(c: AppContext): boolean {
  return c.get('ctx').mailer !== null
}

async function sendAgain(ctx: Ctx, email: string): Promise<void> {
  const member = await execute(ctx.db, findMemberByEmail(ctx, email))
  const isWaiting = member !== null && (member.confirmedAt === null || member.unconfirmedEmail !== null)
  if (isWaiting) await requestConfirmation(ctx, member, null)
}
