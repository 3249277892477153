import { assetVersions } from './asset-versions'

export type Asset = keyof typeof assetVersions

/** Where a file of public/assets is. Another content has another address: caches keep each for good. */
export function assetPath(name: Asset): string {
  return `/assets/${name}?v=${assetVersions[name]}`
}
