import type { Child } from 'hono/jsx'
import { actingAs } from '../csrf'
import { errorText } from '../error-texts'
import { hasErrors, listProblems } from '../form-errors'
import { useTranslation } from '../i18n/context'
import { useCsrfToken, usePage, useTypedForm } from '../page-context'
import { fieldId } from './field'
import { Icon } from './icon'
import { TypedContext, useSentForm } from './typed-values'

export interface PostFormProps {
  readonly action: string
  /** Sent along unseen; null values are left out. */
  readonly hidden?: Readonly<Record<string, string | null>>
  readonly class?: string
  /** For buttons elsewhere that send it. */
  readonly id?: string
  /** Encodes the form so that it can send files. */
  readonly hasFiles?: boolean
  readonly children?: Child
}

/** Every form of the pages: a plain POST with the CSRF token. After a refusal its fields show typed values. */
export function PostForm({
  action,
  hidden = {},
  class: look = 'form',
  id,
  hasFiles = false,
  children,
}: PostFormProps) {
  const typed = useSentForm(action, hidden)
  const typing = useTypedForm()
  return (
    <form
      id={id}
      method="post"
      action={action}
      {...typing}
      class={look}
      enctype={hasFiles ? 'multipart/form-data' : undefined}
    >
      <CsrfField />
      {Object.entries(hidden).map(
        ([name, value]) => value !== null && <input type="hidden" name={name} value={value} />,
      )}
      <TypedContext.Provider value={typed}>{children}</TypedContext.Provider>
    </form>
  )
}

/** The CSRF token of the page and the account that opened it, for forms that are no `PostForm`. */
export function CsrfField() {
  const { viewer } = usePage()
  return (
    <>
      <input type="hidden" name="csrf_token" value={useCsrfToken()} />
      {viewer !== null && <input type="hidden" name={actingAs} value={viewer.acct} />}
    </>
  )
}

/** Lists the problems with links to their fields. Takes the focus, so it is read out first. */
export function ErrorSummary() {
  const t = useTranslation()
  const { errors } = usePage()
  const problems = listProblems(errors)
  if (!hasErrors(errors)) return null
  return (
    <div class="note danger" role="alert" tabindex={-1} autofocus>
      <Icon name="triangle-alert" />
      <div>
        <p class="note-title">
          {errors.form === undefined
            ? t('form.checkForm')
            : [errors.form]
                .flat()
                .map((one) => errorText(t, one))
                .join(' ')}
        </p>
        {problems.length > 0 && (
          <ul>
            {problems.map(({ field, one }) => (
              <li>
                <a href={`#${fieldId(field)}`}>{errorText(t, one)}</a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
