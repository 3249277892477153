/** Joins the paragraphs of a mail without HTML; those that are null are left out. */
export function plainText(...paragraphs: readonly (string | null)[]): string {
  return `${paragraphs.filter((paragraph) => paragraph !== null).join('\n\n')}\n`
}
