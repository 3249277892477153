/**
 * Names of the files of an avatar that has a small version beside it: 400 and 88 pixels wide. The name of the larger one says
 * so, so that the address of the other follows from it. Avatars from before, and those of other servers, have none.
 */
const [large, small] = ['/still-400.webp', '/still-88.webp'] as const

/** Key or address of the small version of an avatar, which screens of two pixels to one show 44 pixels wide; itself without one. */
export function smallAvatar(address: string): string {
  return address.endsWith(large) ? address.slice(0, -large.length) + small : address
}

/** Keys in a folder of an avatar and of its small version. */
export function avatarKeys(folder: string): { readonly large: string; readonly small: string } {
  return { large: folder + large, small: folder + small }
}
