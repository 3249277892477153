import type { Child } from 'hono/jsx'
import type { Account } from '../../contract/entities/account'
import type { AccountSummary } from '../site'
import { AccountCard } from './account-card'

/** An account as lists of settings show it. */
export function summaryOfAccount({
  display_name,
  username,
  acct,
  url,
  uri,
  avatar_static,
}: Account): AccountSummary {
  return {
    displayName: display_name === '' ? username : display_name,
    acct,
    url: url ?? uri,
    avatarUrl: avatar_static,
  }
}

export interface AccountLine {
  readonly id: string
  readonly account: AccountSummary
  /** Below the name. */
  readonly note?: Child
}

export interface AccountLinesProps {
  readonly domain: string
  readonly lines: readonly AccountLine[]
  /** Buttons for an account. */
  readonly actions: (line: AccountLine) => Child
}

/** Accounts one below the other, each with what can be done about it. */
export function AccountLines({ domain, lines, actions }: AccountLinesProps) {
  return (
    <ul class="entries">
      {lines.map((line) => (
        <li class="entry-line">
          <div class="entry-account">
            <AccountCard account={line.account} domain={domain} />
            {line.note !== undefined && <p class="muted">{line.note}</p>}
          </div>
          <div class="actions">{actions(line)}</div>
        </li>
      ))}
    </ul>
  )
}
