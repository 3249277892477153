import { instantOf } from '../lib/ids'

/** URLs and URIs of local objects. `origin` comes from the configuration, never from a request. */

export function actorUri(origin: string, username: string): string {
  return `${origin}/users/${username}`
}

/** Actor id that this server fetches as; it has no page and no statuses. */
export function instanceActorUri(origin: string): string {
  return `${origin}/actor`
}

/** Key id in signatures of a local actor. */
export function keyIdOf(actor: string): string {
  return `${actor}#main-key`
}

interface AccountAddress {
  readonly uri: string | null
  readonly username: string
}

/** Actor id of any account; local accounts have none stored. */
export function uriOfAccount(origin: string, { uri, username }: AccountAddress): string {
  return uri ?? actorUri(origin, username)
}

/** Inbox, outbox and collections of a local actor. `actor` is its id. */
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

/** The shared inbox of this server. */
export function sharedInboxUri(origin: string): string {
  return `${origin}/inbox`
}

export function profileUrl(origin: string, username: string): string {
  return `${origin}/@${username}`
}

/** Addresses of a local account that others link to: its profile and its actor. */
export function namesOfAccount(origin: string, username: string): readonly string[] {
  return [profileUrl(origin, username), actorUri(origin, username)]
}

export function statusUri(origin: string, username: string, id: number): string {
  return `${origin}/users/${username}/statuses/${id}`
}

export function statusUrl(origin: string, username: string, id: number): string {
  return `${origin}/@${username}/${id}`
}

/** Embeddable page of a status. */
export function embedUrl(origin: string, username: string, id: number): string {
  return `${statusUrl(origin, username, id)}/embed`
}

/** oEmbed endpoint of a local status, for pages that embed it. */
export function oembedUrl(origin: string, url: string): string {
  return `${origin}/api/oembed?url=${encodeURIComponent(url)}&format=json`
}

/** Id of the activity that created a status; a reblog is its own activity. */
export function activityUri(status: string): string {
  return `${status}/activity`
}

/** Quote authorization by a local account (FEP-044f); `id` is that of the quoting status. */
export function quoteAuthorizationUri(actor: string, id: number): string {
  return `${actor}/quote_authorizations/${id}`
}

/** Approval of a reply, reblog or favourite by a local account; `id` is that of the interaction. */
export function approvalUri(actor: string, id: number): string {
  return `${actor}/authorizations/${id}`
}

/** Feature authorization by a local account (FEP-7aa9); `id` is that of the collection item. */
export function featureAuthorizationUri(actor: string, id: number): string {
  return `${actor}/feature_authorizations/${id}`
}

/** Id and page of a local account's collection. `actor` is the owner's id. */
export function collectionUri(actor: string, id: number): string {
  return `${actor}/collections/${id}`
}

export function collectionUrl(origin: string, id: number): string {
  return `${origin}/collections/${id}`
}

/** Public page of an annual report, at an unguessable address. */
export function annualReportUrl(
  origin: string,
  { username, year, key }: { readonly username: string; readonly year: number; readonly key: string },
): string {
  return `${origin}/@${username}/wrapstodon/${year}/${key}`
}

/** Parses the URI of a local collection into owner and id; null for any other address. */
export function readCollectionUri(
  origin: string,
  uri: string,
): { readonly username: string; readonly id: number } | null {
  const [, username, id] = ownPath(origin, uri, /^\/users\/(\w+)\/collections\/(\d{1,16})$/) ?? []
  return username === undefined || id === undefined ? null : { username, id: Number(id) }
}

/** Parses the page URL of a local collection into its id; null for any other address. */
export function readCollectionUrl(origin: string, url: string): number | null {
  const [, id] = ownPath(origin, url, /^\/collections\/(\d{1,16})$/) ?? []
  return id === undefined ? null : Number(id)
}

/** A local activity without a stored object: actor, kind, and the id of the row it created. */
export interface FragmentActivity {
  readonly username: string
  readonly deed: string
  readonly id: number
}

/** Parses an activity id made by `fragmentActivityUri` from a row; null for any other address. */
export function parseFragmentActivityUri(origin: string, uri: string): FragmentActivity | null {
  const url = URL.parse(uri)
  if (url === null || url.origin !== origin || url.search !== '') return null
  const [, username] = /^\/users\/(\w+)$/.exec(url.pathname) ?? []
  const [, deed, id] = /^#([a-z]+)\/(\d{1,16})$/.exec(url.hash) ?? []
  if (username === undefined || deed === undefined || id === undefined) return null
  return { username, deed, id: Number(id) }
}

