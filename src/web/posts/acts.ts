/** Names of what a member does with a post by one press, as buttons send them. */
export const postActs = [
  'favourite',
  'unfavourite',
  'boost',
  'unboost',
  'bookmark',
  'unbookmark',
  'pin',
  'unpin',
  'mute',
  'unmute',
] as const
export type PostAct = (typeof postActs)[number]

/** Address that the buttons of a post are sent to. */
export function postActPath(id: string): string {
  return `/posts/${id}`
}

export const composePaths = {
  reply: (id: string) => `/publish?reply_to=${id}`,
  quote: (id: string) => `/publish?quote=${id}`,
  edit: (id: string) => `/publish?edit=${id}`,
} as const

/** Questions that pages ask before something is done with a post or its author. */
export const postQuestions = ['delete', 'mute', 'block'] as const
export type PostQuestion = (typeof postQuestions)[number]

/** Page that asks one of them. */
export function questionPath(id: string, question: PostQuestion): string {
  return `/posts/${id}/${question}`
}

/** Address that takes a post back to be written anew. */
export function redraftPath(id: string): string {
  return `/posts/${id}/redraft`
}
