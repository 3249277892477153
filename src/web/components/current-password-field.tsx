import type { PageError } from '../error-texts'
import { useTranslation } from '../i18n/context'
import { TextField } from './field'

export interface CurrentPasswordFieldProps {
  /** `Your password` unless the form has another password beside it. */
  readonly label?: string
  readonly errors: readonly PageError[] | undefined
}

/** Password of the account, which forms ask for before what cannot be undone. */
export function CurrentPasswordField({ label, errors }: CurrentPasswordFieldProps) {
  const t = useTranslation()
  return (
    <TextField
      name="current_password"
      label={label ?? t('password.yourPassword')}
      type="password"
      autocomplete="current-password"
      errors={errors}
    />
  )
}
