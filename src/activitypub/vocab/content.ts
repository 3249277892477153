import MarkdownIt from 'markdown-it'
import { escapeHtml, sanitiseHtml } from '../../lib/html'
import { allowedHref } from '../../lib/html-rules'
import { knownLanguage } from '../../lib/language'
import { lazy } from '../../lib/lazy'
import {
  firstOf,
  instantOf,
  isObject,
  type JsonObject,
  type LocalizedText,
  localizedTextOf,
  plainTextOf,
  singleLineOf,
  truncate,
} from './json'
import { mediaTypeOf } from './links'

const MAX_CONTENT = 64 * 1024
// Tags and escapes lengthen the content; the parts before and after it have limits of their own.
const MAX_CONTENT_BYTES = 64 * 1024
const MAX_TITLE = 500
const MAX_SUMMARY = 2_000
const MAX_SPOILER = 1_000
// Limit up to which an article without a summary is shown whole, else by its title alone.
const MAX_WHOLE_ARTICLE = 2_000

/** Text of a status, sanitised. */
export interface Content {
  readonly html: string
  readonly spoilerText: string
  readonly language: string | null
}

/** Conversion of an object type's text to a status. */
export type ContentForm = 'note' | 'article' | 'titled'

export interface ContentOptions {
  readonly form: ContentForm
  /** Address of the original, for types shown as a title and link, and for what is too long. */
  readonly link: string
  /** Page that the object is about, shown below its title. */
  readonly about: string | null
  /**
   * Removes the paragraph with the quoted status's link. Kept where the quote may turn out invalid, as it is then the
   * only trace.
   */
  readonly withoutQuote: boolean
}

/**
 * Text of an object. A note's is its content, with the summary as content warning.
 *
 * An article gives title, summary and link, as in Mastodon; a page, picture, video, sound or event its title, the page it
 * is about, time and place, text and link. Their summary is no content warning.
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
  const about = options.about === null ? '' : linkHtml(options.about)
  const html = [titleHtml(object), about, occasionHtml(object), body, linkHtml(options.link)].join('')
  return { html, spoilerText: '', language }
}

/** Prepends the title some software gives notes, unless the text begins with it. */
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

/**
 * Sanitises content by its media type: HTML, Markdown (PeerTube) or plain text. What is too long ends with an ellipsis and a
 * link to the original, which some forms show anyway.
 */
function htmlOf(
  object: JsonObject,
  words: LocalizedText | null,
  { form, link, withoutQuote }: ContentOptions,
): string {
  const whole = words?.text ?? ''
  const text = truncate(whole, MAX_CONTENT)
  return sanitiseHtml(renderText(text, mediaTypeOf(object)), {
    withoutQuoteInline: withoutQuote,
    maxBytes: MAX_CONTENT_BYTES,
    isTruncated: text.length < whole.length,
    ending: form === 'note' ? linkHtml(link) : '',
  })
}

function renderText(text: string, mediaType: string | null): string {
  if (mediaType === 'text/plain') return paragraphs(text)
  return mediaType === 'text/markdown' ? renderRemoteMarkdown(text) : text
}

function paragraphs(text: string): string {
  const blocks = text.split(/\n{2,}/)
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

/** Time and place of an event. */
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

/** Language in PeerTube's and Lemmy's own property, or in that of schema.org. */
function namedLanguage(object: JsonObject): string | null {
  const language = firstOf(object['language'] ?? object['inLanguage'])
  const code = isObject(language) ? (language['identifier'] ?? language['alternateName']) : language
  return typeof code === 'string' ? knownLanguage(code) : null
}

const parser = lazy(createParser)

/**
 * Renders Markdown of other servers to HTML, which is still to be sanitised: paragraphs, line breaks, lists, quotes, code,
 * emphasis, links, also bare ones. Pictures become links; raw HTML stays visible text.
 */
function renderRemoteMarkdown(source: string): string {
  return parser().render(source).trim()
}

function createParser() {
  const made = new MarkdownIt({ html: false, linkify: true, breaks: true, maxNesting: 20 })
  // Words with a dot are not links: `readme.md` is a file.
  made.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
  made.validateLink = (url) => allowedHref(url) !== null
  made.renderer.rules['image'] = (tokens, index) => {
    const image = tokens[index]
    const address = String(image?.attrGet('src') ?? '')
    return `<a href="${escapeHtml(address)}">${escapeHtml(image?.content || address)}</a>`
  }
  return made
}
