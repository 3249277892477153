import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { type Look, setLook } from './page-checks'

interface Shot {
  readonly file: string
  readonly caption: string
}

/** Screenshots of pages, and one document that shows them side by side. */
export class ContactSheet {
  readonly #folder: string
  readonly #shots = new Map<string, Shot[]>()

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** A contact sheet in the folder that the variable `CONTACT_SHEET` names; null without it, as screenshots take time. */
  static ifWanted(): ContactSheet | null {
    const folder = process.env['CONTACT_SHEET'] ?? ''
    if (folder === '') return null
    mkdirSync(folder, { recursive: true })
    return new ContactSheet(folder)
  }

  async add(
    page: Page,
    name: string,
    { look, language }: { readonly look: Look; readonly language: string },
  ) {
    await setLook(page, look)
    const caption = `${language} ${look.width} ${look.scheme}`
    const file = `${slug(name)}-${slug(caption)}.jpg`
    await page.screenshot({ path: join(this.#folder, file), fullPage: true, type: 'jpeg', quality: 70 })
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
