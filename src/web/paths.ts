/** Paths of the pages. Mastodon's where it has one: apps and password managers know them. */
export const paths = {
  front: '/',
  home: '/home',
  catchUp: '/home/catch-up',
  homeAndLocal: '/home/local',
  columns: '/columns',
  notifications: '/notifications',
  conversations: '/conversations',
  filteredNotifications: '/notifications/requests',
  bookmarks: '/bookmarks',
  favourites: '/favourites',
  listsOfMember: '/lists',
  menu: '/menu',
  search: '/search',
  announcements: '/announcements',
  followRequests: '/follow_requests',
  keyboard: '/keyboard',
  about: '/about',
  rules: '/about/rules',
  apps: '/about/apps',
  tags: '/tags',
  explore: '/explore',
  exploreTags: '/explore/tags',
  exploreLinks: '/explore/links',
  suggestions: '/explore/suggestions',
  posts: '/public/local',
  allPosts: '/public',
  people: '/directory',
  privacy: '/privacy-policy',
  terms: '/terms-of-service',
  termsNotice: '/settings/terms',
  interact: '/interact',
  authorizeInteraction: '/authorize_interaction',
  share: '/share',
  publish: '/publish',
  drafts: '/drafts',
  setUp: '/setup',
  signUp: '/auth/sign_up',
  signIn: '/auth/sign_in',
  signInStep: '/auth/sign_in/verify',
  signInPasskey: '/auth/sign_in/passkey',
  signInStepPasskey: '/auth/sign_in/verify/passkey',
  signInCodeAgain: '/auth/sign_in/code',
  signOut: '/auth/sign_out',
  offline: '/offline',
  accounts: '/accounts',
  switchAccount: '/accounts/switch',
  start: '/start',
  settings: '/settings',
  administration: '/admin',
  account: '/auth/edit',
  passwordChange: '/auth/edit/password',
  emailChange: '/auth/edit/email',
  profile: '/settings/profile',
  identityProofs: '/settings/identity_proofs/new',
  featuredTags: '/settings/featured_tags',
  followedTags: '/settings/followed_tags',
  filters: '/settings/filters',
  lists: '/settings/lists',
  whoNotifies: '/settings/notification_policy',
  blocks: '/settings/blocks',
  shownLess: '/settings/shown_less',
  preferences: '/settings/preferences',
  appearance: '/settings/preferences/appearance',
  lookChoice: '/settings/preferences/appearance/choice',
  mailSettings: '/settings/notifications',
  unsubscribe: '/unsubscribe',
  cleanup: '/statuses_cleanup',
  scheduled: '/settings/scheduled',
  savedReplies: '/settings/saved_replies',
  strikes: '/settings/strikes',
  transfers: '/settings/imports',
  archive: '/settings/archive',
  exports: '/settings/exports',
  migration: '/settings/migration',
  deletion: '/settings/delete',
  aliases: '/settings/aliases',
  passwordForgotten: '/auth/password/new',
  passwordReset: '/auth/password/edit',
  confirmation: '/auth/confirmation',
  resendConfirmation: '/auth/confirmation/new',
  authorize: '/oauth/authorize',
  authorizedApplications: '/oauth/authorized_applications',
  pushDevices: '/settings/push',
  browserPush: '/settings/push',
  firstSteps: '/settings/first-steps',
  sessions: '/auth/sessions',
  sessionsRevokeOthers: '/auth/sessions/revoke_others',
  twoFactor: '/settings/two-factor',
  invites: '/invites',
  invitation: '/invite',
  dashboard: '/admin/dashboard',
  moderatedReports: '/admin/reports',
  moderatedAccounts: '/admin/accounts',
  moderatedEvidence: '/admin/evidence',
  moderatedAppeals: '/admin/disputes/appeals',
  auditLog: '/admin/action_logs',
  serverSettings: '/admin/settings',
  branding: '/admin/branding',
  plan: '/admin/plan',
  /** Documents of the software, files beside the Worker. */
  documents: '/docs/',
  /** CSS of the operator. */
  customSheet: '/styles/custom.css',
  /** Style sheet with the tokens of the operator. */
  ownSheet: '/styles/own.css',
  /** Style sheet of tokens that its address names. */
  tokenSheet: '/styles/tokens.css',
  customEmojis: '/admin/custom_emojis',
  servers: '/admin/instances',
  domainLimits: '/admin/domain_blocks',
  blocklists: '/admin/blocklists',
  severances: '/admin/severances',
  /** Web app manifest, which all pages link to. */
  manifest: '/manifest.webmanifest',
} as const

