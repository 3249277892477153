import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { type Look, setLook, withProtocol } from './page-checks'

interface Shot {
  readonly file: string
  readonly caption: string
}

/**
 * Screenshots of pages, and one document that shows them side by side. The folder is that of the variable
 * `CONTACT_SHEET`, or a temporary one.
 */
export class ContactSheet {
  readonly #folder = openFolder()
  readonly #shots = new Map<string, Shot[]>()

  async add(
    page: Page,
    name: string,
    { look, language }: { readonly look: Look; readonly language: string },
  ) {
    await setLook(page, look)
    const caption = `${language} ${look.width} ${look.scheme}`
    const file = `${slug(name)}-${slug(caption)}.jpg`
    writeFileSync(join(this.#folder, file), await wholePage(page))
    const shots = this.#shots.get(name) ?? []
    shots.push({ file, caption })
    this.#shots.set(name, shots)
  }

  /** Writes the document. Returns its path. */
  save(): string {
    const rows = [...this.#shots].toSorted(([one], [other]) => one.localeCompare(other))
    const path = join(this.#folder, 'index.html')
    writeFileSync(path, documentOf(rows))
    return path
  }
}

/** Screenshot of a whole page, as JPEG. Playwright would give the window the size of the page and back, which lays it out twice. */
function wholePage(page: Page): Promise<Buffer> {
  return withProtocol(page, async (session) => {
    const { cssContentSize } = await session.send('Page.getLayoutMetrics')
    const { data } = await session.send('Page.captureScreenshot', {
      format: 'jpeg',
      quality: 70,
      captureBeyondViewport: true,
      clip: { ...cssContentSize, scale: 1 },
    })
    return Buffer.from(data, 'base64')
  })
}

function openFolder(): string {
  const wanted = process.env['CONTACT_SHEET']
  if (wanted === undefined || wanted === '') return mkdtempSync(join(tmpdir(), 'fieldfare-contact-sheet-'))
  mkdirSync(wanted, { recursive: true })
  return wanted
}

function slug(text: string): string {
  return text.replaceAll(/[^\w]+/g, '-').replaceAll(/^-|-$/g, '') || 'home'
}

function documentOf(rows: readonly (readonly [string, readonly Shot[]])[]): string {
  const asHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const sections = rows.map(([name, shots]) => {
    const figures = shots.map(
      ({ file, caption }) =>
        `<figure><a href="${file}"><img src="${file}" alt="" loading="lazy" width="240"></a><figcaption>${caption}</figcaption></figure>`,
    )
    return `<h2>${asHtml(name)}</h2><div>${figures.join('')}</div>`
  })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Contact sheet</title>
<style>body{font:14px system-ui;background:#888}div{display:flex;flex-wrap:wrap;gap:1rem;align-items:start}figure{margin:0}img{max-height:40rem;object-fit:cover;object-position:top}</style>
<h1>Contact sheet</h1>${sections.join('\n')}</html>\n`
}
