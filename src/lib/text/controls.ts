/** C0, DEL and C1, but tab and line feed. */
const controls = /(?![\t\n])\p{Cc}/gu

/**
 * Removes control characters but tab and line feed, so that CR LF becomes LF. Every text that comes in goes through here
 * once, before it is parsed or sanitised: databases of other servers refuse a post with a zero byte.
 */
export function withoutControls(text: string): string {
  return text.replace(controls, '')
}
