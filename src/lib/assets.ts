import { assetVersions } from './asset-versions'

export type Asset = keyof typeof assetVersions

/** Path of a file of public/assets, with a hash of its content: caches keep each version for good. */
export function assetPath(name: Asset): string {
  return `/assets/${name}?v=${assetVersions[name]}`
}
