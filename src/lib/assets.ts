import { assetVersions, islandParts } from './asset-versions'

export type Asset = keyof typeof assetVersions

/** Script of a page. */
export type Island = keyof typeof islandParts

/** Paths of the parts that a script imports at once. Their names change with their content. */
export function partPaths(name: Island): readonly string[] {
  return islandParts[name].parts.map((part) => `/assets/${part}`)
}

/** Addresses of a script and of all that it may import, as content security policies name them. */
export function scriptAddresses(origin: string, name: Island): readonly string[] {
  const { parts, later } = islandParts[name]
  return [name, ...parts, ...later].map((file) => `${origin}/assets/${file}`)
}

/** Path of a file of public/assets, with a hash of its content: caches keep each version for good. */
export function assetPath(name: Asset): string {
  return `/assets/${name}?v=${assetVersions[name]}`
}
