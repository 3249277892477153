import type { Child } from 'hono/jsx'
import { fieldId } from './field'

/** Problems of a form in words for people: by field, and as a whole. */
export interface FormErrors<Field extends string> {
  readonly fields?: Readonly<Partial<Record<Field, readonly string[]>>>
  readonly form?: string
}

export interface PostFormProps {
  readonly action: string
  readonly csrfToken: string
  /** Sent along unseen; null values are left out. */
  readonly hidden?: Readonly<Record<string, string | null>>
  readonly class?: string
  /** Encodes the form so that it can send files. */
  readonly hasFiles?: boolean
  readonly children?: Child
}

/** Every form of the pages: a plain POST with the CSRF token. */
export function PostForm({
  action,
  csrfToken,
  hidden = {},
  class: look = 'form',
  hasFiles = false,
  children,
}: PostFormProps) {
  return (
    <form method="post" action={action} class={look} enctype={hasFiles ? 'multipart/form-data' : undefined}>
      <input type="hidden" name="csrf_token" value={csrfToken} />
      {Object.entries(hidden).map(
        ([name, value]) => value !== null && <input type="hidden" name={name} value={value} />,
      )}
      {children}
    </form>
  )
}

export function hasErrors(errors: FormErrors<string>): boolean {
  return errors.form !== undefined || listProblems(errors).length > 0
}

export interface ErrorSummaryProps {
  readonly errors: FormErrors<string>
}

/** Lists the problems with links to their fields. Takes the focus, so it is read out first. */
export function ErrorSummary({ errors }: ErrorSummaryProps) {
  const problems = listProblems(errors)
  if (!hasErrors(errors)) return null
  return (
    <div class="notice notice-error" role="alert" tabindex={-1} autofocus>
      <p class="notice-title">{errors.form ?? 'Please have another look'}</p>
      {problems.length > 0 && (
        <ul>
          {problems.map(({ field, text }) => (
            <li>
              <a href={`#${fieldId(field)}`}>{text}</a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function listProblems({ fields = {} }: FormErrors<string>) {
  return Object.entries(fields).flatMap(([field, texts = []]) => texts.map((text) => ({ field, text })))
}
