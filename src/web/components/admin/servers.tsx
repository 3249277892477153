import type { RelayState } from '../../../db/schema/federation'
import type { DomainLimitRow } from '../../../domain/moderation/find-limits'
import { message } from '../../../lib/translate'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import { Tabs } from './panel'

export const severityBadges: Readonly<Record<DomainLimitRow['severity'], string>> = {
  silence: message('limited'),
  suspend: message('suspended'),
  noop: message('partly limited'),
}

export const relayStates: Readonly<Record<RelayState, string>> = {
  idle: message('not subscribed'),
  pending: message('asked'),
  accepted: message('subscribed'),
  rejected: message('refused'),
}

export const severityChoices: Readonly<Record<DomainLimitRow['severity'], { text: string; hint: string }>> = {
  silence: {
    text: message('Limit'),
    hint: message('Posts from there reach followers only: no public timelines, search and trends.'),
  },
  suspend: {
    text: message('Suspend'),
    hint: message('Nothing comes in or goes out, and follows both ways end.'),
  },
  noop: {
    text: message('Only what is ticked below'),
    hint: message('Posts are shown as those of other servers.'),
  },
}

const tabs = [
  { name: 'known', href: paths.servers, text: message('Known servers') },
  { name: 'failing', href: `${paths.servers}?show=failing`, text: message('Not reached') },
  { name: 'limits', href: paths.domainLimits, text: message('Limits') },
  { name: 'allowed', href: '/admin/domain_allows', text: message('Allowed') },
  { name: 'blocklists', href: paths.blocklists, text: message('Blocklists') },
  { name: 'relays', href: '/admin/relays', text: message('Relays') },
  { name: 'severances', href: paths.severances, text: message('Ended follows') },
] as const

export type ServerTab = (typeof tabs)[number]['name']

/** Links between the pages about other servers. */
export function ServerTabs({ current }: { readonly current: ServerTab }) {
  const t = useTranslation()
  return (
    <Tabs
      label={t('Servers')}
      tabs={tabs.map(({ name, href, text }) => ({ href, text: t(text), isCurrent: name === current }))}
    />
  )
}
