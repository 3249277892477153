import { escapeHtml, sanitiseHtml } from '../../lib/html'
import { knownLanguage } from '../../lib/language'
import { utf8Bytes } from '../../lib/text/bytes'
import { instantOf } from './dates'
import { firstOf, isObject, type JsonObject } from './json'
import { mediaTypeOf } from './links'
import { type LocalizedText, localizedTextOf, plainTextOf, singleLineOf, truncate } from './text'

const MAX_CONTENT = 64 * 1024
// Tags and escapes make it longer than it came; what comes before and behind it is bounded by itself.
const MAX_CONTENT_BYTES = 64 * 1024
const MAX_TITLE = 500
const MAX_SUMMARY = 2_000
const MAX_SPOILER = 1_000
// An article without a summary is shown whole up to here, else by its title alone.
const MAX_WHOLE_ARTICLE = 2_000

/** The words of a status, safe to show. */
export interface Content {
  readonly html: string
  readonly spoilerText: string
  readonly language: string | null
}

/** How the words of a type become those of a status. */
export type ContentForm = 'note' | 'article' | 'titled'

export interface ContentOptions {
  readonly form: ContentForm
  /** Where the original is, for what a status can only stand for. */
  readonly link: string
  /** Leaves out the paragraph that names the quoted status: where it may turn out to be no quote, that is all there is. */
  readonly withoutQuote: boolean
}

/**
 * The words of an object: those of a note are its content, behind its summary as a warning.
 *
 * Of an article come title, summary and link, as in Mastodon; of a page, picture, film, sound or event its title,
 * when and where, text and link. Their summary is no warning.
 */
export function contentOf(object: JsonObject, options: ContentOptions): Content {
  const words = localizedTextOf(object, 'content')
  const language = words?.language ?? localizedTextOf(object, 'summary')?.language ?? namedLanguage(object)
  if (options.form === 'note') {
    const spoilerText = plainTextOf(localizedTextOf(object, 'summary')?.text, MAX_SPOILER)
    return { html: noteHtml(object, words, options), spoilerText, language }
  }
  const body =
    options.form === 'article' ? articleHtml(object, words, options) : textHtml(object, words, options)
  const html = [titleHtml(object), occasionHtml(object), body, linkHtml(options.link)].join('')
  return { html, spoilerText: '', language }
}

/** Some software gives notes a title: it goes before the text, unless that begins with it. */
function noteHtml(object: JsonObject, words: LocalizedText | null, options: ContentOptions): string {
  const html = htmlOf(object, words, options)
  const title = singleLineOf(localizedTextOf(object, 'name')?.text, MAX_TITLE)
  const isRepeated = title !== '' && html.replace(/^(?:<[^>]*>|\s)+/, '').startsWith(escapeHtml(title))
  return title === '' || isRepeated ? html : titleHtml(object) + html
}

function articleHtml(object: JsonObject, words: LocalizedText | null, options: ContentOptions): string {
  const summary = summaryHtml(object)
  const isWhole = summary === '' && words !== null && words.text.length <= MAX_WHOLE_ARTICLE
  return isWhole ? htmlOf(object, words, options) : summary
}

function textHtml(object: JsonObject, words: LocalizedText | null, options: ContentOptions): string {
  return htmlOf(object, words, options) || summaryHtml(object)
}

/** Content is HTML unless its media type says that it is plain text or Markdown, which is shown as typed. */
function htmlOf(object: JsonObject, words: LocalizedText | null, { withoutQuote }: ContentOptions): string {
  const text = truncate(words?.text ?? '', MAX_CONTENT)
  const mediaType = mediaTypeOf(object)
  if (mediaType === 'text/plain' || mediaType === 'text/markdown') return bounded(paragraphs(text))
  return sanitiseHtml(text, { withoutQuoteInline: withoutQuote, maxBytes: MAX_CONTENT_BYTES })
}

function bounded(html: string): string {
  return utf8Bytes(html) > MAX_CONTENT_BYTES ? sanitiseHtml(html, { maxBytes: MAX_CONTENT_BYTES }) : html
}

function paragraphs(text: string): string {
  const blocks = text.replaceAll('\r', '').split(/\n{2,}/)
  return blocks
    .map((block) => escapeHtml(block.trim()).replaceAll('\n', '<br />'))
    .filter((block) => block !== '')
    .map((block) => `<p>${block}</p>`)
    .join('')
}

function titleHtml(object: JsonObject): string {
  const title = singleLineOf(localizedTextOf(object, 'name')?.text, MAX_TITLE)
  return title === '' ? '' : `<p><strong>${escapeHtml(title)}</strong></p>`
}

function summaryHtml(object: JsonObject): string {
  return paragraphs(plainTextOf(localizedTextOf(object, 'summary')?.text, MAX_SUMMARY))
}

/** When and where an event takes place. */
function occasionHtml(object: JsonObject): string {
  const start = instantOf(object['startTime'])?.toISOString().slice(0, 16).replace('T', ' ')
  const place = firstOf(object['location'])
  const where = isObject(place) ? singleLineOf(place['name'], MAX_TITLE) : ''
  const parts = [start === undefined ? '' : `${start} UTC`, where].filter((part) => part !== '')
  return parts.length === 0 ? '' : `<p>${escapeHtml(parts.join(', '))}</p>`
}

function linkHtml(url: string): string {
  return sanitiseHtml(`<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`)
}

/** The language PeerTube and Lemmy name in a property of its own. */
function namedLanguage(object: JsonObject): string | null {
  const language = object['language']
  const code = isObject(language) ? language['identifier'] : language
  return typeof code === 'string' ? knownLanguage(code) : null
}
