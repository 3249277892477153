import type { StaffMember } from '../domain/core/viewer'
import type { WebSession } from '../domain/sessions/web-session'
import { type AppContext, clientIp } from '../ports/app-env'

/** The account of a session as the one who performs administrative commands. */
export function moderatorOf(c: AppContext, session: WebSession): StaffMember {
  const { accountId, username, permissions, rolePosition: position } = session
  return { accountId, username, permissions, position, ip: clientIp(c) }
}
