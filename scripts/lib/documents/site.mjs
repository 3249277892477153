// Builds the site of the documents: Markdown of the project becomes static pages that any host can serve.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleStyle } from '../../styles.mjs'
import { readManifest, repositoryAddress } from '../repository.mjs'
import { folderOf, placeOfFile } from './addresses.mjs'
import { missingPage, pageOf } from './page.mjs'
import { render } from './render.mjs'

/** Scripts of pages that have one, which `public/_headers` allows there alone. */
const scripts = new Map([['docs/operate/deploy-by-button.md', 'set-up-secret.js']])

const atTheTop = ['CHANGELOG.md', 'CONTRIBUTING.md', 'FEDERATION.md', 'SECURITY.md']

/** Paths of all documents of the site. README.md is the first page of a repository, docs/index.md that of the site. */
export function documentsIn(root) {
  const below = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
  return [...atTheTop, ...below.toSorted()]
}

/**
 * Files of the site by their paths in it. `home` is the address that leads to the server which serves the site below
 * `/docs/`; null for any other host.
 */
export async function buildSite(root, { home }) {
  const manifest = readManifest(root)
  const about = { version: manifest.version, home }
  const paths = documentsIn(root)
  const context = { documents: new Set(paths), repository: repositoryAddress(manifest) }
  const read = (path) => readFileSync(join(root, path))
  const files = new Map()
  for (const path of paths) {
    const rendered = render({ path, text: read(path).toString() }, context)
    const script = scripts.get(path)
    files.set(`${folderOf(path)}index.html`, Buffer.from(pageOf({ path, ...rendered, script }, about)))
    if (script !== undefined) files.set(script, read(`scripts/lib/documents/${script}`))
    for (const file of rendered.files) files.set(placeOfFile(file), read(file))
  }
  // Served for any path below the site, so its links begin at the top.
  const root404 = home === null ? './' : '/docs/'
  files.set('404.html', Buffer.from(missingPage({ ...about, root: root404 })))
  files.set('documents.css', Buffer.from(await bundleStyle('documents.css')))
  files.set('logo.svg', read('public/assets/logo.svg'))
  return files
}
