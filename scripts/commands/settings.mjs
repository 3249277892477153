import * as z from 'zod'
import { arg, Done, declareGroup, readPicture, readTextFile, several } from '../lib/command-line/declare.mjs'
import { WrongUsage } from '../lib/command-line/problems.mjs'
import { plain } from '../lib/command-line/text.mjs'

const Setting = z.object({
  name: z.string(),
  type: z.string(),
  nullable: z.boolean(),
  choices: z.array(z.string()),
  minimum: z.int().nullable(),
  maximum: z.int().nullable(),
  value: z.unknown(),
  default: z.unknown(),
  updated_at: z.string().nullable(),
})
const lists = ['languages', 'blockedEmailDomains', 'featuredAccounts']
const pair = z
  .string()
  .regex(/^[^=]+=/s, 'must be NAME=VALUE')
  .refine((text) => !/^(thumbnail|logo)=(?!@.|null$)/s.test(text), 'must be @FILE or null for a picture')

export const group = declareGroup({
  name: 'settings',
  summary: 'Settings of the server',
  notes: [
    'NAME=@FILE reads the value from a file, NAME=null clears it. Lists have commas. thumbnail=@FILE is the picture of the',
    'server, logo=@FILE its square logo: JPEG, PNG, GIF or WebP, at most 700 KB (by API 8 MB, a logo 2 MB). Rules of the',
    'server are set by rules replace.',
  ],
  commands: [
    {
      name: 'list',
      summary: 'Every setting with its value',
      route: 'GET /api/fieldfare/v1/admin/settings',
      result: z.object({ settings: z.array(Setting) }),
      key: 'settings',
      lines: ({ settings }) => settings.map(({ name, value }) => `${name}  ${shortened(value)}`),
    },
    {
      name: 'show',
      summary: 'A setting with its type, value and default',
      args: [arg('NAME', 'Name of the setting')],
      calls: ['GET /api/fieldfare/v1/admin/settings'],
      result: Setting,
      run: async ({ input, instance }) => {
        const settings = await instance.admin('GET', 'settings')
        const found = settings.find(({ name }) => name === input.name)
        if (found !== undefined) return found
        throw new WrongUsage(`There is no setting ${input.name}. npx fieldfare settings list lists them.`)
      },
      lines: (setting) => [
        `name     ${setting.name}`,
        `type     ${typeOf(setting)}`,
        `value    ${textOf(setting.value)}`,
        `default  ${textOf(setting.default)}`,
        `changed  ${setting.updated_at ?? 'never'}`,
      ],
    },
    {
      name: 'set',
      summary: 'Changes settings, all that are named or none',
      args: [several('NAME=VALUE', 'Name and value of a setting', pair)],
      calls: ['PUT /api/fieldfare/v1/admin/settings'],
      result: Done,
      check: (input) =>
        input['name=value'].some((text) => text.startsWith('rule='))
          ? 'rules are no settings: npx fieldfare rules replace TEXT [TEXT ...] sets them'
          : null,
      run: async ({ input, instance }) => {
        await instance.admin('PUT', 'settings', Object.fromEntries(input['name=value'].map(pairOf)))
        return {}
      },
      lines: () => ['Saved.'],
    },
  ],
})

function pairOf(text) {
  const at = text.indexOf('=')
  const name = text.slice(0, at)
  const value = text.slice(at + 1)
  if (value === 'null') return [name, null]
  if (name === 'thumbnail' || name === 'logo') return [name, readPicture(value.slice(1))]
  return [name, readValue(name, value.startsWith('@') ? readTextFile(value.slice(1)) : value)]
}

function readValue(name, text) {
  if (!lists.includes(name)) return text
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function typeOf({ type, nullable, choices, minimum, maximum }) {
  const bounds = minimum === null ? [] : [`from ${minimum} to ${maximum}`]
  const words = [type, ...bounds, ...(choices.length === 0 ? [] : [`(${choices.join(', ')})`])]
  return [...words, ...(nullable ? ['or null'] : [])].join(' ')
}

function textOf(value) {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function shortened(value) {
  const text = plain(textOf(value))
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
