import type { WebSession } from '../domain/sessions/web-session'
import type { AppContext } from '../ports/app-env'
import { csrfTokenFor } from './csrf'
import { showPage } from './page'
import type { PageRequest } from './page-request'
import { CheckMailPage, NoMailPage, WaitingForApprovalPage } from './pages/sign-up/done'

/** The page for members who may not use their account yet, with the reason; null for others. */
export async function showInactiveAccount(
  c: AppContext,
  visit: PageRequest,
  { confirmed, approved, email, createdAt: since }: WebSession,
): Promise<Response | null> {
  const sendsMail = c.get('ctx').mailer !== null
  if (!confirmed) {
    const page = {
      email,
      stage: 'unconfirmed' as const,
      since,
    }
    const markup = sendsMail ? <CheckMailPage {...page} /> : <NoMailPage {...page} />
    const csrfToken = await csrfTokenFor(c, visit)
    return showPage(c, markup, { csrfToken, status: 403, isAboutAccount: true })
  }
  if (approved) return null
  const page = { since, answersByMail: sendsMail }
  return showPage(c, <WaitingForApprovalPage {...page} />, { status: 403, isAboutAccount: true })
}
