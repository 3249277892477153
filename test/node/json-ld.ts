import { preloadedContexts } from '@fedify/vocab-runtime'
import jsonld from '@fedify/vocab-runtime/jsonld'

/** Answers the contexts that come with Fedify; nothing is fetched. */
async function load(url: string) {
  const document = preloadedContexts[url]
  if (document === undefined) throw new Error(`No context ${url} is at hand`)
  return { contextUrl: null, documentUrl: url, document }
}

/** A document as JSON-LD means it. Throws where a term has no meaning and would be lost. */
export async function expand(document: object): Promise<unknown> {
  const expanded: unknown = await jsonld.expand(document, { documentLoader: load, safe: true })
  return expanded
}
