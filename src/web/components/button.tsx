import type { Child } from 'hono/jsx'

export interface ButtonProps {
  /** `caution`: leads to a question about an act that is not easily undone; `danger` does it. */
  readonly look?: 'primary' | 'secondary' | 'caution' | 'danger' | 'link'
  readonly name?: string
  readonly value?: string
  /** Id of the form that it sends, where it stands in none, and another path to send it to. */
  readonly form?: string
  readonly action?: string
  readonly children?: Child
}

const looks = {
  primary: 'button main',
  secondary: 'button',
  caution: 'button danger',
  danger: 'button danger',
  link: 'link',
} as const

/** Sends the form it stands in. */
export function Button({ look = 'primary', name, value, form, action, children }: ButtonProps) {
  return (
    <button type="submit" name={name} value={value} form={form} formaction={action} class={looks[look]}>
      {children}
    </button>
  )
}

export interface ButtonLinkProps {
  readonly look?: 'primary' | 'secondary' | 'danger'
  readonly href: string
  readonly children?: Child
}

export function ButtonLink({ look = 'primary', href, children }: ButtonLinkProps) {
  return (
    <a class={looks[look]} href={href}>
      {children}
    </a>
  )
}
