import { createContext, useContext } from 'hono/jsx'
import type { Form } from '../csrf'
import type { PageError } from '../error-texts'
import { usePage } from '../page-context'

/** Typed values of the form around a field; null where it shows saved values. */
export const TypedContext = createContext<Form | null>(null)

/** Typed text of a field; `saved` where its form is not shown again. */
export function useTypedText(name: string, saved: string): string {
  const typed = useContext(TypedContext)
  return typed === null || isSecretField(name) ? saved : typed(name)
}

/** Whether a box was ticked; `isSaved` where its form is not shown again. */
export function useTicked(name: string, isSaved: boolean): boolean {
  const typed = useContext(TypedContext)
  return typed === null ? isSaved : typed(name) === 'true'
}

/** Problems of a field by its name. Where the page knows which form was sent, other forms have none. */
export function useFieldErrors(name: string): readonly PageError[] {
  const { errors, sent } = usePage()
  const typed = useContext(TypedContext)
  const isElsewhere = sent !== null && typed === null
  return isElsewhere ? [] : (errors.fields?.[name] ?? [])
}

/** Whether a field holds a secret by its name: such fields are never kept nor shown again. */
export function isSecretField(name: string): boolean {
  return /password|(^|_)code|credential|token|secret/i.test(name)
}

/** Values for the fields of a form at `action` with these hidden fields: those of the sent form, if it is the same. */
export function useSentForm(action: string, hidden: Readonly<Record<string, string | null>>): Form | null {
  const { sent } = usePage()
  if (sent === null || sent.action !== action.replace(/[?#].*$/, '')) return null
  const isSame = Object.entries(hidden).every(([name, value]) => value === null || sent.form(name) === value)
  return isSame ? sent.form : null
}
