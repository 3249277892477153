/**
 * Names of the files of a server's logo. The name of the larger one says that there is a small one beside it, so that the
 * address of the other follows from it. A logo that was kept as it was uploaded has no small version.
 */
const [large, small] = ['/logo-512.png', '/logo-192.png'] as const

/** Sides of both versions in pixels: the sizes that browsers ask for to install a site. */
export const logoSides = { large: 512, small: 192 } as const

/** Key or address of the small version of a logo; itself without one. */
export function smallLogo(address: string): string {
  return address.endsWith(large) ? address.slice(0, -large.length) + small : address
}

/** Whether a logo was drawn in both sizes. */
export function hasLogoSizes(address: string): boolean {
  return address.endsWith(large)
}

/** Keys in a folder of both versions of a logo. */
export function logoKeys(folder: string): { readonly large: string; readonly small: string } {
  return { large: folder + large, small: folder + small }
}
