import { Button } from './button'
import { TextField } from './field'
import { type FormErrors, PostForm } from './form'

export interface LinkRequestProps {
  readonly action: string
  readonly csrfToken: string
  readonly email: string
  readonly errors: FormErrors<'email'>
}

/** Asks for the address to send a link to. */
export function LinkRequest({ action, csrfToken, email, errors }: LinkRequestProps) {
  return (
    <PostForm action={action} csrfToken={csrfToken}>
      <TextField
        name="email"
        label="E-mail address"
        hint="The one you signed up with."
        type="email"
        value={email}
        autocomplete="email"
        errors={errors.fields?.email}
      />
      <Button>Send the link</Button>
    </PostForm>
  )
}
