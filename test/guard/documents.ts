import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const root = join(import.meta.dirname, '../..')

export interface Document {
  /** From the top of the project: `docs/operate/deploy.md`. */
  readonly path: string
  readonly text: string
}

const atTheTop = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'FEDERATION.md', 'SECURITY.md']

/** Every document for people: those at the top of the project and all below `docs`. */
export function documents(): readonly Document[] {
  const below = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .toSorted()
  return [...atTheTop.filter((path) => existsSync(join(root, path))), ...below].map(read)
}

export function read(path: string): Document {
  return { path, text: readFileSync(join(root, path), 'utf8') }
}

export function exists(path: string): boolean {
  return existsSync(join(root, path))
}

const fence = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1\s*$/gm

/** The text with code blocks and code spans emptied: what looks like a link in there is none. */
function prose({ text }: Document): string {
  return text.replaceAll(fence, '').replaceAll(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, '``')
}

const linking =
  /\]\(\s*<?([^\s)>]+)>?[^)]*\)|^\s*\[[^\]]+\]:\s*(\S+)|<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)="([^"]+)"/gm

/** Targets of links and pictures that point into the project. */
export function relativeLinks(document: Document): readonly string[] {
  return [...prose(document).matchAll(linking)]
    .map(([, inline, reference, html]) => inline ?? reference ?? html ?? '')
    .filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target))
}

/** Reason for which a link of `document` is broken; null where it is good. */
export function problemOf(document: Document, link: string): string | null {
  const [file = '', anchor] = link.split('#')
  if (file.startsWith('/')) return 'begins with a slash, which leads out of the repository'
  const target = file === '' ? document.path : relative(root, resolve(root, dirname(document.path), file))
  if (target.startsWith('..')) return 'leads out of the repository'
  if (!exists(target)) return `${target} does not exist`
  if (anchor === undefined) return null
  if (!target.endsWith('.md')) return 'only documents have anchors'
  return anchorsIn(read(target)).has(anchor) ? null : `${target} has no heading for #${anchor}`
}

/** Anchors of the headings of a document, as GitHub makes them. */
function anchorsIn({ text }: Document): ReadonlySet<string> {
  const seen = new Map<string, number>()
  const headings = [...text.replaceAll(fence, '').matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)]
  return new Set(
    headings.map(([, heading = '']) => {
      const slug = heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
        .replaceAll(' ', '-')
      const times = seen.get(slug) ?? 0
      seen.set(slug, times + 1)
      return times === 0 ? slug : `${slug}-${times}`
    }),
  )
}

/** Paths of the project that a document names, code blocks included. Of a pattern, as `src/api/*`, the folder. */
export function pathsNamedIn({ text }: Document): readonly string[] {
  const named = text.matchAll(/(?<![\w./~-])(?:src|test|docs|scripts|migrations)\/[\w./@*<>{},…-]*/g)
  return [...named].map(([path]) => {
    const pattern = path.search(/[*<{…]/)
    const whole = pattern === -1 ? path : path.slice(0, path.lastIndexOf('/', pattern))
    return whole.replace(/[.,/-]+$/, '')
  })
}

/** Scripts of package.json that a document asks readers to run. */
export function scriptsNamedIn({ text }: Document): readonly string[] {
  return [...text.matchAll(/\bnpm run ([a-z][\w:-]*)/g)].map(([, name = '']) => name)
}

/** Identifier in a document: of `ctx.jobs.send()` the last part, and `jobs` as what it belongs to. */
export interface NamedCode {
  readonly name: string
  readonly owner: string | null
}

/** Names of the code in code spans: `camelCase`, `PascalCase`, `call()`. */
export function namesOfCodeIn({ text }: Pick<Document, 'text'>): readonly NamedCode[] {
  const spans = [...text.replaceAll(fence, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)
  return spans.flatMap((span) => {
    const [, owner = null, name = '', call] =
      /^(?:[a-z]\w*\.)*?(?:([a-z]\w*)\.)?([A-Za-z]\w*)(\([^)]*\))?$/.exec(span) ?? []
    return call !== undefined || /[a-z][A-Z]/.test(name) ? [{ name, owner }] : []
  })
}
