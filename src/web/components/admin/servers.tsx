import type { RelayState } from '../../../db/schema/federation'
import type { DomainLimitRow } from '../../../domain/moderation/find-limits'
import type { TextKey } from '../../../lib/translate'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import { Tabs } from '../shell'

export const severityBadges: Readonly<Record<DomainLimitRow['severity'], TextKey>> = {
  silence: 'common.limited',
  suspend: 'common.suspended',
  noop: 'admin.servers.partlyLimited',
}

export const relayStates: Readonly<Record<RelayState, TextKey>> = {
  idle: 'admin.servers.notSubscribed',
  pending: 'admin.servers.asked',
  accepted: 'admin.servers.subscribed',
  rejected: 'admin.servers.refused',
}

export const severityChoices: Readonly<Record<DomainLimitRow['severity'], { text: TextKey; hint: TextKey }>> =
  {
    silence: {
      text: 'admin.limit',
      hint: 'admin.servers.limit.hint',
    },
    suspend: {
      text: 'admin.suspend',
      hint: 'admin.servers.suspend.hint',
    },
    noop: {
      text: 'admin.servers.onlyWhatTickedBelow',
      hint: 'admin.servers.onlyWhatTickedBelow.hint',
    },
  }

const tabs = [
  { name: 'known', href: paths.servers, text: 'admin.servers.knownServers' },
  { name: 'failing', href: `${paths.servers}?show=failing`, text: 'admin.servers.notReached' },
  { name: 'limits', href: paths.domainLimits, text: 'admin.limits' },
  { name: 'allowed', href: '/admin/domain_allows', text: 'admin.servers.allowed' },
  { name: 'blocklists', href: paths.blocklists, text: 'admin.blocklists' },
  { name: 'relays', href: '/admin/relays', text: 'admin.relays' },
  { name: 'severances', href: paths.severances, text: 'admin.endedFollows' },
] as const

export type ServerTab = (typeof tabs)[number]['name']

/** Links between the pages about other servers. */
export function ServerTabs({ current }: { readonly current: ServerTab }) {
  const t = useTranslation()
  return (
    <Tabs
      label={t('admin.servers.servers')}
      tabs={tabs.map(({ name, href, text }) => ({ href, label: t(text), isCurrent: name === current }))}
    />
  )
}
