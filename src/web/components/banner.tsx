import type { Child } from 'hono/jsx'

export interface BannerProps {
  readonly kind: 'info' | 'success'
  readonly title?: string
  readonly children?: Child
}

export function Banner({ kind, title, children }: BannerProps) {
  return (
    <div class={`notice notice-${kind}`} role={kind === 'success' ? 'status' : undefined}>
      {title !== undefined && <p class="notice-title">{title}</p>}
      {children}
    </div>
  )
}
