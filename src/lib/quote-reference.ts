import { escapeHtml } from './html'

/** A link to a quoted status for software without quotes; other software hides the class. */
export function quoteReference(address: string): string {
  const url = escapeHtml(address)
  return `<p class="quote-inline">RE: <a href="${url}" target="_blank" rel="nofollow noopener noreferrer">${url}</a></p>`
}
