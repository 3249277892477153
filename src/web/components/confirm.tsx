import type { Child } from 'hono/jsx'
import { Button } from './button'
import { PostForm } from './form'

export interface ConfirmProps {
  readonly action: string
  /** Words that open the question. */
  readonly label: Child
  /** Thing that is acted upon, for those who do not see where the question stands. */
  readonly about?: string
  /** Effect of the act, shown before it happens. */
  readonly effect: Child
  readonly button: Child
  readonly hidden?: Readonly<Record<string, string | null>>
  /** Fields of the form. */
  readonly children?: Child
}

/** Act that cannot be undone at once: its effect is shown and asked about before it happens. */
export function Confirm({ action, label, about, effect, button, hidden = {}, children }: ConfirmProps) {
  return (
    <details class="confirm">
      <summary>
        {label}
        {about !== undefined && <span class="hidden"> {about}</span>}…
      </summary>
      <PostForm action={action} hidden={hidden}>
        <p>{effect}</p>
        {children}
        <Button look="danger">{button}</Button>
      </PostForm>
    </details>
  )
}

export interface CommandProps extends Pick<ConfirmProps, 'action' | 'hidden' | 'about'> {
  /** The server asks before it does this: its `Submission` has a question. */
  readonly asks?: boolean
  readonly children: Child
}

/** Act that takes one button: another one takes it back, or a page asks about it. */
export function Command({ action, hidden = {}, about, asks = false, children }: CommandProps) {
  const fields = asks && about !== undefined ? { ...hidden, about } : hidden
  return (
    <PostForm action={action} hidden={fields} class="inline">
      <Button look={asks ? 'caution' : 'secondary'}>
        {children}
        {about !== undefined && <span class="hidden"> {about}</span>}
        {asks && '…'}
      </Button>
    </PostForm>
  )
}
