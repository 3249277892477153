import type { Child } from 'hono/jsx'
import { Icon, type IconName } from './icon'

interface MenuRowProps {
  readonly icon: IconName
  readonly label: string
  /** A smaller line below: what it does. */
  readonly hint?: string
  readonly isDangerous?: boolean
}

/** A row of a menu that leads to a page. */
export function MenuLink({ href, ...row }: MenuRowProps & { readonly href: string }): Child {
  return (
    <a class={classOf(row)} href={href}>
      <Words {...row} />
    </a>
  )
}

/** A row of a menu that sends the form around it with `act`. */
export function MenuButton({ act, ...row }: MenuRowProps & { readonly act: string }): Child {
  return (
    <button type="submit" class={classOf(row)} name="act" value={act}>
      <Words {...row} />
    </button>
  )
}

function classOf({ isDangerous = false }: MenuRowProps): string {
  return isDangerous ? 'row danger' : 'row'
}

function Words({ icon, label, hint }: MenuRowProps) {
  return (
    <>
      <Icon name={icon} />
      <span>
        {label}
        {hint !== undefined && <small>{hint}</small>}
      </span>
    </>
  )
}
