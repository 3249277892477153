import { Unavailable } from '../../errors'
import { escapeHtml, htmlToText } from '../html'

const mostSegments = 40
const letters = /\p{L}/u
/** Elements left untranslated: names, addresses, code. */
const left = /^<(\/?)(a|code|pre)[\s>]/i

/**
 * Translates the running text of our own HTML with a service that supports plain text only, leaving tags, links
 * and code unchanged. `Unavailable` for more pieces than one response may cost.
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

/** White space at the ends is kept, so that words of neighbours stay apart. */
async function spaced(html: string, translate: (text: string) => Promise<string>): Promise<string> {
  const before = html.slice(0, html.length - html.trimStart().length)
  const after = html.slice(html.trimEnd().length)
  return `${before}${escapeHtml((await translate(htmlToText(html))).trim())}${after}`
}
