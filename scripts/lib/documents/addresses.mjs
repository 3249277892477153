// Addresses of the documents on the site, and what their links lead to there. Each page is a folder with an index.html: links work at
// any host, without rules of its server, and below any path.
import { posix } from 'node:path'

/** Folder of a document on the site, below its root: `operate/deploy/`, or the empty text for the first page. */
export function folderOf(path) {
  const inside = path.startsWith('docs/') ? path.slice('docs/'.length) : path.toLowerCase()
  const name = inside.replace(/\.md$/i, '')
  if (name === 'index' || name === 'readme') return ''
  return name.endsWith('/README') ? name.slice(0, -'README'.length) : `${name}/`
}

/** Path from one folder of the site to another, or to a file. */
export function pathBetween(from, to) {
  const path = posix.relative(`/${from}`, `/${to}`)
  if (path === '') return './'
  return to === '' || to.endsWith('/') ? `${path}/` : path
}

/**
 * What a link of the document at `path` leads to on the site: `href`, and `file`, a file of the project that the page shows or
 * offers. Links to sources lead to the repository; `href` is null where it has no address yet.
 */
export function targetOf(link, { path, documents, repository }) {
  if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return { href: link }
  const [file, anchor] = link.split('#')
  const hash = anchor === undefined ? '' : `#${anchor}`
  if (file === '') return { href: hash }
  const target = posix.join(posix.dirname(path), file)
  const here = folderOf(path)
  if (target === 'README.md' || documents.has(target))
    return { href: pathBetween(here, folderOf(target)) + hash }
  if (target.startsWith('docs/images/'))
    return { href: pathBetween(here, target.slice('docs/'.length)), file: target }
  if (target.startsWith('docs/')) {
    // Named as text, so that browsers show it.
    return { href: pathBetween(here, `${target.slice('docs/'.length)}.txt`), file: target }
  }
  return { href: repository === null ? null : `${repository}/blob/main/${target}` }
}

/** Path of a file of the project in the site. */
export function placeOfFile(file) {
  return file.slice('docs/'.length) + (file.startsWith('docs/images/') ? '' : '.txt')
}

/** Anchor of a heading, as GitHub makes it; `seen` counts those of the page. */
export function anchorOf(heading, seen) {
  const slug = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-')
  const times = seen.get(slug) ?? 0
  seen.set(slug, times + 1)
  return times === 0 ? slug : `${slug}-${times}`
}
