import { instantOf } from './snowflake'

/** The addresses of this server's own things. `origin` comes from the configuration, never from a request. */

export function actorUri(origin: string, username: string): string {
  return `${origin}/users/${username}`
}

/** The actor this server fetches as; it has no page and no statuses. */
export function instanceActorUri(origin: string): string {
  return `${origin}/actor`
}

/** The id under which signatures name the key of one of our actors. */
export function keyIdOf(actor: string): string {
  return `${actor}#main-key`
}

interface AccountAddress {
  readonly uri: string | null
  readonly username: string
}

/** The id of an account of any server: ours have none stored. */
export function uriOfAccount(origin: string, { uri, username }: AccountAddress): string {
  return uri ?? actorUri(origin, username)
}

/** Where one of our actors takes and lists things. `actor` is its id. */
export function actorAddresses(actor: string) {
  return {
    inbox: `${actor}/inbox`,
    outbox: `${actor}/outbox`,
    followers: `${actor}/followers`,
    following: `${actor}/following`,
    featured: `${actor}/collections/featured`,
    featuredTags: `${actor}/collections/tags`,
    featuredCollections: `${actor}/featured_collections`,
  }
}

/** The inbox all actors of this server share. */
export function sharedInboxUri(origin: string): string {
  return `${origin}/inbox`
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

/** A status for the frames of other pages. */
export function embedUrl(origin: string, username: string, id: number): string {
  return `${statusUrl(origin, username, id)}/embed`
}

/** Where pages that embed a status of this server ask how. */
export function oembedUrl(origin: string, url: string): string {
  return `${origin}/api/oembed?url=${encodeURIComponent(url)}&format=json`
}

/** The activity that made a status; for a reblog that is all there is. */
export function activityUri(status: string): string {
  return `${status}/activity`
}

/** The consent of one of our people to a quote (FEP-044f); `id` is that of the status that quotes. */
export function quoteAuthorizationUri(actor: string, id: number): string {
  return `${actor}/quote_authorizations/${id}`
}

/** The consent of one of our people to an answer or a reblog; `id` is that of the answer or reblog. */
export function approvalUri(actor: string, id: number): string {
  return `${actor}/authorizations/${id}`
}

/** The consent of one of our people to being in a collection (FEP-7aa9); `id` is that of the item. */
export function featureAuthorizationUri(actor: string, id: number): string {
  return `${actor}/feature_authorizations/${id}`
}

/** A collection of one of our people: its id, and its page. `actor` is the id of whose it is. */
export function collectionUri(actor: string, id: number): string {
  return `${actor}/collections/${id}`
}

export function collectionUrl(origin: string, id: number): string {
  return `${origin}/collections/${id}`
}

/** The page of the report of a year, for whoever was given its address. */
export function annualReportUrl(
  origin: string,
  { username, year, key }: { readonly username: string; readonly year: number; readonly key: string },
): string {
  return `${origin}/@${username}/wrapstodon/${year}/${key}`
}

/** Which collection of which of our people has this id; null for any other address. */
export function readCollectionUri(
  origin: string,
  uri: string,
): { readonly username: string; readonly id: number } | null {
  const [, username, id] = ownPath(origin, uri, /^\/users\/(\w+)\/collections\/(\d{1,16})$/) ?? []
  return username === undefined || id === undefined ? null : { username, id: Number(id) }
}

/** Which collection of this server has its page at `url`; null for any other address. */
export function readCollectionUrl(origin: string, url: string): number | null {
  const [, id] = ownPath(origin, url, /^\/collections\/(\d{1,16})$/) ?? []
  return id === undefined ? null : Number(id)
}

/** Something one of our people did that has no address of its own: who, what, and the row it left. */
export interface FragmentActivity {
  readonly username: string
  readonly deed: string
  readonly id: number
}

/** Reads the id of an activity of this server that `fragmentActivityUri` made of a row; null for any other address. */
export function parseFragmentActivityUri(origin: string, uri: string): FragmentActivity | null {
  const url = URL.parse(uri)
  if (url === null || url.origin !== origin || url.search !== '') return null
  const [, username] = /^\/users\/(\w+)$/.exec(url.pathname) ?? []
  const [, deed, id] = /^#([a-z]+)\/(\d{1,16})$/.exec(url.hash) ?? []
  if (username === undefined || deed === undefined || id === undefined) return null
  return { username, deed, id: Number(id) }
}

/** What hangs on one of our statuses. `status` is its id. */
export function statusCollections(status: string) {
  return { replies: `${status}/replies`, likes: `${status}/likes`, shares: `${status}/shares` }
}

/** Names the conversation that the status `root` began. Nothing answers there. */
export function conversationUri(origin: string, root: number): string {
  return `tag:${new URL(origin).host},${instantOf(root).getUTCFullYear()}:conversation/${root}`
}

/** A custom emoji of this server. */
export function emojiUri(origin: string, shortcode: string): string {
  return `${origin}/emojis/${encodeURIComponent(shortcode)}`
}

/** What an actor did that has no address of its own, by the kind of deed. */
type FragmentActivityKind =
  | 'follows'
  | 'blocks'
  | 'likes'
  | 'reactions'
  | 'accepts'
  | 'rejects'
  | 'reports'
  | 'moves'
  | 'updates'
  | 'deletes'
  | 'pins'
  | 'votes'
  | 'quotes'
  | 'requests'
  | 'features'
  | 'collections'

/**
 * The id of an activity that is only ever sent: the actor's id with a fragment.
 *
 * `id` is that of the row the deed left, so that telling of it again names the same activity.
 */
export function fragmentActivityUri(actor: string, deed: FragmentActivityKind, id: number | string): string {
  return `${actor}#${deed}/${id}`
}

/** The id of the activity that takes back another. */
export function undoUri(activity: string): string {
  return `${activity}/undo`
}

/** A reblog is an activity: that is what its address answers. */
export function reblogUri(origin: string, username: string, id: number): string {
  return activityUri(statusUri(origin, username, id))
}

export function tagUrl(origin: string, name: string): string {
  return `${origin}/tags/${encodeURIComponent(name)}`
}

/** The feeds that begin with what the page at `url` shows. */
function feedUrls(url: string) {
  return { rss: `${url}.rss`, atom: `${url}.atom` }
}

export function profileFeedUrls(origin: string, username: string) {
  return feedUrls(profileUrl(origin, username))
}

export function taggedFeedUrls(origin: string, username: string, name: string) {
  return feedUrls(taggedUrl(origin, username, name))
}

export function tagFeedUrls(origin: string, name: string) {
  return feedUrls(tagUrl(origin, name))
}

/** What somebody posted with a hashtag. */
export function taggedUrl(origin: string, acct: string, name: string): string {
  return `${origin}/@${acct}/tagged/${encodeURIComponent(name)}`
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

/** Where a link in a mail leads that stops mails of its kind. */
export function unsubscribeUrl(origin: string, token: string): string {
  return `${origin}/unsubscribe/${token}`
}

/** Where somebody chooses what they are mailed about. */
export function mailSettingsUrl(origin: string): string {
  return `${origin}/settings/notifications`
}

/** Where somebody sees their account. */
export function ownAccountUrl(origin: string): string {
  return `${origin}/auth/edit`
}

/** Where somebody sees what they scheduled. */
export function scheduledPostsUrl(origin: string): string {
  return `${origin}/settings/scheduled`
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

/** The name in the actor or profile address of one of our own people; null for any other address. */
export function ownNameIn(origin: string, address: string): string | null {
  return usernameIn(origin, address) ?? ownPath(origin, address, /^\/@(\w+)\/?$/)?.[1] ?? null
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
