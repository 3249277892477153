// The frame of a page of the documents: head, menu, content, and what comes next.
import { folderOf, pathBetween } from './addresses.mjs'
import { parts, unlisted } from './contents.mjs'

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const textOf = (text) => text.replaceAll(/[&<>"]/g, (sign) => entities[sign])

/** Entry of the menu that a document belongs to. */
function entryOf(path) {
  const found = unlisted.find(([folder, list]) => path.startsWith(folder) && path !== list)
  return found === undefined ? path : found[1]
}

/** A page of the site. `root` leads to the first page, `home` to the server that serves the site, where one does. */
export function pageOf({ path, title, html, headings, script }, { version, home, root = rootFrom(path) }) {
  const at = (file) => root + file
  const isFirst = folderOf(path) === ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${textOf(isFirst ? 'Fieldfare: documents' : `${title} · Fieldfare`)}</title>
<link rel="icon" href="${at('logo.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${at('documents.css')}">${script === undefined ? '' : `\n<script type="module" src="${at(script)}"></script>`}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="brand" href="${root}"><img src="${at('logo.svg')}" alt="" width="36" height="36"><span>Fieldfare <span class="quiet">documents</span></span></a>
<a class="to-menu" href="#documents">All documents</a>
${home === null ? '' : `<a href="${home}">To this server</a>\n`}</header>
<div class="frame">
<main id="content" tabindex="-1">
${headings.length > 2 ? html.replace('</h1>\n', `</h1>\n${contentsOf(headings)}`) : html}${nextOf(path, root)}</main>
${menuOf(path, root)}
</div>
<footer class="foot quiet">Fieldfare ${textOf(version)}, AGPL-3.0-or-later</footer>
</body>
</html>
`
}

const rootFrom = (path) => pathBetween(folderOf(path), '')

/** Beside the content on wide screens, below it on narrow ones, where the head has a link to it. */
function menuOf(path, root) {
  const current = entryOf(path)
  const lists = parts.map(({ title, documents }) => {
    const links = documents.map(([document, name]) => {
      const mark = document !== current ? '' : ` aria-current="${document === path ? 'page' : 'true'}"`
      return `<li><a href="${root}${folderOf(document)}"${mark}>${textOf(name)}</a></li>\n`
    })
    return `<h2>${title}</h2>\n<ul>\n${links.join('')}</ul>\n`
  })
  return `<nav id="documents" aria-label="Documents">\n${lists.join('')}</nav>`
}

function contentsOf(headings) {
  const links = headings.map(({ anchor, words }) => `<li><a href="#${anchor}">${textOf(words)}</a></li>\n`)
  return `<details class="on-page"><summary>On this page</summary>\n<ul>\n${links.join('')}</ul>\n</details>\n`
}

function nextOf(path, root) {
  const documents = parts.flatMap((part) => part.documents)
  const index = documents.findIndex(([document]) => document === path)
  const next = index <= 0 ? undefined : documents[index + 1]
  if (next === undefined) return ''
  return `<p class="next">Next: <a href="${root}${folderOf(next[0])}">${textOf(next[1])}</a></p>\n`
}

/** Page for addresses of the site that lead nowhere. */
export function missingPage(about) {
  const html = `<h1>There is no such page</h1>\n<p>The documents that there are stand in the menu. <a href="${about.root}">Start here</a>.</p>\n`
  return pageOf({ path: '404.md', title: 'There is no such page', html, headings: [] }, about)
}
