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

/** Page of something to do with a post, which leads back to `returnTo`. */
export function postPagePath(id: string, kind: 'boost' | 'react' | 'filter', returnTo: string): string {
  return `${postActPath(id)}/${kind}?${new URLSearchParams({ return_to: returnTo })}`
}

/** Page that asks before a post is deleted. */
export function deletionPath(id: string): string {
  return `/posts/${id}/delete`
}

/** Address that deletes a post and redrafts it. */
export function redraftPath(id: string): string {
  return `/posts/${id}/redraft`
}

/** Page of a local post, at `path`, for frames of other sites. */
export function embedPath(path: string): string {
  return `${path}/embed`
}

/** Page of a post, at `path`, with its translation. */
export function translationPath(path: string): string {
  return `${path}?translate=true`
}

/** Page of a picture of a post, whose own page is at `path`; pictures count from 1. */
export function photoPath(path: string, number: number): string {
  return `${path}/photo/${number}`
}

/** Page of the versions of a post, whose own page is at `path`. */
export function historyPath(path: string): string {
  return `${path}/history`
}
