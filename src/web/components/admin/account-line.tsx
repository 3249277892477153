import type { AdminAccount } from '../../../contract/entities/admin/account'
import { message } from '../../../lib/translate'
import { useTranslation } from '../../i18n/context'
import { moderatedAccountPath } from '../../paths'

/** States of an account that keep it from something, in words. */
export function statesOf(account: AdminAccount): readonly string[] {
  return [
    ...(account.suspended ? [message('suspended')] : []),
    ...(account.disabled === true ? [message('disabled')] : []),
    ...(account.silenced ? [message('limited')] : []),
    ...(account.sensitized ? [message('media sensitive')] : []),
    ...(account.confirmed === false ? [message('not confirmed')] : []),
    ...(account.approved === false ? [message('waits for approval')] : []),
  ]
}

/** `@name` of a local account, `@name@domain` of a remote one. */
export function handleOf({ username, domain }: Pick<AdminAccount, 'username' | 'domain'>): string {
  return domain === null ? `@${username}` : `@${username}@${domain}`
}

/** An account with its states, linked to its administration page. */
export function AccountLine({ account }: { readonly account: AdminAccount }) {
  const t = useTranslation()
  const { display_name: name, avatar_static: avatar } = account.account
  return (
    <span class="account-line">
      <img class="avatar" src={avatar} alt="" width="32" height="32" />
      <span class="account-names">
        <a href={moderatedAccountPath(account.id)}>
          <bdi>{name === '' ? account.username : name}</bdi>
        </a>
        <span class="muted">
          <bdi>{handleOf(account)}</bdi>
        </span>
      </span>
      {statesOf(account).map((state) => (
        <span class="badge badge-warning">{t(state)}</span>
      ))}
    </span>
  )
}
