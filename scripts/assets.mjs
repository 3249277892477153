// Bundles the scripts of scripts/islands into public/assets, and writes the versions of all files there down: their addresses carry them, so that browsers keep each file
// for good and ask for it again once it is another. `test/guard/assets.test.ts` tells when that is due.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { bundleIslands } from './islands/bundle.mjs'

for (const { name, text } of await bundleIslands()) writeFileSync(`public/assets/${name}`, text)

const versions = readdirSync('public/assets')
  .toSorted()
  .map((name) => {
    const version = createHash('sha256')
      .update(readFileSync(`public/assets/${name}`))
      .digest('hex')
      .slice(0, 10)
    return `  '${name}': '${version}',\n`
  })

const text = `/** The beginning of the SHA-256 of each file in public/assets, as \`npm run assets\` writes it. */
export const assetVersions = {
${versions.join('')}} as const
`
writeFileSync('src/lib/asset-versions.ts', text)
