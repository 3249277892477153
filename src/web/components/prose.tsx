export interface ProseProps {
  /** Sanitised HTML, which is written out as it is. */
  readonly html: string
}

/** The only place where the pages print HTML that was not written here. */
export function Prose({ html }: ProseProps) {
  return <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />
}
