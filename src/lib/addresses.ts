/** The addresses of this server's own things. `origin` comes from the configuration, never from a request. */

export function actorUri(origin: string, username: string): string {
  return `${origin}/users/${username}`
}

export function profileUrl(origin: string, username: string): string {
  return `${origin}/@${username}`
}

export function statusUri(origin: string, username: string, id: number): string {
  return `${origin}/users/${username}/statuses/${id}`
}

export function statusUrl(origin: string, username: string, id: number): string {
  return `${origin}/@${username}/${id}`
}

/** A reblog is an activity: that is what its address answers. */
export function reblogUri(origin: string, username: string, id: number): string {
  return `${statusUri(origin, username, id)}/activity`
}

export function tagUrl(origin: string, name: string): string {
  return `${origin}/tags/${encodeURIComponent(name)}`
}

/** `name` for people of this server, `name@host` for others. */
export function acctOf(account: { readonly username: string; readonly domain: string | null }): string {
  return account.domain === null ? account.username : `${account.username}@${account.domain}`
}

/** Where an invitation leads: the sign-up page, and an answer for apps. */
export function inviteUrl(origin: string, code: string): string {
  return `${origin}/invite/${code}`
}

/** Where a link in a mail leads that proves an address. */
export function confirmationUrl(origin: string, token: string): string {
  return `${origin}/auth/confirmation?confirmation_token=${token}`
}

/** Where a link leads that lets its holder choose a new password. */
export function passwordResetUrl(origin: string, token: string): string {
  return `${origin}/auth/password/edit?reset_password_token=${token}`
}

/** The name in the actor address of one of our own people, as written; null for any other address. */
export function usernameIn(origin: string, uri: string): string | null {
  const prefix = `${origin}/users/`
  const name = uri.startsWith(prefix) ? uri.slice(prefix.length) : ''
  return /^\w+$/.test(name) ? name : null
}

/** Whose status with which id `uri` names, where it is one of this server: as object, activity or page. */
export function readStatusUri(
  origin: string,
  uri: string,
): { readonly username: string; readonly id: number } | null {
  const object = ownPath(origin, uri, /^\/users\/([\w.-]+)\/statuses\/(\d{1,16})(?:\/activity)?$/)
  const [, username, id] = object ?? ownPath(origin, uri, /^\/@([\w.-]+)\/(\d{1,16})$/) ?? []
  return username === undefined || id === undefined ? null : { username, id: Number(id) }
}

function ownPath(origin: string, uri: string, form: RegExp): RegExpExecArray | null {
  const url = URL.parse(uri)
  return url === null || url.origin !== origin ? null : form.exec(url.pathname)
}
