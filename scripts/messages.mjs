// Sorts the catalogues of public/messages, and prints for each language which texts it lacks and which of its entries
// nothing has. `--prune` removes the latter.
import { writeFileSync } from 'node:fs'
import {
  catalogueFile,
  languages,
  readCatalogue,
  readSource,
  translatedSources,
  writtenCatalogue,
} from './lib/messages.mjs'

const texts = new Set(translatedSources().flatMap((source) => readSource(source).texts))
for (const language of languages) {
  const catalogue = readCatalogue(language)
  const missing = [...texts].filter((text) => !Object.hasOwn(catalogue, text))
  const unused = Object.keys(catalogue).filter((text) => !texts.has(text))
  if (process.argv.includes('--prune')) for (const text of unused) delete catalogue[text]
  writeFileSync(catalogueFile(language), writtenCatalogue(catalogue))
  console.log(`${language}: ${missing.length} missing, ${unused.length} unused`)
  for (const text of missing) console.log(`  missing: ${JSON.stringify(text)}`)
  for (const text of unused) console.log(`  unused: ${JSON.stringify(text)}`)
}
