import type { Moderator, StaffMember } from '../domain/core/viewer'
import type { WebSession } from '../domain/sessions/web-session'
import { type AppContext, clientIp } from '../ports/app-env'

/** The account of a session as the one who performs administrative commands. */
export function moderatorOf(c: AppContext, session: WebSession): StaffMember {
  const { accountId, username, permissions, rolePosition: position } = session
  return { accountId, username, permissions, position, ip: clientIp(c) }
}

/** The account of a session as the one who looks at what a command would do. */
export function previewerOf({ accountId, username, permissions, rolePosition }: WebSession): Moderator {
  return { accountId, username, permissions, position: rolePosition, ip: null }
}
