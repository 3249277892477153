import type { Child } from 'hono/jsx'

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
      class={`notice notice-${kind}`}
      role={kind === 'success' ? 'status' : undefined}
      tabindex={takesFocus ? -1 : undefined}
      autofocus={takesFocus}
    >
      {title !== undefined && <p class="notice-title">{title}</p>}
      {children}
    </div>
  )
}
