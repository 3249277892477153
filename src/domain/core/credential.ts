/**
 * What names the caller of a request: the access token of an app, or the session of a browser. The hashes of the two never
 * meet: each is made with the name of its kind.
 */
export interface Credential {
  readonly kind: 'token' | 'session'
  readonly hash: string
}
