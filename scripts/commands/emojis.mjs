import * as z from 'zod'
import { arg, Done, declareGroup, option, optional, readPicture } from '../lib/command-line/declare.mjs'
import { findEmoji } from '../lib/command-line/find-by-name.mjs'

const Emoji = z.object({
  shortcode: z.string(),
  category: z.string().nullable(),
  disabled: z.boolean(),
  visible_in_picker: z.boolean(),
  url: z.string(),
})
const shortcode = arg('SHORTCODE', 'Shortcode without colons')
const options = { category: option('NAME', 'Heading in pickers') }
const categoryOf = ({ category = null }) => category

const changing = [
  'GET /api/fieldfare/v1/admin/custom_emojis',
  'PUT /api/fieldfare/v1/admin/custom_emojis/:id',
]

export const group = declareGroup({
  name: 'emojis',
  summary: 'Custom emojis of this server',
  commands: [
    {
      name: 'list',
      summary: 'Custom emojis of this server',
      calls: ['GET /api/fieldfare/v1/admin/custom_emojis'],
      result: z.object({ emojis: z.array(Emoji) }),
      run: async ({ instance }) => {
        const emojis = await instance.every('/api/fieldfare/v1/admin/custom_emojis', { limit: 200 })
        return { emojis: emojis.toSorted((a, b) => (a.shortcode < b.shortcode ? -1 : 1)) }
      },
      lines: ({ emojis }) =>
        emojis.length === 0 ? ['This server has no custom emojis yet.'] : emojis.map(lineOf),
    },
    {
      name: 'add',
      summary: 'Adds a picture',
      args: [shortcode, arg('FILE', 'PNG, GIF or WebP of at most 256 KB')],
      options,
      route: 'POST /api/fieldfare/v1/admin/custom_emojis',
      result: Done,
      body: (input) => ({
        shortcode: input.shortcode,
        category: categoryOf(input),
        image: readPicture(input.file),
      }),
      lines: (_result, input) => [`:${input.shortcode}: is in use.`],
    },
    {
      name: 'copy',
      summary: 'Copies an emoji of another server',
      args: [shortcode, arg('DOMAIN', 'Host of the other server')],
      options,
      route: 'POST /api/fieldfare/v1/admin/custom_emojis/copy',
      result: Done,
      body: (input) => ({
        shortcode: input.shortcode,
        category: categoryOf(input),
        domain: input.domain,
      }),
      lines: (_result, input) => [`:${input.shortcode}: of ${input.domain} is in use here.`],
    },
    {
      name: 'category',
      summary: 'Moves an emoji under a heading of pickers, or without a name under none',
      args: [shortcode, optional('NAME', 'Heading in pickers')],
      calls: changing,
      result: Done,
      run: ({ input, instance }) => change(instance, input.shortcode, { category: input.name ?? null }),
      lines: (_result, input) => [`:${input.shortcode}: is under ${input.name ?? 'no heading'}.`],
    },
    ...[
      [
        'disable',
        'Takes an emoji out of use, in texts that contain it too',
        'out of use',
        { disabled: true },
      ],
      ['enable', 'Takes an emoji into use again', 'in use again', { disabled: false }],
      [
        'hide',
        'Hides an emoji from pickers; texts still show it',
        'in no picker',
        { visible_in_picker: false },
      ],
      ['show', 'Shows an emoji in pickers again', 'in pickers again', { visible_in_picker: true }],
    ].map(([name, summary, said, patch]) => ({
      name,
      summary,
      args: [shortcode],
      calls: changing,
      result: Done,
      run: ({ input, instance }) => change(instance, input.shortcode, patch),
      lines: (_result, input) => [`:${input.shortcode}: is ${said}.`],
    })),
    {
      name: 'remove',
      summary: 'Removes an emoji with its picture',
      args: [shortcode],
      calls: [
        'GET /api/fieldfare/v1/admin/custom_emojis',
        'DELETE /api/fieldfare/v1/admin/custom_emojis/:id',
      ],
      result: Done,
      destroys: (input) => `remove :${input.shortcode}: with its picture`,
      run: async ({ input, instance }) => {
        const { id } = await findEmoji(instance, input.shortcode)
        return instance.admin('DELETE', `custom_emojis/${id}`)
      },
      lines: (_result, input) => [`:${input.shortcode}: is gone.`],
    },
  ],
})

async function change(instance, name, patch) {
  const { id } = await findEmoji(instance, name)
  return instance.admin('PUT', `custom_emojis/${id}`, patch)
}

function lineOf({ shortcode: name, category, url, ...emoji }) {
  return [name, category ?? '-', stateOf(emoji), url].join('  ')
}

function stateOf({ disabled, visible_in_picker: isOffered }) {
  if (disabled) return 'out of use'
  return isOffered === false ? 'in no picker' : 'in use'
}
