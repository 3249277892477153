import * as z from 'zod'

/** Fields of a page's JSON-LD that complete those of its head. */
export interface ArticleData {
  readonly headline: string
  readonly description: string
  readonly authorName: string
  readonly authorUrl: string
  readonly publisher: string
  readonly publishedAt: string
  readonly language: string
}

const none: ArticleData = {
  headline: '',
  description: '',
  authorName: '',
  authorUrl: '',
  publisher: '',
  publishedAt: '',
  language: '',
}

const kinds: ReadonlySet<unknown> = new Set(
  (
    'Article NewsArticle BlogPosting SocialMediaPosting LiveBlogPosting Report ScholarlyArticle TechArticle ' +
    'AnalysisNewsArticle OpinionNewsArticle ReviewNewsArticle ReportageNewsArticle BackgroundNewsArticle ' +
    'VideoObject PodcastEpisode'
  ).split(' '),
)

const Text = z.string().catch('')
const Json = z.record(z.string(), z.unknown())
type Json = z.infer<typeof Json>

/** The first article in the JSON-LD of a page, in any of its parts. */
export function articleIn(parts: readonly string[]): ArticleData {
  for (const part of parts) {
    const article = nodesIn(parsed(part)).find((node) => typesOf(node).some((type) => kinds.has(type)))
    if (article !== undefined) return readArticle(article)
  }
  return none
}

function parsed(text: string): unknown {
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

function typesOf(node: Json): readonly unknown[] {
  const type = node['@type']
  return Array.isArray(type) ? type : [type]
}

function readArticle(node: Json): ArticleData {
  const author = articleAuthorOf(node['author'])
  return {
    headline: Text.parse(node['headline'] ?? node['name']),
    description: Text.parse(node['description']),
    authorName: author.name,
    authorUrl: author.url,
    publisher: articleAuthorOf(node['publisher']).name,
    publishedAt: Text.parse(node['datePublished'] ?? node['uploadDate']),
    language: Text.parse(node['inLanguage']),
  }
}

/** The first author, given by name, as an object, or as a list of either. */
function articleAuthorOf(value: unknown): { readonly name: string; readonly url: string } {
  const one: unknown = Array.isArray(value) ? value[0] : value
  if (typeof one === 'string') return { name: one, url: '' }
  const [node = {}] = listOf(one)
  const name: unknown = Array.isArray(node['name']) ? node['name'][0] : node['name']
  return { name: Text.parse(name), url: Text.parse(node['url']) }
}
