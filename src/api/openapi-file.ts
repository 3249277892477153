import { Unavailable } from '../errors'
import type { StaticFiles } from '../ports/services'

/** Stands for the origin in `public/openapi.json`. */
export const placeOfOrigin = 'https://origin.invalid'

/** The OpenAPI document of the server at `origin`, as JSON. `Unavailable` where its file was not deployed. */
export async function openApiDocument(files: StaticFiles, origin: string): Promise<string> {
  const response = await files.fetch('https://assets.invalid/openapi.json')
  if (!response.ok) throw new Unavailable('no_openapi', {}, response.status)
  return (await response.text()).replaceAll(placeOfOrigin, origin)
}
