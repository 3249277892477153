/// <reference types="vite/types/importMeta.d.ts" />
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { CustomEmoji } from '../../src/contract/entities/custom-emoji'
import { Quote } from '../../src/contract/entities/status'
import documented from '../data/entities.json'
import { checkEach } from '../support/check-each'

const Attribute = z.object({
  name: z.string(),
  type: z.string(),
  nullable: z.boolean(),
  optional: z.boolean(),
  removed_in: z.string().nullable(),
})
const Entity = z.object({
  name: z.string(),
  extends: z.string().optional(),
  attributes: z.array(Attribute),
})
type Entity = z.infer<typeof Entity>

/** Form in which both sides are compared: path of the attribute -> its types, with ? for a key that may be absent. */
type Shape = ReadonlyMap<string, string>

const entities = z.array(Entity).parse(documented)
const byName = new Map(entities.map((entity) => [entity.name, entity]))

const outOfScope = [/^ActivityPub::/, /^IdentityProof$/, /^SearchV1$/]

/** Attributes gone from the documentation that Mastodon still sends. */
const keptAlthoughRemoved = ['MediaAttachment.text_url']

/** Keys the documentation lets be absent and Mastodon always sends: optional in the contract. */
const optionalByDocs = ['DomainBlock.comment', 'NotificationRequest.last_status', 'Translation.poll']

/** Keys of ours in Status and what extends it, which clients that do not know them pass over. */
const ownKeys: ReadonlySet<string> = new Set([
  'local_only',
  'reactions',
  'configuration.reactions',
  'configuration.reactions.max_reactions',
  'failure',
  // Version of the administration API, by which commands know what a server answers.
  'api_versions.fieldfare',
  'reply_policy',
  'reblog_policy',
  'approval',
  // Of the interface brief, under the names that Mastodon's code and database have.
  'thumbnail_remote_url',
  'sensitized',
  // RFC 6749, 5.1: an application's own token runs out here, and Mastodon's do not.
  'expires_in',
])

/** Kinds of notification of this server, which come with a fallback for apps that do not know them. */
const ownTypes = ['admin.trends']

/** Entities of ours: a documented one in a special place. Others begin with `Fieldfare`. */
const ownEntities = ['DeletedStatus']

function idOf(name: string): string {
  return name.replaceAll('::', '')
}

function documentedShape(entity: Entity): Shape {
  const base = entity.extends === undefined ? undefined : byName.get(entity.extends)
  const shape = new Map(base === undefined ? [] : documentedShape(base))
  for (const { name, type, nullable, optional, removed_in } of entity.attributes) {
    const key = `${idOf(entity.name)}.${name}`
    if (removed_in !== null && !keptAlthoughRemoved.includes(key)) continue
    const absent = optional || optionalByDocs.includes(key)
    shape.set(name, typeText([...type.split('|').map(idOf), ...(nullable ? ['null'] : [])], absent))
  }
  return shape
}

function typeText(types: readonly string[], absent: boolean): string {
  const same = types.map((type) => type.replace(/^float$/, 'number'))
  return [...new Set(same)].sort().join(' | ') + (absent ? ' ?' : '')
}

const Schema = z.object({
  $ref: z.string().optional(),
  $defs: z.record(z.string(), z.unknown()).optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  contentMediaType: z.string().optional(),
  enum: z.array(z.string()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).default([]),
  additionalProperties: z.unknown().optional(),
})
type Schema = z.infer<typeof Schema>

const formats = new Map([
  ['date-time', 'datetime'],
  ['date', 'date'],
  ['uri', 'url'],
])

/** The types a value may have; a named entity counts by its name. */
function typesOf(schema: Schema): string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((option) => typesOf(Schema.parse(option)))
  if (schema.$ref !== undefined) return [schema.$ref.replace('#/$defs/', '')]
  const types = [schema.type ?? 'anything'].flat()
  if (schema.enum !== undefined) return types.map((type) => (type === 'null' ? type : enumText(schema)))
  if (types.includes('array')) {
    return types.map((type) => (type === 'array' ? `array<${typesOf(itemOf(schema)).join('|')}>` : type))
  }
  const text = schema.contentMediaType === 'text/html' ? 'html' : formats.get(schema.format ?? '')
  return types.map((type) => (type === 'string' ? (text ?? type) : type))
}

/** Values of enumerations that are own extensions. */
const ownValues = new Set<unknown>(['admin.appeal'])

function enumText(schema: Schema): string {
  return `enum[${schema.enum?.filter((value) => value !== null && !ownValues.has(value)).join(',')}]`
}

function itemOf(schema: Schema): Schema {
  return Schema.parse(schema.items ?? {})
}

