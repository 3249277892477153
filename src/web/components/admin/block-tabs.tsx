import { message } from '../../../lib/translate'
import { useTranslation } from '../../i18n/context'
import { Tabs } from './panel'

const tabs = [
  { href: '/admin/ip_blocks', text: message('IP addresses') },
  { href: '/admin/email_domain_blocks', text: message('E-mail domains') },
  { href: '/admin/canonical_email_blocks', text: message('E-mail addresses') },
  { href: '/admin/username_blocks', text: message('User names') },
] as const

/** Links between the lists of what nobody signs up with. */
export function BlockTabs({ current }: { readonly current: (typeof tabs)[number]['href'] }) {
  const t = useTranslation()
  return (
    <Tabs
      label={t('Blocks')}
      tabs={tabs.map(({ href, text }) => ({ href, text: t(text), isCurrent: href === current }))}
    />
  )
}
