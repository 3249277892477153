import { TextField } from './field'

export interface NewPasswordFieldsProps {
  readonly label: string
  readonly minLength: number
  readonly errors?: readonly string[] | undefined
  readonly confirmationErrors?: readonly string[] | undefined
}

/**
 * A new password, twice: without scripts users cannot see what they typed. The fields have no maximum length, as
 * browsers cut a pasted password silently.
 */
export function NewPasswordFields({ label, minLength, errors, confirmationErrors }: NewPasswordFieldsProps) {
  return (
    <>
      <TextField
        name="password"
        label={label}
        hint={`At least ${minLength} characters.`}
        type="password"
        autocomplete="new-password"
        minlength={minLength}
        errors={errors}
      />
      <TextField
        name="password_confirmation"
        label={`${label}, once more`}
        type="password"
        autocomplete="new-password"
        minlength={minLength}
        errors={confirmationErrors}
      />
    </>
  )
}
