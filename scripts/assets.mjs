// Builds the scripts of src/islands and the styles of src/styles into public/assets, draws the icon sprite, and writes down
// the versions of all files there: their addresses carry them, so that browsers cache each file for good and fetch it again
// once it changed.
// `test/guard/assets.test.ts` fails when that is due.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { buildIslands, buildServiceWorker } from './lib/islands.mjs'
import { sprite } from './sprite.mjs'
import { bundleStyle, sheets } from './styles.mjs'

const folder = 'public/assets'
const scripts = await buildIslands()
for (const name of readdirSync(folder)) if (name.endsWith('.js')) rmSync(`${folder}/${name}`)
for (const { name, text } of scripts) writeFileSync(`${folder}/${name}`, text)
for (const name of sheets) writeFileSync(`${folder}/${name}`, await bundleStyle(name))
writeFileSync(`${folder}/sprite.svg`, sprite())
writeFileSync('public/sw.js', await buildServiceWorker())

const versions = readdirSync(folder)
  .toSorted()
  .map((name) => {
    const version = createHash('sha256')
      .update(readFileSync(`${folder}/${name}`))
      .digest('hex')
      .slice(0, 10)
    return `  '${name}': '${version}',\n`
  })

const listed = (names) => `[${names.map((name) => `'${name}'`).join(', ')}]`
const islands = scripts
  .filter(({ isEntry }) => isEntry)
  .map(({ name, parts, later }) => `  '${name}': { parts: ${listed(parts)}, later: ${listed(later)} },\n`)

const text = `/** The beginning of the SHA-256 of each file in public/assets, as \`npm run assets\` writes it. */
export const assetVersions = {
${versions.join('')}} as const

/** Scripts of pages: the parts that each imports at once, and those that it may import later. */
export const islandParts = {
${islands.join('')}} as const
`
writeFileSync('src/lib/asset-versions.ts', text)
execFileSync(process.execPath, [
  'node_modules/@biomejs/biome/bin/biome',
  'format',
  '--write',
  'src/lib/asset-versions.ts',
])
