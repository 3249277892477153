import type { Child } from 'hono/jsx'

export interface WarnedContentProps {
  /** Null shows the content at once. */
  readonly warning: string | null
  readonly children?: Child
}

/** Content of a post, folded behind the warning that its author gave it. */
export function WarnedContent({ warning, children }: WarnedContentProps) {
  if (warning === null) return <>{children}</>
  return (
    <details class="covered">
      <summary class="cover-words">
        <bdi>{warning}</bdi>
      </summary>
      {children}
    </details>
  )
}
