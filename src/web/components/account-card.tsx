import type { Child } from 'hono/jsx'
import type { Account } from '../../contract/entities/account'
import { smallAvatar } from '../../contract/small-avatars'
import type { AccountSummary } from '../site'
import type { AuthorView } from '../status-view-model'
import { EmojiText } from './emoji-text'

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
      <span class="account-names">
        <strong>
          <bdi>{account.displayName === '' ? account.acct : account.displayName}</bdi>
        </strong>
        {/* A long handle breaks before its domain rather than in the middle of a word. */}
        <span class="quiet small">
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

export interface PersonView {
  readonly author: AuthorView
  /** Note of the account, shortened and without markup. */
  readonly intro: string
}

/** An account to meet. The whole card links to the profile. */
export function PersonCard({ person: { author, intro } }: { readonly person: PersonView }) {
  return (
    <a class="person" href={author.url}>
      <img class="avatar" src={smallAvatar(author.avatarUrl)} alt="" width="48" height="48" loading="lazy" />
      <span class="account-names">
        <strong>
          <EmojiText text={author.name} emojis={author.emojis} />
        </strong>
        <bdi class="quiet small">{author.handle}</bdi>
        {intro !== '' && <span class="person-intro">{intro}</span>}
      </span>
    </a>
  )
}

export function People({ people }: { readonly people: readonly PersonView[] }) {
  return (
    <ul class="people">
      {people.map((person) => (
        <li>
          <PersonCard person={person} />
        </li>
      ))}
    </ul>
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
