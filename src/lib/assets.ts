import { assetVersions } from './asset-versions'

export type Asset = keyof typeof assetVersions

/** Address of a file in whatever version, as content security policies name it. */
export function assetAddress(origin: string, name: Asset): string {
  return `${origin}/assets/${name}`
}

/** Path of a file of public/assets, with a hash of its content: caches keep each version for good. */
export function assetPath(name: Asset): string {
  return `/assets/${name}?v=${assetVersions[name]}`
}
