/**
 * Stands in for `uc.micro`, of which markdown-it asks these two: the runtime knows the classes by itself, and the
 * written-out ranges would be a hundredth of the bundle.
 */
export const P = /\p{P}/u
export const S = /\p{S}/u