/** Collections of a local status. `status` is its id. */
export function statusCollections(status: string) {
  return { replies: `${status}/replies`, likes: `${status}/likes`, shares: `${status}/shares` }
}

/** Collection of the statuses in the conversation started by the local status `root` (FEP-7888). */
export function contextUri(origin: string, root: number): string {
  return `${origin}/contexts/${root}`
}

/** Names the conversation started by the status `root`. Not dereferenceable. */
export function conversationUri(origin: string, root: number): string {
  return `tag:${new URL(origin).host},${instantOf(root).getUTCFullYear()}:conversation/${root}`
}

/** URI of a local custom emoji. */
export function emojiUri(origin: string, shortcode: string): string {
  return `${origin}/emojis/${encodeURIComponent(shortcode)}`
}

/** Kinds of activities without a stored object. */
type FragmentActivityKind =
  | 'follows'
  | 'blocks'
  | 'likes'
  | 'likerequests'
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
 * Id of an activity that is only ever sent: the actor's id with a fragment.
 *
 * `id` is that of the row the activity created, so that sending it again uses the same activity id.
 */
export function fragmentActivityUri(actor: string, kind: FragmentActivityKind, id: number | string): string {
  return `${actor}#${kind}/${id}`
}

/** Id of the Undo of an activity. */
export function undoUri(activity: string): string {
  return `${activity}/undo`
}

/** URI of a reblog: dereferences to its Announce activity. */
export function reblogUri(origin: string, username: string, id: number): string {
  return activityUri(statusUri(origin, username, id))
}

export function tagUrl(origin: string, name: string): string {
  return `${origin}/tags/${encodeURIComponent(name)}`
}

/** Feeds of the page at `url`. */
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

/** Statuses of an account with a hashtag. */
export function taggedUrl(origin: string, acct: string, name: string): string {
  return `${origin}/@${acct}/tagged/${encodeURIComponent(name)}`
}

/** Returns `name` for local accounts, `name@host` for remote ones. */
export function acctOf(account: { readonly username: string; readonly domain: string | null }): string {
  return account.domain === null ? account.username : `${account.username}@${account.domain}`
}

/** Invitation link: the sign-up page, and JSON for apps. */
export function inviteUrl(origin: string, code: string): string {
  return `${origin}/invite/${code}`
}

/** Page for new members. */
export function signUpUrl(origin: string): string {
  return `${origin}/auth/sign_up`
}

/** Link in an email that confirms an address. */
export function confirmationUrl(origin: string, token: string): string {
  return `${origin}/auth/confirmation?confirmation_token=${token}`
}

/** Link in an email that unsubscribes from its kind. */
export function unsubscribeUrl(origin: string, token: string): string {
  return `${origin}/unsubscribe/${token}`
}

/** Settings page for email notifications. */
export function mailSettingsUrl(origin: string): string {
  return `${origin}/settings/notifications`
}

/** Page of the terms of service that come into force on a day, YYYY-MM-DD. */
export function termsUrl(origin: string, effectiveOn: string): string {
  return `${origin}/terms-of-service/${effectiveOn}`
}

/** Page of the user's own account. */
export function ownAccountUrl(origin: string): string {
  return `${origin}/auth/edit`
}

/** Page of the moderators' decisions about the user's account. */
export function strikesUrl(origin: string): string {
  return `${origin}/settings/strikes`
}

/** Page of the user's scheduled statuses. */
export function scheduledPostsUrl(origin: string): string {
  return `${origin}/settings/scheduled`
}

/** Link for choosing a new password. */
export function passwordResetUrl(origin: string, token: string): string {
  return `${origin}/auth/password/edit?reset_password_token=${token}`
}

/** The username in the actor URI of a local account, as written; null for any other address. */
export function usernameIn(origin: string, uri: string): string | null {
  const prefix = `${origin}/users/`
  const name = uri.startsWith(prefix) ? uri.slice(prefix.length) : ''
  return /^\w+$/.test(name) ? name : null
}

/** The username in the actor URI or profile URL of a local account; null for any other address. */
export function ownNameIn(origin: string, address: string): string | null {
  return usernameIn(origin, address) ?? ownPath(origin, address, /^\/@(\w+)\/?$/)?.[1] ?? null
}

/** Parses the address of a local status, as object, activity or page, into author and id. */
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
