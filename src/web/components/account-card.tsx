import type { AccountSummary } from '../site'

export interface AccountCardProps {
  readonly account: AccountSummary
  readonly domain: string
  /** Not a link where leaving the page would lose input. */
  readonly isLink?: boolean
}

export function AccountCard({ account, domain, isLink = true }: AccountCardProps) {
  const [name, host = domain] = account.acct.split('@')
  const inside = (
    <>
      <img class="avatar" src={account.avatarUrl} alt="" width="48" height="48" />
      <span class="account-names">
        <strong>
          <bdi>{account.displayName === '' ? account.acct : account.displayName}</bdi>
        </strong>
        {/* A long handle breaks before its domain rather than in the middle of a word. */}
        <span class="muted">
          <bdi>
            @{name}
            <wbr />@{host}
          </bdi>
        </span>
      </span>
    </>
  )
  if (!isLink) return <div class="account-card">{inside}</div>
  return (
    <a class="account-card" href={account.url}>
      {inside}
    </a>
  )
}
