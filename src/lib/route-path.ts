import { getPathNoStrict } from 'hono/utils/url'

const extension = '.json'

/** Paths of APIs; pages and files have no second spelling. */
const forPrograms = /^\/(?:(?:api|users|actor|inbox|nodeinfo|\.well-known|collections|oauth)(?:\/|\.json$)|@)/

/**
 * The path for route matching. `literal` are the routes that end in `.json` themselves.
 *
 * Rails ignores a slash at the end and takes `.json` there as the requested format, and clients written against
 * Mastodon rely on both: Mastodon.py requests `/api/v1/instance/`. Signatures and links use the path as it was
 * sent.
 */
export function routePath(request: Request, literal: ReadonlySet<string>): string {
  const path = getPathNoStrict(request)
  return hasJsonExtension(request) && !literal.has(path) ? path.slice(0, -extension.length) : path
}

/** Whether the path of a request names JSON as the requested format. */
export function hasJsonExtension(request: Request): boolean {
  const path = getPathNoStrict(request)
  return path.endsWith(extension) && forPrograms.test(path)
}
