import type { WebSession } from '../domain/sessions/web-session'
import { CheckMailPage, WaitingForApprovalPage } from './auth/sign-up-done'
import { showPage } from './page'
import { csrfTokenFor } from './posted'
import type { C, Visit } from './visit'

/** The page for members who may not use their account yet, with what they wait for; null for those who may. */
export async function showWaiting(
  c: C,
  visit: Visit,
  { confirmed, approved, email }: WebSession,
): Promise<Response | null> {
  const { site, viewer } = visit
  if (!confirmed) {
    const csrfToken = await csrfTokenFor(c, visit)
    return showPage(c, <CheckMailPage {...{ site, viewer, csrfToken, email, wasResent: false }} />, {
      status: 403,
    })
  }
  if (approved) return null
  const answersByMail = c.get('ctx').mailer !== null
  return showPage(c, <WaitingForApprovalPage {...{ site, viewer, answersByMail }} />, { status: 403 })
}
