export interface ProseProps {
  /** Sanitised HTML, which is written out as it is. */
  readonly html: string
}

/**
 * The only place where the pages print HTML that was not written here. Its direction is its own: people read Arabic on
 * English pages, and English on Arabic ones.
 */
export function Prose({ html }: ProseProps) {
  return <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
}
