/** An accepted media type with its weight. */
interface Accepted {
  readonly type: string
  readonly quality: number
}

/** Parses an Accept header, in its order, types in lower case. Parameters other than the weight are ignored. */
export function parseAccept(header: string): readonly Accepted[] {
  return split(header, ',').flatMap((part) => {
    const [type = '', ...parameters] = split(part, ';').map((piece) => piece.trim())
    if (!type.includes('/')) return []
    return [{ type: type.toLowerCase(), quality: weightIn(parameters) }]
  })
}

/** The languages of an Accept-Language header without their regions, the preferred one first. */
export function preferredLanguages(header: string | null | undefined): readonly string[] {
  const languages = split(header ?? '', ',').flatMap((part, place) => {
    const [tag = '', ...parameters] = split(part, ';').map((piece) => piece.trim())
    const [, language] = /^([a-z]{2,3})(?:-[a-z0-9-]+)?$/i.exec(tag) ?? []
    return language === undefined
      ? []
      : [{ language: language.toLowerCase(), quality: weightIn(parameters), place }]
  })
  return languages
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || a.place - b.place)
    .map(({ language }) => language)
}

function weightIn(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => /^q\s*=/i.test(parameter))
  return within(weight === undefined ? 1 : Number(weight.replace(/^q\s*=\s*/i, '')))
}

function within(quality: number): number {
  return Number.isNaN(quality) ? 0 : Math.min(1, Math.max(0, quality))
}

/** Splits at separators outside quotes. */
function split(text: string, separator: ',' | ';'): string[] {
  const pieces = ['']
  let quoted = false
  for (const character of text) {
    if (character === '"') quoted = !quoted
    if (character === separator && !quoted) pieces.push('')
    else pieces[pieces.length - 1] += character
  }
  return pieces
}

const dataTypes = new Set(['application/activity+json', 'application/ld+json', 'application/json'])
const pageTypes = new Set(['text/html', 'application/xhtml+xml'])

/**
 * Whether a request prefers data to the HTML page: the higher weight wins, then the earlier type; requests that
 * accept anything get the page.
 */
export function prefersData(header: string | null | undefined): boolean {
  const accepted = parseAccept(header ?? '')
  const best = (fits: (type: string) => boolean) => {
    const all = accepted.map(({ type, quality }, place) => ({ type, quality, place }))
    return all
      .filter(({ type, quality }) => fits(type) && quality > 0)
      .sort((a, b) => b.quality - a.quality || a.place - b.place)[0]
  }
  const data = best((type) => dataTypes.has(type))
  if (data === undefined) return false
  const page = best((type) => pageTypes.has(type))
  if (page === undefined || data.quality > page.quality) return true
  return data.quality === page.quality && data.place < page.place
}
