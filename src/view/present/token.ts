import type { Token } from '../../contract/entities/token'

/** Presents a token to its holder. */
export function presentToken(token: {
  readonly accessToken: string
  readonly scopes: string
  readonly createdAt: Date
  readonly expiresInSeconds: number | null
}): Token {
  return {
    access_token: token.accessToken,
    token_type: 'Bearer',
    scope: token.scopes,
    created_at: Math.floor(token.createdAt.getTime() / 1000),
    ...(token.expiresInSeconds === null ? {} : { expires_in: token.expiresInSeconds }),
  }
}
