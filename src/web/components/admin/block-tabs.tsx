import { useTranslation } from '../../i18n/context'
import { Tabs } from '../shell'

const tabs = [
  { href: '/admin/ip_blocks', text: 'admin.ipAddresses' },
  { href: '/admin/email_domain_blocks', text: 'admin.emailDomains' },
  { href: '/admin/canonical_email_blocks', text: 'admin.emailAddresses' },
  { href: '/admin/username_blocks', text: 'admin.blocks.userNames' },
] as const

/** Links between the lists of sign-up blocks. */
export function BlockTabs({ current }: { readonly current: (typeof tabs)[number]['href'] }) {
  const t = useTranslation()
  return (
    <Tabs
      label={t('admin.blocks')}
      tabs={tabs.map(({ href, text }) => ({ href, label: t(text), isCurrent: href === current }))}
    />
  )
}
