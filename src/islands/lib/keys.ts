/** Names of what keys do on the pages of a member, as Mastodon's web app has them. */
export const commands = [
  'next',
  'previous',
  'top',
  'first',
  'older',
  'open',
  'profile',
  'reply',
  'mention',
  'favourite',
  'boost',
  'quote',
  'translate',
  'media',
  'warning',
  'hideMedia',
  'bookmark',
  'newer',
  'undo',
  'compose',
  'search',
  'help',
  'back',
] as const
export type Command = (typeof commands)[number]

const keys: Readonly<Record<string, Command>> = {
  j: 'next',
  k: 'previous',
  '0': 'top',
  '1': 'first',
  l: 'older',
  o: 'open',
  Enter: 'open',
  p: 'profile',
  r: 'reply',
  m: 'mention',
  f: 'favourite',
  b: 'boost',
  q: 'quote',
  t: 'translate',
  e: 'media',
  x: 'warning',
  h: 'hideMedia',
  d: 'bookmark',
  '.': 'newer',
  z: 'undo',
  n: 'compose',
  s: 'search',
  '/': 'search',
  '?': 'help',
  Backspace: 'back',
}

/** Places that a key after `g` leads to; `u` is the profile of the member. */
const places: Readonly<Record<string, string>> = {
  h: '/home',
  n: '/notifications',
  l: '/public/local',
  t: '/public',
  e: '/explore',
  d: '/conversations',
  f: '/favourites',
  r: '/follow_requests',
  b: '/settings/blocks',
  m: '/settings/blocks',
}

export interface Press {
  readonly key: string
  readonly isModified: boolean
  /** Focus is in a field, or on something that a key works on by itself. */
  readonly isTyping: boolean
  readonly isOnControl: boolean
}

/** Meaning of a press of a key: a command, the path of a place, the wait for the key after `g`, or nothing. */
export function meaningOf(
  { key, isModified, isTyping, isOnControl }: Press,
  isAfterG: boolean,
): { readonly command: Command } | { readonly path: string } | 'g' | null {
  if (isModified || isTyping) return null
  if (isAfterG) {
    const path = key === 'u' ? 'profile' : Object.hasOwn(places, key) ? places[key] : undefined
    return path === undefined ? null : { path }
  }
  if (key === 'g') return 'g'
  if (isOnControl && key === 'Enter') return null
  const command = Object.hasOwn(keys, key) ? keys[key] : undefined
  return command === undefined ? null : { command }
}
