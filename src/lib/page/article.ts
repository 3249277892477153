import * as z from 'zod'
import { decodeEntities } from './sanitise'

/** Fields of a node of a page's JSON-LD. */
export interface ArticleData {
  readonly headline: string
  readonly description: string
  readonly authorName: string
  readonly authorUrl: string
  readonly publisher: string
  readonly image: string
  readonly publishedAt: string
  readonly language: string
}

/** JSON-LD of a page: `lead` is used before its OpenGraph tags, `rest` after them. */
export interface PageData {
  readonly lead: ArticleData
  readonly rest: ArticleData
}

const none: ArticleData = {
  headline: '',
  description: '',
  authorName: '',
  authorUrl: '',
  publisher: '',
  image: '',
  publishedAt: '',
  language: '',
}

/** Types that Mastodon reads, and prefers to OpenGraph. */
const leadTypes: ReadonlySet<unknown> = new Set(['NewsArticle', 'WebPage'])

const articleTypes: ReadonlySet<unknown> = new Set(
  (
    'Article NewsArticle BlogPosting SocialMediaPosting LiveBlogPosting Report ScholarlyArticle TechArticle ' +
    'AnalysisNewsArticle OpinionNewsArticle ReviewNewsArticle ReportageNewsArticle BackgroundNewsArticle ' +
    'VideoObject PodcastEpisode'
  ).split(' '),
)

const Text = z.string().catch('')
const Json = z.record(z.string(), z.unknown())
type Json = z.infer<typeof Json>

/** The first node that Mastodon would read, and the first article, in any part of the JSON-LD of a page. */
export function articlesIn(parts: readonly string[]): PageData {
  const nodes = parts.flatMap((part) => nodesIn(parsed(part)))
  const lead = nodes.find((node) => isOfType(node, leadTypes))
  const rest = nodes.find((node) => isOfType(node, articleTypes))
  return {
    // Mastodon takes the headline alone: the name of a page is often that of its site as well.
    lead: lead === undefined ? none : readArticle(lead, lead['headline']),
    rest: rest === undefined ? none : readArticle(rest, rest['headline'] ?? rest['name']),
  }
}

/** Whether this part of the JSON-LD has the node that is used before OpenGraph tags. */
export function isLead(part: string): boolean {
  return nodesIn(parsed(part)).some((node) => isOfType(node, leadTypes))
}

/** Marks around data that hide it from old readers, or from those of XHTML. */
const opening = /^(?:\/\*\s*<!\[CDATA\[\s*\*\/|(?:\/\/\s*)?(?:<!\[CDATA\[|<!--))/
const closing = /(?:\/\*\s*\]\]>\s*\*\/|(?:\/\/[^\S\n]*)?(?:\]\]>|-->))$/

/** The value of a part, also where it is wrapped in CDATA or a comment, or escaped as HTML; null for invalid JSON. */
function parsed(part: string): unknown {
  const text = part.trim().replace(opening, '').replace(closing, '')
  return parsedJson(text) ?? (text.includes('&quot;') ? parsedJson(decodeEntities(text, text.length)) : null)
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (failure) {
    if (failure instanceof SyntaxError) return null
    throw failure
  }
}

/** Lists the nodes of a document: a single node, a list, or a graph that lists them. */
function nodesIn(value: unknown): readonly Json[] {
  const nodes = listOf(value)
  return nodes.flatMap((node) => [node, ...listOf(node['@graph'])])
}

function listOf(value: unknown): readonly Json[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.flatMap((one) => {
    const node = Json.safeParse(one)
    return node.success ? [node.data] : []
  })
}

function isOfType(node: Json, types: ReadonlySet<unknown>): boolean {
  const type = node['@type']
  return Array.isArray(type) ? type.some((one) => types.has(one)) : types.has(type)
}

function readArticle(node: Json, headline: unknown): ArticleData {
  const author = namedIn(node['author'])
  return {
    headline: textIn(headline),
    description: textIn(node['description']),
    authorName: author.name,
    authorUrl: author.url,
    publisher: namedIn(node['publisher']).name,
    image: addressIn(node['image']),
    publishedAt: Text.parse(node['datePublished'] ?? node['uploadDate']),
    language: languageIn(node['inLanguage']),
  }
}

/** Text of a node, which many servers escape as HTML. */
function textIn(value: unknown): string {
  return decodeEntities(Text.parse(firstOf(value)), 4_096)
}

/** The first author or publisher, given by name, as an object, or as a list of either. */
function namedIn(value: unknown): { readonly name: string; readonly url: string } {
  const one = firstOf(value)
  if (typeof one === 'string') return { name: textIn(one), url: '' }
  const [node = {}] = listOf(one)
  return { name: textIn(node['name']), url: Text.parse(firstOf(node['url'])) }
}

/** URL of the first picture, given as such, or as an object, or as a list of either. */
function addressIn(value: unknown): string {
  const one = firstOf(value)
  const [node = {}] = listOf(one)
  return Text.parse(typeof one === 'string' ? one : firstOf(node['url'] ?? node['contentUrl']))
}

/** Code of the first language, or its name where that is all. */
function languageIn(value: unknown): string {
  const one = firstOf(value)
  const [node = {}] = listOf(one)
  return Text.parse(typeof one === 'string' ? one : (node['alternateName'] ?? node['name']))
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value
}
