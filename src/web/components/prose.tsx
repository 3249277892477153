export interface ProseProps {
  /** Must have been through the sanitiser: it is written out as it is. */
  readonly html: string
}

/** The only place where the pages print HTML that was not written here. */
export function Prose({ html }: ProseProps) {
  return <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />
}
