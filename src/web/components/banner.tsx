import type { Child } from 'hono/jsx'
import { Icon } from './icon'

export interface BannerProps {
  readonly kind: 'info' | 'success'
  readonly title?: string
  /** Whether the page begins there for those who use the keyboard or a screen reader. */
  readonly takesFocus?: boolean
  readonly children?: Child
}

export function Banner({ kind, title, takesFocus = false, children }: BannerProps) {
  return (
    <div
      class={kind === 'success' ? 'note success' : 'note'}
      role={kind === 'success' ? 'status' : undefined}
      tabindex={takesFocus ? -1 : undefined}
      autofocus={takesFocus}
    >
      <Icon name={kind === 'success' ? 'check' : 'shield'} />
      <div>
        {title !== undefined && <p class="note-title">{title}</p>}
        {children}
      </div>
    </div>
  )
}
