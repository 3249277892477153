import { find, memberKey } from './page'

const mostKept = 8

/** Adds a search in front of the others, once. */
export function withSearch(kept: readonly string[], text: string): readonly string[] {
  return [text, ...kept.filter((one) => one !== text)].slice(0, mostKept)
}

/** Searches that the browser keeps, latest first; none where it keeps something else. */
export function readSearches(stored: string | null): readonly string[] {
  const kept: unknown = JSON.parse(stored ?? '[]')
  return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : []
}

/** Keeps searches of the member in this browser, and lists them on the page of search before anything is typed. */
export function keepSearches(): void {
  if (location.pathname !== '/search') return
  const key = memberKey('searches')
  const save = (texts: readonly string[]) => {
    if (texts.length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(texts))
  }
  const text = new URLSearchParams(location.search).get('q')?.trim() ?? ''
  if (text !== '') save(withSearch(readSearches(localStorage.getItem(key)), text))
  const section = document.querySelector('[data-recent]')
  if (!(section instanceof HTMLElement)) return
  const list = find(section, 'ul', HTMLUListElement)
  const { content } = find(section, 'template', HTMLTemplateElement)
  const show = () => {
    const kept = readSearches(localStorage.getItem(key))
    section.hidden = kept.length === 0
    list.replaceChildren(
      ...kept.map((one) => {
        const row = document.importNode(content, true)
        const link = find(row, 'a', HTMLAnchorElement)
        link.href = `/search?${new URLSearchParams({ q: one })}`
        link.textContent = one
        find(row, 'button', HTMLButtonElement).addEventListener('click', () => {
          save(readSearches(localStorage.getItem(key)).filter((other) => other !== one))
          show()
        })
        return row
      }),
    )
  }
  find(section, '.link', HTMLButtonElement).addEventListener('click', () => {
    save([])
    show()
  })
  show()
}
