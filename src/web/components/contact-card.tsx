import { useTranslation } from '../i18n/context'
import type { Contact, RuleText } from '../site'
import { AccountCard } from './account-card'

export interface ContactCardProps {
  readonly contact: Contact
  readonly domain: string
}

export function ContactCard({ contact: { email, account }, domain }: ContactCardProps) {
  const t = useTranslation()
  return (
    <div class="contact">
      {account !== null && <AccountCard account={account} domain={domain} />}
      {email !== null && (
        <p>
          <a href={`mailto:${email}`}>{email}</a>
        </p>
      )}
      {account === null && email === null && <p class="quiet small">{t('about.operatorHasNotNamed')}</p>}
    </div>
  )
}

export interface RuleListProps {
  readonly rules: readonly RuleText[]
}

export function RuleList({ rules }: RuleListProps) {
  return (
    <ol class="rules">
      {rules.map((rule) => (
        <li>
          <p dir="auto">{rule.text}</p>
          {rule.hint !== '' && (
            <p class="quiet small" dir="auto">
              {rule.hint}
            </p>
          )}
        </li>
      ))}
    </ol>
  )
}
