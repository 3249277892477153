import type { Child } from 'hono/jsx'
import type { Account } from '../../contract/entities/account'
import { smallAvatar } from '../../contract/small-avatars'
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
      <img class="avatar" src={smallAvatar(account.avatarUrl)} alt="" width="48" height="48" />
      <span class="names">
        <b>
          <bdi>{account.displayName === '' ? account.acct : account.displayName}</bdi>
        </b>
        {/* A long handle breaks before its domain rather than in the middle of a word. */}
        <small>
          <bdi>
            @{name}
            <wbr />@{host}
          </bdi>
        </small>
      </span>
    </>
  )
  if (!isLink) return <div class="person">{inside}</div>
  return (
    <a class="person" href={account.url}>
      {inside}
    </a>
  )
}

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
            {line.note !== undefined && <p class="quiet small">{line.note}</p>}
          </div>
          <div class="actions">{actions(line)}</div>
        </li>
      ))}
    </ul>
  )
}
