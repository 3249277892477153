import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { folderOf } from '../../scripts/lib/documents/addresses.mjs'
import { parts, unlisted } from '../../scripts/lib/documents/contents.mjs'
import { buildSite, documentsIn } from '../../scripts/lib/documents/site.mjs'
import { read } from './documents'
import { sourceFiles } from './source'

const kibibyte = 1024

let site: ReadonlyMap<string, Buffer>
let elsewhere: ReadonlyMap<string, Buffer>
beforeAll(async () => {
  site = await buildSite('.', { home: '/' })
  elsewhere = await buildSite('.', { home: null })
})

const pagesOf = (files: ReadonlyMap<string, Buffer>) =>
  [...files].flatMap(([name, content]) =>
    name.endsWith('index.html') ? [{ name, text: content.toString() }] : [],
  )
const linksOf = (text: string) => [...text.matchAll(/\b(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link)

/** Reason for which a link of a page of the site is broken; null where it is good, or leads elsewhere. */
function problemOf(files: ReadonlyMap<string, Buffer>, from: string, link: string): string | null {
  if (/^[a-z]+:/.test(link)) return null
  const [path = '', anchor] = link.split('#')
  const url = new URL(path, `https://host.example/some/path/${from}`)
  const place = url.pathname.replace('/some/path/', '')
  if (place.startsWith('/')) return `${link} leads out of the site`
  const name = path === '' ? from : place === '' || place.endsWith('/') ? `${place}index.html` : place
  const target = files.get(name)
  if (target === undefined) return `${link} leads to ${name}, which does not exist`
  const hasAnchor = anchor === undefined || target.includes(`id="${anchor}"`)
  return hasAnchor ? null : `${name} has no ${anchor}`
}

describe('the documents as a site', () => {
  it('the site has a page for every document, and lists each in its menu or on the page of its folder', () => {
    const paths = documentsIn('.')
    expect(paths.length).toBeGreaterThan(100)
    for (const path of paths) expect(site.has(`${folderOf(path)}index.html`), path).toBe(true)
    const listed = new Set(parts.flatMap(({ documents }) => documents.map(([path]) => path)))
    const hidden = paths.filter(
      (path) => !listed.has(path) && !unlisted.some(([folder]) => path.startsWith(folder)),
    )
    expect(hidden).toEqual([])
    for (const [folder, list] of unlisted)
      for (const path of paths.filter((one) => one.startsWith(folder) && one !== list)) {
        const from = folderOf(list)
        const leads = linksOf(site.get(`${from}index.html`)?.toString() ?? '').some(
          (link) => new URL(link, `https://host.example/${from}`).pathname === `/${folderOf(path)}`,
        )
        expect(leads, `${list} does not lead to ${path}`).toBe(true)
      }
  })

  it('every link and picture of the site leads to a page, a heading or a file of it, below any path', () => {
    const broken = pagesOf(elsewhere).flatMap(({ name, text }) =>
      linksOf(text).flatMap((link) => problemOf(elsewhere, name, link) ?? []),
    )
    expect(broken).toEqual([])
    expect(problemOf(elsewhere, 'index.html', 'nowhere/')).not.toBeNull()
    expect(problemOf(elsewhere, 'index.html', '#nothing')).not.toBeNull()
  })

  it('the site of a server differs from that of another host in the way back to the server alone', () => {
    const back = '<a href="/">To this server</a>\n'
    const pages = pagesOf(site)
    for (const { name, text } of pages) {
      expect(text.split(back)).toHaveLength(2)
      expect(text.replace(back, '')).toBe(elsewhere.get(name)?.toString())
    }
  })

  it('pages of the site have no scripts but one that makes a secret, no styles of their own and nothing of other hosts', () => {
    const own = '<script type="module" src="../../set-up-secret.js"></script>'
    expect(site.get('operate/deploy-by-button/index.html')?.toString()).toContain(own)
    for (const { name, text: whole } of pagesOf(site)) {
      const text = name === 'operate/deploy-by-button/index.html' ? whole.replace(own, '') : whole
      expect(/<script|<style|\sstyle=|\son\w+=/i.test(text), name).toBe(false)
      expect(/<(img|link)[^>]*(src|href)="[a-z]+:/i.test(text), name).toBe(false)
    }
  })

  it('a picture of the documents has a description and at most 60 KiB', () => {
    for (const { name, text } of pagesOf(site))
      for (const [picture] of text.matchAll(/<img [^>]*>/g))
        expect(/ alt="[^"]+"/.test(picture) || /logo\.svg/.test(picture), `${name}: ${picture}`).toBe(true)
    for (const [name, content] of site)
      if (name.endsWith('.webp')) expect(content.byteLength, name).toBeLessThanOrEqual(60 * kibibyte)
  })

  it('the site has at most 3 MiB and its style at most 4 KiB compressed: all of it is uploaded with each deployment', () => {
    const bytes = [...site.values()].reduce((sum, content) => sum + content.byteLength, 0)
    expect(bytes).toBeLessThanOrEqual(3 * kibibyte * kibibyte)
    const style = site.get('documents.css') ?? Buffer.alloc(0)
    expect(gzipSync(style).byteLength).toBeLessThanOrEqual(4 * kibibyte)
  })

  it('git tracks nothing of the built site', () => {
    const tracked = execFileSync('git', ['ls-files', 'public/docs'], { encoding: 'utf8' })
    const ignored = execFileSync('git', ['check-ignore', 'public/docs/index.html'], { encoding: 'utf8' })
    expect([tracked, ignored.trim()]).toEqual(['', 'public/docs/index.html'])
  })
})

describe('documents for operators', () => {
  it('documents for operators name no files of tests', () => {
    const naming = readdirSync('docs/operate')
      .filter((name) => name.endsWith('.md') && /`test\//.test(read(`docs/operate/${name}`).text))
      .toSorted()
    expect(naming).toEqual([])
  })

  it('docs/operate/troubleshooting.md names only messages that the code has', () => {
    const sources = [...sourceFiles('src'), ...sourceFiles('scripts')].map(({ text }) => text)
    const all = `${sources.join('\n')}\n${readFileSync('public/messages/en.json', 'utf8').replaceAll('\\"', '"')}`
    /** Messages of programs that are not of this project. */
    const foreign = new Set([
      'npm: command not found',
      'Wrangler requires at least Node.js v22.0.0',
      'Error 1102',
    ])
    const headings = [...read('docs/operate/troubleshooting.md').text.matchAll(/^### `([^`]+)`/gm)]
    const named = headings.map(([, message = '']) => message).filter((message) => !message.startsWith('/'))
    expect(named.length).toBeGreaterThan(25)
    const unknown = named
      .filter((message) => !foreign.has(message))
      .filter((message) => !message.split('…').every((piece) => all.includes(piece.trim())))
    expect(unknown).toEqual([])
  })

  it('docs/index.md has the figures of limits and costs', () => {
    const index = read('docs/index.md').text
    const costs = read('docs/operate/limits-and-costs.md').text
    const [, people = '', more = '', fewer = ''] =
      /carries (\d+) people who follow 400 accounts each, or (\w+) who follow (\d+)/.exec(costs) ?? []
    const numbers: Readonly<Record<string, string>> = { ten: '10' }
    expect(index).toContain(`| Members who follow 400 accounts each | ${people} |`)
    expect(index).toContain(`| Members who follow ${fewer} accounts each | ${numbers[more] ?? more} |`)
    const bills = (label: string) =>
      [...(new RegExp(`^\\| ${label}.*$`, 'm').exec(costs)?.[0] ?? '').matchAll(/\$[\d.]+/g)].at(-1)?.[0]
    const [bill, computing] = [bills('bill on Paid'), bills('CPU on Paid')]
    expect([bill, computing].includes(undefined)).toBe(false)
    expect(index).toContain(`100 cost ${bill} a month, and ${computing} for computing`)
  })
})
