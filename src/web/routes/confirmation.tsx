import { Hono } from 'hono'
import type { Ctx } from '../../context'
import { ask } from '../../db/query'
import { isEmail } from '../../domain/users/check-sign-up'
import { confirmAddress, requestConfirmation } from '../../domain/users/confirm'
import { findMemberByEmail } from '../../domain/users/find'
import { networkOf } from '../../lib/network'
import { ConfirmationPage, ResendConfirmationPage } from '../auth/confirmation'
import { CheckMailPage } from '../auth/sign-up-done'
import { showPage } from '../page'
import { paths } from '../paths'
import { csrfTokenFor, postedForm } from '../posted'
import type { Served } from '../served'
import { ipOf, openVisit } from '../visit'

export function confirmationRoutes(): Hono<Served> {
  const app = new Hono<Served>()
  app.get(paths.confirmation, async (c) => {
    const token = c.req.query('confirmation_token') ?? ''
    const outcome = await confirmAddress(c.get('ctx'), token)
    const { site, viewer } = await openVisit(c)
    const status = outcome === 'bad_link' ? 403 : 200
    return showPage(c, <ConfirmationPage {...{ site, viewer, outcome }} />, { status })
  })
  app.get(paths.resendConfirmation, async (c) => {
    const visit = await openVisit(c)
    const { site, viewer, session } = visit
    const csrfToken = await csrfTokenFor(c, visit)
    const email = session?.email ?? ''
    return showPage(c, <ResendConfirmationPage {...{ site, viewer, csrfToken, email, errors: {} }} />)
  })
  app.post(paths.resendConfirmation, async (c) => {
    const ctx = c.get('ctx')
    const visit = await openVisit(c)
    const { site, viewer } = visit
    const email = (await postedForm(c, visit))('email').trim().slice(0, 300)
    const csrfToken = await csrfTokenFor(c, visit)
    if (!isEmail(email)) {
      const errors = { fields: { email: ['This is not an e-mail address.'] } }
      const page = { site, viewer, csrfToken, email, errors }
      return showPage(c, <ResendConfirmationPage {...page} />, { status: 422 })
    }
    await ctx.throttle.take('confirmationsByIp', networkOf(ipOf(c)))
    await ctx.throttle.take('confirmations', `confirm ${email.toLowerCase()}`)
    // The same answer, as soon, whether or not somebody waits for this mail.
    ctx.waitUntil(sendAgain(ctx, email))
    return showPage(c, <CheckMailPage {...{ site, viewer, csrfToken, email, wasResent: true }} />)
  })
  return app
}

async function sendAgain(ctx: Ctx, email: string): Promise<void> {
  const member = await ask(ctx.db, findMemberByEmail(ctx, email))
  const isWaiting = member !== null && (member.confirmedAt === null || member.unconfirmedEmail !== null)
  if (isWaiting) await requestConfirmation(ctx, member, null)
}
