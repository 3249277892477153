/** Paths of the pages. Mastodon's where it has one: apps and password managers know them. */
export const paths = {
  home: '/',
  about: '/about',
  rules: '/about/rules',
  tags: '/tags',
  posts: '/public/local',
  people: '/directory',
  privacy: '/privacy-policy',
  terms: '/terms-of-service',
  termsNotice: '/settings/terms',
  signUp: '/auth/sign_up',
  signIn: '/auth/sign_in',
  signInStep: '/auth/sign_in/verify',
  signInPasskey: '/auth/sign_in/passkey',
  signInStepPasskey: '/auth/sign_in/verify/passkey',
  signInCodeAgain: '/auth/sign_in/code',
  signOut: '/auth/sign_out',
  start: '/start',
  account: '/auth/edit',
  passwordChange: '/auth/edit/password',
  emailChange: '/auth/edit/email',
  preferences: '/settings/preferences',
  mailSettings: '/settings/notifications',
  unsubscribe: '/unsubscribe',
  cleanup: '/statuses_cleanup',
  scheduled: '/settings/scheduled',
  strikes: '/settings/strikes',
  transfers: '/settings/imports',
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
  sessions: '/auth/sessions',
  sessionsRevokeOthers: '/auth/sessions/revoke_others',
  twoFactor: '/settings/two-factor',
  invites: '/invites',
  invitation: '/invite',
} as const

export function applicationRevokePath(id: string): string {
  return `${paths.authorizedApplications}/${encodeURIComponent(id)}/revoke`
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
export function signInStepPath(returnTo: string | null): string {
  return withReturn(paths.signInStep, returnTo)
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