/** Attributes of an object and of unnamed objects within it. */
function flatten(schema: Schema, path: string, shape: Map<string, string>): Map<string, string> {
  for (const option of schema.anyOf ?? []) flatten(Schema.parse(option), path, shape)
  if (schema.items !== undefined) flatten(itemOf(schema), `${path}[]`, shape)
  if (typeof schema.additionalProperties === 'object') {
    flatten(Schema.parse(schema.additionalProperties), `${path}.*`, shape)
  }
  for (const [key, value] of Object.entries(schema.properties ?? {})) {
    const property = Schema.parse(value)
    const name = path === '' ? key : /^[\w@]+$/.test(key) ? `${path}.${key}` : `${path}['${key}']`
    shape.set(name, typeText(typesOf(property), !schema.required.includes(key)))
    flatten(property, name, shape)
  }
  return shape
}

function contractSchema(schema: z.ZodType): Schema {
  const root = Schema.parse(z.toJSONSchema(schema))
  const name = root.$ref?.replace('#/$defs/', '')
  return name === undefined ? root : Schema.parse(root.$defs?.[name])
}

/** The documentation leaves some objects open; what we put inside those is our own affair. */
function withoutUndocumentedInsides(shape: Shape, expected: Shape): Shape {
  const open = [...expected].flatMap(([name, type]) => {
    const prefix = /\bobject\b/.test(type) ? [`${name}.`, `${name}[`] : []
    const described = [...expected.keys()].some((other) => prefix.some((start) => other.startsWith(start)))
    return described ? [] : prefix
  })
  return new Map([...shape].filter(([name]) => !open.some((start) => name.startsWith(start))))
}

const files = import.meta.glob<Record<string, unknown>>('../../src/contract/entities/**/*.ts', {
  eager: true,
})
const contract = new Map(
  Object.values(files)
    .flatMap((exports) => Object.values(exports))
    .flatMap((value) => {
      const id = value instanceof z.ZodType ? value.meta()?.id : undefined
      return value instanceof z.ZodType && id !== undefined ? [[id, value] as const] : []
    }),
)

const inScope = entities.filter(({ name }) => !outOfScope.some((pattern) => pattern.test(name)))

describe('the contract and the documentation', () => {
  it('the contract and the documentation know the same entities', () => {
    const shared = [...contract.keys()].filter((id) => !id.startsWith('Fieldfare'))
    expect(shared.sort()).toEqual([...inScope.map(({ name }) => idOf(name)), ...ownEntities].sort())
  })

  it('agree on every entity [T-630]', async () => {
    await checkEach(inScope, { name: ({ name }) => name }, (entity) => {
      const schema = contract.get(idOf(entity.name))
      const expected = documentedShape(entity)
      const actual = schema === undefined ? new Map() : flatten(contractSchema(schema), '', new Map())
      const documentedKeys = [...actual].filter(([key]) => !ownKeys.has(key) || expected.has(key))
      const documentedTypes = documentedKeys.map(([key, types]): [string, string] => [
        key,
        ownTypes.reduce((rest, own) => rest.replace(`,${own}`, ''), types),
      ])
      const comparable = withoutUndocumentedInsides(new Map(documentedTypes), expected)
      expect(Object.fromEntries(comparable)).toEqual(Object.fromEntries(expected))
    })
  })

  it('the contract and the documentation differ only where necessary', () => {
    const attributes = entities.flatMap((entity) =>
      entity.attributes.map((attribute) => [`${idOf(entity.name)}.${attribute.name}`, attribute] as const),
    )
    const facts = new Map<string, z.infer<typeof Attribute>>(attributes)
    expect(keptAlthoughRemoved.filter((key) => facts.get(key)?.removed_in == null)).toEqual([])
    expect(optionalByDocs.filter((key) => facts.get(key)?.optional !== false)).toEqual([])
  })
})

describe('every entity', () => {
  const byId = { name: ([id]: readonly [string, z.ZodType]) => id }

  it('every entity refuses unknown keys', async () => {
    await checkEach([...contract], byId, ([, schema]) => {
      const issues = schema.safeParse({ unheard_of: 1 }).error?.issues ?? []
      expect(issues.filter((issue) => issue.code === 'unrecognized_keys').map((issue) => issue.keys)).toEqual(
        [['unheard_of']],
      )
    })
  })

  it('refers to entities by name in OpenAPI', async () => {
    await checkEach([...contract], byId, ([, schema]) => {
      const defined = Object.keys(z.toJSONSchema(schema).$defs ?? {})
      expect(defined.filter((name) => !contract.has(name))).toEqual([])
    })
  })
})

describe('strictness', () => {
  it('covers entities that contain themselves', () => {
    expect(Quote.safeParse({ state: 'deleted', quoted_status: null }).success).toBe(true)
    expect(Quote.safeParse({ state: 'accepted', quoted_status: { id: '1' } }).success).toBe(false)
  })

  it('distinguishes an absent key from an undefined one', () => {
    const emoji = {
      shortcode: 'a',
      url: 'https://a.test/a',
      static_url: 'https://a.test/a',
      visible_in_picker: true,
    }
    expect(CustomEmoji.safeParse(emoji).success).toBe(true)
    expect(CustomEmoji.safeParse({ ...emoji, category: undefined }).success).toBe(false)
  })
})
