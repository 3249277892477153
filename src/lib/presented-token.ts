/**
 * The token from the header, or else from the query parameter that old apps and image tags use. A header of another form
 * carries none, as in Mastodon: apps send `Bearer` alone before they have a token.
 */
export function presentedToken(headers: Headers, url: URL): string | null {
  const [, token] = /^Bearer\s+(\S+)$/i.exec(headers.get('authorization')?.trim() ?? '') ?? []
  return token ?? url.searchParams.get('access_token')
}
