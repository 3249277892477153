import { Parser } from 'htmlparser2'
import { decoderOf } from './charset'

/** Fields that are read; others are skipped. */
const fields: ReadonlySet<string> = new Set(
  (
    'version type title author_name author_url provider_name provider_url thumbnail_url url html ' +
    'width height'
  ).split(' '),
)
const mostFieldCharacters = 16_384
/** Nesting of an honest document is two; searching for open elements takes time by their number. */
const mostOpenElements = 16

/**
 * Parses an oEmbed document in XML to the fields that one in JSON has, as texts; of several of a name the first. Null
 * unless its root element is complete, and for a document with a type declaration: entities that it declares are neither
 * expanded nor fetched.
 */
export function parseEmbedXml(bytes: Uint8Array, contentType: string): Record<string, string> | null {
  const found = new Map<string, string>()
  const open: string[] = []
  const end: { reached: 'complete' | 'refused' | null } = { reached: null }
  let field: string | null = null
  const parser = new Parser(
    {
      onprocessinginstruction: (name) => {
        if (/^!doctype/i.test(name)) stop('refused')
      },
      onopentag: (name) => {
        open.push(name)
        if (open.length > mostOpenElements || (open.length === 1 && name !== 'oembed')) stop('refused')
        if (open.length !== 2) return
        field = fields.has(name) && !found.has(name) ? name : null
        if (field !== null) found.set(field, '')
      },
      ontext: (text) => {
        if (field === null || open.length !== 2) return
        const earlier = found.get(field) ?? ''
        if (earlier.length < mostFieldCharacters)
          found.set(field, earlier + text.slice(0, mostFieldCharacters - earlier.length))
      },
      onclosetag: (_name, isImplied) => {
        open.pop()
        if (open.length < 2) field = null
        if (open.length > 0) return
        stop(isImplied ? 'refused' : 'complete')
      },
    },
    { xmlMode: true },
  )
  parser.end(decoderOf(contentType, bytes).decode(bytes))
  if (end.reached !== 'complete') return null
  return Object.fromEntries([...found].map(([name, text]) => [name, text.trim()]))

  function stop(reached: 'complete' | 'refused'): void {
    end.reached ??= reached
    parser.pause()
  }
}
