import * as z from 'zod'
import type { Endpoint } from './endpoint'
import { placeOfOrigin } from './openapi-file'

const bodyMethods = ['POST', 'PUT', 'PATCH', 'DELETE']

const description =
  'The Mastodon-compatible API of this server. Every path is answered with a slash or `.json` at its end as well.'

type Paths = Record<string, Record<string, unknown>>

/**
 * The OpenAPI 3.1 document of the API, built from the endpoint values that serve it and from `others`: JSON with a path or an
 * entity in each line. `npm run openapi` keeps it among the static files, as building it takes longer than a request may.
 */
export function openApiText(endpoints: readonly Endpoint[], others: Paths): string {
  return `${JSON.stringify(openApi(endpoints, others), null, 1)
    .replaceAll(/\n {4,}/g, '')
    .replaceAll(/\n {1,3}(?=[\]}])/g, '')}\n`
}

function openApi(endpoints: readonly Endpoint[], others: Paths) {
  const entities: Record<string, unknown> = {}
  const paths: Paths = { ...others }
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    const item = paths[path] ?? {}
    item[endpoint.method.toLowerCase()] = operation(endpoint, entities)
    paths[path] = item
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Fieldfare', version: '1', description },
    servers: [{ url: placeOfOrigin }],
    paths,
    components: {
      schemas: { ...entities, Error: problem },
      securitySchemes: {
        token: {
          type: 'oauth2',
          flows: {
            authorizationCode: {
              authorizationUrl: `${placeOfOrigin}/oauth/authorize`,
              tokenUrl: `${placeOfOrigin}/oauth/token`,
              scopes: {},
            },
            clientCredentials: { tokenUrl: `${placeOfOrigin}/oauth/token`, scopes: {} },
          },
        },
      },
    },
  }
}

function operation(endpoint: Endpoint, entities: Record<string, unknown>) {
  const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map((found) => found[1] ?? '')
  const input = objectSchema(jsonSchema(endpoint.input, 'input', entities))
  const named = Object.entries(input.properties)
  const elsewhere = named.filter(([name]) => !inPath.includes(name))
  const hasBody = bodyMethods.includes(endpoint.method)
  const parameters = [
    ...inPath.map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: input.properties[name] ?? { type: 'string' },
    })),
    ...(hasBody
      ? []
      : elsewhere.map(([name, schema]) => ({
          name,
          in: 'query',
          required: input.required.includes(name),
          schema,
        }))),
  ]
  const body = {
    type: 'object',
    properties: Object.fromEntries(elsewhere),
    required: input.required.filter((name) => !inPath.includes(name)),
  }
  return {
    summary: endpoint.summary,
    ...(endpoint.deprecatedSince === undefined ? {} : { deprecated: true }),
    ...(endpoint.auth.kind === 'anyone' ? {} : { security: [{ token: scopesOf(endpoint) }] }),
    parameters,
    ...(hasBody && elsewhere.length > 0
      ? {
          requestBody: {
            content: {
              'application/json': { schema: body },
              'application/x-www-form-urlencoded': { schema: body },
              'multipart/form-data': { schema: body },
            },
          },
        }
      : {}),
    responses: {
      200: {
        description: 'OK',
        content: answerOf(endpoint, entities),
      },
      ...refusals(endpoint),
    },
  }
}

function answerOf({ output, answersFile }: Endpoint, entities: Record<string, unknown>) {
  if (answersFile) return { 'application/octet-stream': {} }
  return { 'application/json': { schema: jsonSchema(output, 'output', entities) } }
}

/** Schema of every refusal; `details` names fields, of sign-up and of some forms. */
const problem = {
  type: 'object',
  properties: {
    error: { type: 'string' },
    error_description: { type: 'string' },
    details: { type: 'object' },
  },
  required: ['error'],
}

/** Refusals of an endpoint by status, as far as its declaration states them. */
function refusals({ auth, method, path }: Endpoint): Record<number, unknown> {
  const isStaff = auth.kind === 'staff'
  const named: readonly (readonly [number, string, boolean])[] = [
    [401, 'The access token is missing or invalid', auth.kind !== 'anyone' && !isStaff],
    [
      403,
      isStaff
        ? 'No token, no scope, no permission, or no higher role'
        : 'The scope is missing, or this is not allowed',
      auth.kind !== 'anyone',
    ],
    [404, 'Record not found', path.includes(':')],
    [409, 'Changed by somebody else at the same time, or done already', isStaff && method !== 'GET'],
    [422, 'Input that cannot be accepted', true],
    [429, 'Too many requests', true],
  ]
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  return Object.fromEntries(
    named.flatMap(([status, description, isPossible]) =>
      isPossible ? [[status, { description, content }]] : [],
    ),
  )
}

function scopesOf(endpoint: Endpoint): readonly string[] {
  return endpoint.auth.scope === null ? [] : [endpoint.auth.scope]
}

/** A schema as JSON Schema, its named entities moved to `entities`. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output', entities: Record<string, unknown>): object {
  const converted = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' })
  const { $defs, $schema: _dialect, ...rest } = converted
  for (const [name, definition] of Object.entries($defs ?? {})) entities[name] = pointed(definition)
  return pointed(rest)
}

/** Rewrites references to point into the components of the document. */
function pointed(value: unknown): object {
  const text = JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')
  const parsed: unknown = JSON.parse(text)
  return typeof parsed === 'object' && parsed !== null ? parsed : {}
}

function objectSchema(schema: object) {
  const properties =
    'properties' in schema && typeof schema.properties === 'object' && schema.properties !== null
      ? schema.properties
      : {}
  const required = 'required' in schema && Array.isArray(schema.required) ? schema.required : []
  const byName: Record<string, unknown> = { ...properties }
  return { properties: byName, required: required.filter((name) => typeof name === 'string') }
}
