import { Unauthorized } from '../errors'

/** The token from the header, or from the query parameter that old apps and image tags use. */
export function presentedToken(headers: Headers, url: URL): string | null {
  const header = headers.get('authorization')
  if (header === null) return url.searchParams.get('access_token')
  const match = /^Bearer\s+(\S+)$/i.exec(header.trim())
  if (match?.[1] === undefined) throw new Unauthorized()
  return match[1]
}
