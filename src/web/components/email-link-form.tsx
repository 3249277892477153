import { useTranslation } from '../i18n/context'
import { Button } from './button'
import { TextField } from './field'
import { type FormErrors, PostForm } from './form'

export interface EmailLinkFormProps {
  readonly action: string
  readonly csrfToken: string
  readonly email: string
  readonly errors: FormErrors<'email'>
  /** False on servers that send no mail: the form then only asks for the address. */
  readonly sendsMail?: boolean
}

/** Asks for the address to send a link to. */
export function EmailLinkForm({ action, csrfToken, email, errors, sendsMail = true }: EmailLinkFormProps) {
  const t = useTranslation()
  return (
    <PostForm action={action} csrfToken={csrfToken}>
      <TextField
        name="email"
        label={t('field.emailAddress')}
        hint={t('password.reset.emailAddress.hint')}
        type="email"
        value={email}
        autocomplete="email"
        errors={errors.fields?.email}
      />
      <Button>{sendsMail ? t('password.reset.sendTheLink') : t('password.reset.confirmTheAddress')}</Button>
    </PostForm>
  )
}
