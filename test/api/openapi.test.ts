import { expect, it } from 'vitest'
import * as z from 'zod'
import { endpoints } from '../../src/api'
import { openApiText } from '../../src/api/openapi'
import { openApiDocument } from '../../src/api/openapi-file'
import { Unavailable } from '../../src/errors'
import { streamPaths } from '../../src/streaming/routes'
import documented from '../data/routes.json'
import { fetchApp } from '../support/test-app'

const [file] = Object.values(
  import.meta.glob<string>('../../public/openapi.json', { query: '?raw', import: 'default', eager: true }),
)

const Operation = z.looseObject({
  summary: z.string().optional(),
  security: z.array(z.object({ token: z.array(z.string()) })).default([]),
  parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean() })).default([]),
  responses: z.record(z.string(), z.object({ content: z.record(z.string(), z.unknown()).default({}) })),
})
const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) })

async function described() {
  const { response } = await fetchApp(new Request('https://fieldfare.test/api/openapi.json'))
  return Document.parse(await response.json()).paths
}

it('the document is generated from the endpoints: npm run openapi', () => {
  expect(file === openApiText(endpoints, streamPaths())).toBe(true)
})

it('names this server, and is refused with a text where its file is missing', async () => {
  const { response } = await fetchApp(new Request('https://fieldfare.test/api/openapi.json'))
  const text = await response.text()
  expect(JSON.parse(text)).toMatchObject({ servers: [{ url: 'https://fieldfare.test' }] })
  expect(text).not.toContain('origin.invalid')
  const none = { fetch: async () => new Response(null, { status: 404 }) }
  await expect(openApiDocument(none, 'https://fieldfare.test')).rejects.toThrow(Unavailable)
})

it('describes every endpoint', async () => {
  const paths = await described()
  for (const { method, path } of endpoints) {
    const named = path.replaceAll(/:(\w+)/g, '{$1}')
    expect(paths[named]?.[method.toLowerCase()], `${method} ${path}`).toBeDefined()
  }
})

it('describes files as bytes', async () => {
  const paths = await described()
  const file = paths['/api/fieldfare/v1/admin/evidence/{id}/media/{media_id}']?.['get']
  expect(Object.keys(file?.responses['200']?.content ?? {})).toEqual(['application/octet-stream'])
})

it('describes the purpose and errors of every endpoint in one shape', async () => {
  const { response } = await fetchApp(new Request('https://fieldfare.test/api/openapi.json'))
  const { paths, components } = z
    .object({
      paths: Document.shape.paths,
      components: z.object({ schemas: z.record(z.string(), z.looseObject({})) }),
    })
    .parse(await response.json())
  expect(components.schemas['Error']).toMatchObject({ required: ['error'] })
  const refusal = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } }
  for (const { method, path, auth } of endpoints) {
    const { summary, responses = {} } =
      paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] ?? {}
    expect(summary, `${method} ${path}`).toMatch(/^\S.*[^.]$/)
    const needed =
      auth.kind === 'staff'
        ? ['403', ...(method === 'GET' ? [] : ['409'])]
        : auth.kind === 'anyone'
          ? []
          : ['401', '403']
    for (const status of [...needed, ...(path.includes(':') ? ['404'] : []), '422', '429'])
      expect(responses[status], `${method} ${path} ${status}`).toMatchObject(refusal)
  }
})

it('the document has both spellings of a path', async () => {
  const { response } = await fetchApp(new Request('https://fieldfare.test/api/openapi.json/'))
  const { info } = z.object({ info: z.object({ description: z.string() }) }).parse(await response.json())
  expect(info.description).toMatch(/with a slash or `\.json` at its end/)
})

it('describes every documented stream with its scope and response', async () => {
  const paths = await described()
  const streams = documented.filter(({ path }) => path.startsWith('/api/v1/streaming'))
  expect(streams.length).toBeGreaterThan(10)
  for (const { path, scope, returns } of streams) {
    const { security = [], responses = {} } = paths[path]?.['get'] ?? {}
    const scopes = security.flatMap(({ token }) => token)
    expect(scope === null ? scopes.length === 0 : scopes.includes(scope.split(' ')[0] ?? ''), path).toBe(true)
    const type = returns?.startsWith('text/') ? returns : 'text/plain'
    if (returns === 'websocket') expect(Object.keys(responses), path).toEqual(['101'])
    else expect(Object.keys(responses['200']?.content ?? {}), path).toEqual([type])
  }
})

it('names the parameters of streams of hashtags, lists and media', async () => {
  const paths = await described()
  const asked = (path: string) =>
    paths[`/api/v1/streaming${path}`]?.['get']?.parameters.map(({ name, required }) => [name, required])
  expect(asked('/hashtag/local')).toEqual([['tag', true]])
  expect(asked('/list')).toEqual([['list', true]])
  expect(asked('/public/remote')).toEqual([['only_media', false]])
  expect(asked('/user')).toEqual([])
})
