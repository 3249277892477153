import { useTranslation } from '../i18n/context'
export interface PasswordManagerUsernameProps {
  readonly username: string
}

/** Hidden field that names the account of a password for password managers. */
export function PasswordManagerUsername({ username }: PasswordManagerUsernameProps) {
  const t = useTranslation()
  return (
    <div hidden>
      <label for="account-username">{t('common.userName')}</label>
      <input id="account-username" type="text" value={username} autocomplete="username" readonly />
    </div>
  )
}
