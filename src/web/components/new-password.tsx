import { useTranslation } from '../i18n/context'
import { TextField } from './field'

export interface NewPasswordFieldsProps {
  /** Label of the field, and of the one to repeat it in. */
  readonly labels: readonly [string, string]
  readonly minLength: number
}

/**
 * A new password, twice: without scripts users cannot see what they typed. The fields have no maximum length, as
 * browsers cut a pasted password silently.
 */
export function NewPasswordFields({ labels, minLength }: NewPasswordFieldsProps) {
  const t = useTranslation()
  return (
    <>
      <TextField
        name="password"
        label={labels[0]}
        hint={t('password.atLeastCharacters', {
          count: minLength,
        })}
        type="password"
        autocomplete="new-password"
        minlength={minLength}
      />
      <TextField
        name="password_confirmation"
        label={labels[1]}
        type="password"
        autocomplete="new-password"
        minlength={minLength}
      />
    </>
  )
}

export interface CurrentPasswordFieldProps {
  /** `Your password` unless the form has another password beside it. */
  readonly label?: string
}

/** Password of the account, which forms ask for before what cannot be undone. */
export function CurrentPasswordField({ label }: CurrentPasswordFieldProps) {
  const t = useTranslation()
  return (
    <TextField
      name="current_password"
      label={label ?? t('password.yourPassword')}
      type="password"
      autocomplete="current-password"
    />
  )
}

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
