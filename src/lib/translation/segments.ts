import { Unavailable } from '../../errors'
import { escapeHtml, htmlToText } from '../html'

const mostSegments = 40
const letters = /\p{L}/u
/** What stands in these is no prose: names, addresses, code. */
const left = /^<(\/?)(a|code|pre)[\s>]/i

/**
 * Translates the running text of pieces of our own HTML with a service that knows plain text alone, leaving tags,
 * links and code as they are. `Unavailable` for more pieces than one answer may cost.
 */
export async function translateSegments(
  texts: readonly string[],
  translate: (text: string) => Promise<string>,
): Promise<string[]> {
  const all = texts.map(segmentsOf)
  if (all.flat().filter(({ isProse }) => isProse).length > mostSegments)
    throw new Unavailable('This post is too long to be translated')
  const done: string[] = []
  for (const segments of all) {
    const parts = await Promise.all(
      segments.map(async ({ html, isProse }) => (isProse ? spaced(html, translate) : html)),
    )
    done.push(parts.join(''))
  }
  return done
}

interface Segment {
  readonly html: string
  readonly isProse: boolean
}

function segmentsOf(html: string): Segment[] {
  let depth = 0
  return html.split(/(<[^>]*>)/).map((part) => {
    const tag = left.exec(part)
    if (tag !== null) depth += tag[1] === '/' ? -1 : 1
    return { html: part, isProse: depth === 0 && !part.startsWith('<') && letters.test(part) }
  })
}

/** White space at the ends keeps words of neighbours apart. */
async function spaced(html: string, translate: (text: string) => Promise<string>): Promise<string> {
  const before = html.slice(0, html.length - html.trimStart().length)
  const after = html.slice(html.trimEnd().length)
  return `${before}${escapeHtml((await translate(htmlToText(html))).trim())}${after}`
}
