/** The one element of this kind that the server rendered below `root`. Throws where it is missing. */
export function find<E extends Element>(root: ParentNode, selector: string, kind: new () => E): E {
  const found = root.querySelector(selector)
  if (found instanceof kind) return found
  throw new Error(`${selector} is missing`)
}

/** Every element of this kind that the server rendered for an island. */
export function findAll<E extends Element>(
  root: ParentNode,
  selector: string,
  kind: new () => E,
): readonly E[] {
  return [...root.querySelectorAll(selector)].filter((found): found is E => found instanceof kind)
}

/** The nearest element of this kind around `inner`. Throws where there is none. */
export function around<E extends Element>(inner: Element, selector: string, kind: new () => E): E {
  const found = inner.closest(selector)
  if (found instanceof kind) return found
  throw new Error(`${selector} is missing`)
}

/** The element by which the server tells scripts who reads the page; null on pages of visitors. */
export function clientRoot(page: Document): HTMLElement | null {
  const root = page.querySelector('[data-client]')
  return root instanceof HTMLElement ? root : null
}

/** The CSRF token of the page, which names the account that opened it. */
export function pageToken(): string {
  return clientRoot(document)?.dataset['client'] ?? ''
}

/** Name of the account that opened the page; empty for a visitor. */
export function pageAccount(): string {
  return clientRoot(document)?.dataset['account'] ?? ''
}

/** Key of the browser's storage for something that it keeps for the member of the page alone. */
export function memberKey(name: string): string {
  return `${name} /@${pageAccount()}`
}

/** Data attributes of an element that the server rendered. */
type Data = Readonly<Record<string, string | undefined>>

/**
 * Words that the server hands over in the reader's language, as JSON in `data-words`. Islands have no texts of their own.
 * Throws where one is missing.
 */
export function wordsIn<N extends string>(data: Data, names: readonly N[]): (name: N) => string {
  const given: unknown = JSON.parse(data['words'] ?? '{}')
  const texts = new Map(typeof given === 'object' && given !== null ? Object.entries(given) : [])
  for (const name of names)
    if (typeof texts.get(name) !== 'string') throw new Error(`The page gives no words for ${name}`)
  return (name) => String(texts.get(name))
}
