// Sorts the catalogues of public/messages, and prints which texts a language lacks, which show in English there, and which
// keys no source file names. `--prune` removes the latter.
import { writeFileSync } from 'node:fs'
import {
  allSources,
  catalogueFile,
  languages,
  readCatalogue,
  usedKeys,
  writtenCatalogue,
} from './lib/messages.mjs'

const english = readCatalogue('en')
const keys = Object.keys(english)
const used = new Set(usedKeys(keys, allSources()))
const prunes = process.argv.includes('--prune')
for (const language of ['en', ...languages]) {
  const catalogue = readCatalogue(language)
  const missing = keys.filter((key) => !Object.hasOwn(catalogue, key))
  const unused = Object.keys(catalogue).filter((key) => !used.has(key))
  if (prunes) for (const key of unused) delete catalogue[key]
  writeFileSync(catalogueFile(language), writtenCatalogue(catalogue))
  console.log(`${language}: ${missing.length} missing, ${unused.length} unused`)
  for (const key of missing) console.log(`  missing: ${key}: ${JSON.stringify(english[key])}`)
  for (const key of unused) console.log(`  unused: ${key}`)
}
