import type { Child } from 'hono/jsx'
import { CsrfField } from '../../components/form'
import { Problems } from '../../components/problems'
import { Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { useTypedForm } from '../../page-context'
import type { FormView } from './form-page'

export interface FormPageProps<F> {
  readonly view: FormView<F>
  readonly title: string
  /** Verb on its button. */
  readonly button: string
  readonly isDangerous?: boolean
  readonly children: Child
}

/** A form about an account: its fields or sentences, one button, and the way back. */
export function FormPage<F>({ view, title, button, isDangerous = false, children }: FormPageProps<F>) {
  const typing = useTypedForm()
  const t = useTranslation()
  const { action, back, profile } = view
  return (
    <Shell title={title} place={null} isPrivate>
      <ViewHead title={title} line={<span class="ltr">@{profile.acct}</span>} back={back} />
      <form class="pad asked" method="post" action={action} {...typing}>
        <CsrfField />
        <Problems />
        {children}
        <p class="two">
          <button type="submit" class={isDangerous ? 'button danger' : 'button main'}>
            {button}
          </button>
          <a class="button" href={back}>
            {t('common.cancel')}
          </a>
        </p>
      </form>
    </Shell>
  )
}
