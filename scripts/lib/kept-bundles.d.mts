/**
 * Puts the bundle of the checkout `root` with a configuration file into the folder `into`: one that was kept, or what
 * `make` writes there, which is kept.
 */
export function withKeptBundle(
  place: { readonly root: string; readonly config: string; readonly into: string },
  make: () => Promise<void>,
): Promise<void>
