import type { Child } from 'hono/jsx'

export interface NoticeProps {
  readonly kind: 'info' | 'success'
  readonly title?: string
  readonly children?: Child
}

export function Notice({ kind, title, children }: NoticeProps) {
  return (
    <div class={`notice notice-${kind}`} role={kind === 'success' ? 'status' : undefined}>
      {title !== undefined && <p class="notice-title">{title}</p>}
      {children}
    </div>
  )
}
