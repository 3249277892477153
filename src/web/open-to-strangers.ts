import type { Config } from '../config'

/**
 * Whether the operator lets people who have not signed in look around: by hashtag, through what is posted here, and
 * with feeds. Elsewhere they read at most what they were given the address of.
 */
export function isOpenToStrangers({ requiresSignIn, federation }: Config): boolean {
  return !requiresSignIn && !federation.limited
}
