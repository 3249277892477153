import type { Child } from 'hono/jsx'
import { Icon, type IconName } from './icon'

interface MenuRowProps {
  readonly icon: IconName
  readonly label: string
  /** A smaller line below: what it does. */
  readonly hint?: string
  readonly isDangerous?: boolean
}

interface MenuLinkProps extends MenuRowProps {
  readonly href: string
  /** Id of the post that the page behind the link deletes: scripts do so at once. */
  readonly deletes?: string
}

interface MenuButtonProps extends MenuRowProps {
  readonly act: string
  /** Label after a press, for buttons that change between two states. */
  readonly other?: string
}

/** A row of a menu that leads to a page. */
export function MenuLink({ href, deletes, ...row }: MenuLinkProps): Child {
  return (
    <a class={classOf(row)} href={href} data-delete={deletes}>
      <Words {...row} />
    </a>
  )
}

/** A row of a menu that sends the form around it with `act`. */
export function MenuButton({ act, other, ...row }: MenuButtonProps): Child {
  return (
    <button type="submit" class={classOf(row)} name="act" value={act} data-other={other}>
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
