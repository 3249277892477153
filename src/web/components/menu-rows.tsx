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
  /** Text that scripts copy instead of following the link. */
  readonly copies?: string
}

interface MenuButtonProps extends MenuRowProps {
  readonly act: string
  /** Label after a press, for buttons that change between two states. */
  readonly other?: string
}

/** A row of a menu that leads to a page. */
export function MenuLink({ href, deletes, copies, ...row }: MenuLinkProps): Child {
  return (
    <a class={classOf(row)} href={href} data-delete={deletes} data-copy={copies}>
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

/** A row of a menu that shares an address by the browser; hidden where it cannot. */
export function ShareRow({ url, label }: { readonly url: string; readonly label: string }): Child {
  return (
    <button type="button" class="row" data-share={url} hidden>
      <Words icon="share-2" label={label} />
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
