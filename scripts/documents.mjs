// Builds the documents as a site: into public/docs, which the server serves at /docs, or with --out FOLDER for any other host.
// `npm run pages` does the first, and so does each `npm start` and `npm run deploy`. Nothing of it is in git.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildSite } from './lib/documents/site.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { out } = parseArgs({ options: { out: { type: 'string' } } }).values
const folder = out === undefined ? join(root, 'public/docs') : resolve(out)

const files = await buildSite(root, { home: out === undefined ? '/' : null })
for (const [name, content] of files) write(join(folder, name), content)
if (out === undefined) removeOthers()
else console.log(`${files.size} files are in ${folder}.`)

/** Writes what differs alone: a server that runs from the folder looks at times. */
function write(file, content) {
  if (existsSync(file) && readFileSync(file).equals(content)) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

function removeOthers() {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const name = file.slice(folder.length + 1).replaceAll('\\', '/')
    if (entry.isFile() && !files.has(name)) rmSync(file)
  }
}