/** Path of a style sheet that is not saved. Its address holds the tokens, so that serving it reads nothing. */
export function tokenSheetPath(tokens: ReadonlyMap<string, string>): string {
  const set = [...tokens].map(([name, value]) => `--${name}:${value}`).join(';')
  return `${paths.tokenSheet}?${new URLSearchParams({ set })}`
}

export function applicationRevokePath(id: string): string {
  return `${paths.authorizedApplications}/${encodeURIComponent(id)}/revoke`
}

/** Form of a new filter with the words of a post; it leads back to `returnTo`. */
export function newFilterPath(postId: string, returnTo: string): string {
  return `${paths.filters}?${new URLSearchParams({ post: postId, return_to: returnTo })}`
}

export function scheduledCancelPath(id: number): string {
  return `${paths.scheduled}/${id}/cancel`
}

export function sessionRevokePath(id: string): string {
  return `${paths.sessions}/${encodeURIComponent(id)}/revoke`
}

export function inviteRevokePath(id: string): string {
  return `${paths.invites}/${encodeURIComponent(id)}/revoke`
}

/** `returnTo` is the page that the sign-in leads to. */
export function signInPath(returnTo: string | null): string {
  return withReturn(paths.signIn, returnTo)
}

/** `returnTo` is the page that the sign-in leads to. */
export function signInStepPath(returnTo: string | null, isAdded = false): string {
  const path = withReturn(paths.signInStep, returnTo)
  return isAdded ? `${path}${path.includes('?') ? '&' : '?'}add=1` : path
}

/** The accounts of the browser, with what just happened; a switch leads to `returnTo`. */
export function accountsPath(returnTo: string | null, done?: 'out' | 'ended'): string {
  const path = withReturn(paths.accounts, returnTo)
  return done === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}done=${done}`
}

/** Sign-in to one more account, beside those that the browser is signed in to. */
export function addAccountPath(returnTo: string | null = null): string {
  return `${paths.signIn}?${new URLSearchParams({ add: '1', ...(returnTo === null ? {} : { return_to: returnTo }) })}`
}

/** `returnTo` is the page a visitor without an account was going to. */
export function signUpPath(returnTo: string | null): string {
  return withReturn(paths.signUp, returnTo)
}

/** `returnTo` is the page that a member was going to when there were new terms to see. */
export function termsNoticePath(returnTo: string): string {
  return withReturn(paths.termsNotice, returnTo)
}

function withReturn(path: string, returnTo: string | null): string {
  return returnTo === null ? path : `${path}?${new URLSearchParams({ return_to: returnTo })}`
}

export function moderatedAccountPath(id: string): string {
  return `${paths.moderatedAccounts}/${encodeURIComponent(id)}`
}

export function moderatedReportPath(id: string): string {
  return `${paths.moderatedReports}/${encodeURIComponent(id)}`
}

/** The page of one decision about the account or report whose page is at `at`. */
export function decisionPath(at: string, type: string): string {
  return `${at}/decision/${type}`
}

/** A conversation, or with `part` a page or a form of it. */
export function conversationPath(id: string | number, part = ''): string {
  return `${paths.conversations}/${id}${part}`
}

/** Page that leads visitors to their server, to follow a local account from there. */
export function remoteFollowPath(username: string): string {
  return `/users/${username}/remote_follow`
}

/** Page that leads visitors to their server, to interact with a status from there. */
export function interactPath(id: string, type: string): string {
  return `${paths.interact}/${id}?type=${type}`
}

/**
 * Page where a signed-in user opens the address of an account or a status, with the interaction that they came for.
 * `form` is the end of the path of one of its forms.
 */
export function authorizeInteractionPath(uri: string, type: string | null, form = ''): string {
  const query = new URLSearchParams({ uri, ...(type === null ? {} : { type }) })
  return `${paths.authorizeInteraction}${form}?${query}`
}

/** The form for a limit on another server. */
export function limitPath(domain: string): string {
  return `${serverPath(domain)}#limit`
}

/** Administration page of another server. */
export function serverPath(domain: string): string {
  return `${paths.servers}/${encodeURIComponent(domain)}`
}
