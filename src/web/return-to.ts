/**
 * A path on this server to go on to, from what a request says; null for anything that leads elsewhere.
 *
 * Browsers read `//host`, `/\host` and addresses with tabs or newlines in them as other servers.
 */
export function localPath(text: string | null | undefined, origin: string): string | null {
  if (text == null || text.length > 8_000 || !text.startsWith('/')) return null
  if (/[\\\p{Cc}]/u.test(text) || text.startsWith('//')) return null
  const url = URL.parse(text, origin)
  if (url === null || url.origin !== origin) return null
  const path = url.pathname + url.search
  // Dots may collapse into a path that begins with two slashes.
  return path.startsWith('//') ? null : path
}
