import type { AdminAccount } from '../../../contract/entities/admin/account'
import type { TextKey } from '../../../lib/translate'
import { useTranslation } from '../../i18n/context'
import { moderatedAccountPath } from '../../paths'

/** Restrictions of an account, as texts. */
export function statesOf(account: AdminAccount): readonly TextKey[] {
  const states: readonly (readonly [boolean, TextKey])[] = [
    [account.suspended, 'common.suspended'],
    [account.disabled === true, 'admin.disabled'],
    [account.silenced, 'common.limited'],
    [account.sensitized, 'admin.accounts.mediaSensitive2'],
    [account.confirmed === false, 'common.notConfirmed'],
    [account.approved === false, 'admin.accounts.waitsForApproval'],
  ]
  return states.flatMap(([applies, text]) => (applies ? [text] : []))
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
