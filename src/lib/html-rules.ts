// Elements that Mastodon 4.6 allows in a remote status, plus abbr, sub and sup, which it once did.
const inlineElements = words('br span a abbr del s code b strong u sub sup i em ruby rt rp')
const blockElements = words('p pre blockquote ul ol li')
const headings = words('h1 h2 h3 h4 h5 h6')

// Elements whose text is not content, or that switch a browser to another way of parsing.
const droppedElements = words(
  'script style iframe object embed applet math svg template noscript noembed noframes frameset plaintext xmp ' +
    'textarea select title audio video canvas map',
)

// Removed elements that separate: the words on either side must not run together.
const separatingElements = words(
  'div section article header footer main aside nav figure figcaption table caption tr td th dl dt dd form ' +
    'fieldset address details summary hr center img body',
)

const allowedClasses = words('mention hashtag invisible ellipsis quote-inline')
const microformatClass = /^(?:h|p|u|dt|e)-[a-z0-9-]+$/

// Schemes that Mastodon allows, and mailto.
const allowedSchemes = words('http https gemini gopher dat dweb ipfs ipns ssb xmpp magnet mailto')
const scheme = /^([a-z][a-z0-9+.-]*):/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers ignore these inside a URL, so `java\tscript:` would run
const controlCharacters = /[\0-\x1f\x7f]/g

export type ElementRule = 'dropped' | 'inline' | 'block' | 'heading' | 'separating' | 'unwrapped'

const rules = new Map<string, ElementRule>([
  ...[...inlineElements].map((name) => [name, 'inline'] as const),
  ...[...blockElements].map((name) => [name, 'block'] as const),
  ...[...headings].map((name) => [name, 'heading'] as const),
  ...[...droppedElements].map((name) => [name, 'dropped'] as const),
  ...[...separatingElements].map((name) => [name, 'separating'] as const),
])

export function ruleFor(element: string): ElementRule {
  return rules.get(element) ?? 'unwrapped'
}

/** The address as a browser would read it, or null if a link must not lead there. */
export function allowedHref(href: string): string | null {
  const cleaned = href.replace(controlCharacters, '').trim()
  const name = scheme.exec(cleaned)?.[1]
  return name !== undefined && allowedSchemes.has(name.toLowerCase()) ? cleaned : null
}

export function allowedClassList(value: string): string {
  return value
    .split(/\s+/)
    .filter((name) => allowedClasses.has(name) || microformatClass.test(name))
    .join(' ')
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}
