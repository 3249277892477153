/** Names of what a member does with an account by one press, as buttons send them. */
export const personActs = [
  'follow',
  'unfollow',
  'notify',
  'unnotify',
  'show_boosts',
  'hide_boosts',
  'snooze',
  'unmute',
  'unblock',
  'unblock_server',
  'endorse',
  'unendorse',
  'dismiss',
] as const
export type PersonAct = (typeof personActs)[number]

/** Address that the buttons of an account are sent to. */
export function personActPath(id: string): string {
  return `/accounts/${id}`
}

/** Questions that pages ask before something is done about an account. */
export const personQuestions = ['mute', 'block', 'block_server', 'remove_follower'] as const
export type PersonQuestion = (typeof personQuestions)[number]

/** Pages about an account that only its reader sees. */
type PersonPage = PersonQuestion | 'shown' | 'report' | 'note' | 'lists'

/** Address of such a page, which leads back to `returnTo`. */
export function personPagePath(
  id: string,
  page: PersonPage,
  { returnTo, status }: { readonly returnTo: string; readonly status?: string },
): string {
  const query = new URLSearchParams({
    ...(status === undefined ? {} : { status }),
    return_to: returnTo,
  })
  return `${personActPath(id)}/${page}?${query}`
}

/** Composer with a mention of the account; a message is for it alone. */
export const writePaths = {
  mention: (acct: string) => `/publish?${new URLSearchParams({ to: acct })}`,
  message: (acct: string) => `/publish?${new URLSearchParams({ to: acct, visibility: 'direct' })}`,
} as const
