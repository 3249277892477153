import type { Child } from 'hono/jsx'
import { useTranslation } from '../i18n/context'
import { usePage } from '../page-context'
import { Banner } from './banner'
import { Button } from './button'
import { TextField } from './field'
import { ErrorSummary, PostForm } from './form'
import { Layout } from './layout'

export interface FormPageLayoutProps {
  readonly title: string
  /** Heading that differs from the title, as by hyphens that hold words together. */
  readonly heading?: string
  /** Between the heading and what went wrong. */
  readonly intro?: Child
  /** Below the form: where else to go. */
  readonly after?: Child
  readonly children?: Child
}

/** A page that is one form: a heading, what went wrong, and the form. */
export function FormPage(props: FormPageLayoutProps) {
  const { title, heading = title, intro, after, children } = props
  // A visitor came for this form. A member is on a page of the server, and has its navigation.
  const isAlone = usePage().viewer === null
  return (
    <Layout title={title} heading={heading} isAlone={isAlone} isPrivate>
      <div class="block">
        {intro}
        <ErrorSummary />
        {children}
      </div>
      {after}
    </Layout>
  )
}

export interface EmailLinkFormProps {
  readonly action: string
  readonly email: string
  /** False on servers that send no mail: the form then only asks for the address. */
  readonly sendsMail?: boolean
}

/** Asks for the address to send a link to. */
export function EmailLinkForm({ action, email, sendsMail = true }: EmailLinkFormProps) {
  const t = useTranslation()
  return (
    <PostForm action={action}>
      <TextField
        name="email"
        label={t('field.emailAddress')}
        hint={t('password.reset.emailAddress.hint')}
        type="email"
        value={email}
        autocomplete="email"
      />
      <Button>{sendsMail ? t('password.reset.sendTheLink') : t('password.reset.confirmTheAddress')}</Button>
    </PostForm>
  )
}

export interface OutcomeProps {
  /** Name of the card around it; none at the top of the page. */
  readonly at?: string
}

/** Confirmation of a submitted form, where its button is. Takes the focus: it is seen, and read out first. */
export function Outcome({ at }: OutcomeProps) {
  const t = useTranslation()
  const { message, saved } = usePage()
  const { changed, at: place } = saved
  if (message === null || place !== (at ?? null)) return null
  const list = new Intl.ListFormat(t.language, { style: 'short', type: 'unit' })
  return (
    <Banner kind="success" takesFocus>
      <p>{t(message)}</p>
      {changed !== null && (
        <p>
          {changed.length === 0
            ? t('form.nothingHasChanged')
            : t('form.changedFields', { fields: list.format(changed.map((label) => t(label))) })}
        </p>
      )}
    </Banner>
  )
}
