import { hasPermission } from '../../../domain/policy/permissions'
import type { WebSession } from '../../../domain/sessions/web-session'
import { useTranslation } from '../../i18n/context'
import { limitPath } from '../../paths'

export interface LimitLinkProps {
  /** Null for accounts of this server, which has no limit. */
  readonly domain: string | null
  readonly session: Pick<WebSession, 'permissions'>
}

/** Link from an account to the form for a limit on its server, for staff with the permission. */
export function LimitLink({ domain, session }: LimitLinkProps) {
  const t = useTranslation()
  if (domain === null || !hasPermission(session.permissions, 'manageFederation')) return null
  return (
    <p>
      <a href={limitPath(domain)}>{t('admin.server.limitServerDomain', { domain })}</a>
    </p>
  )
}
