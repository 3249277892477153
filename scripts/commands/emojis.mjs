import * as z from 'zod'
import {
  arg,
  Done,
  declareGroup,
  everyPage,
  option,
  optional,
  readPictureFile,
} from '../lib/command-line/declare.mjs'

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

export const group = declareGroup({
  name: 'emojis',
  summary: 'Custom emojis of this server',
  commands: [
    {
      name: 'list',
      summary: 'Custom emojis of this server',
      calls: ['POST /setup/emojis/list'],
      result: z.object({ emojis: z.array(Emoji) }),
      run: async ({ instance }) => ({
        emojis: await everyPage(async (after) => {
          const { emojis, next } = await instance.setup('emojis/list', { after })
          return { entries: emojis, next }
        }),
      }),
      lines: ({ emojis }) =>
        emojis.length === 0 ? ['This server has no custom emojis yet.'] : emojis.map(lineOf),
    },
    {
      name: 'add',
      summary: 'Adds a picture',
      args: [shortcode, arg('FILE', 'PNG, GIF or WebP of at most 256 KB')],
      options,
      calls: ['POST /setup/emojis/add'],
      result: Done,
      run: ({ input, instance }) =>
        instance.setup('emojis/add', {
          shortcode: input.shortcode,
          category: categoryOf(input),
          picture: readPictureFile(input.file),
        }),
      lines: (_result, input) => [`:${input.shortcode}: is in use.`],
    },
    {
      name: 'copy',
      summary: 'Copies an emoji of another server',
      args: [shortcode, arg('DOMAIN', 'Host of the other server')],
      options,
      calls: ['POST /setup/emojis/copy'],
      result: Done,
      run: ({ input, instance }) =>
        instance.setup('emojis/copy', {
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
      calls: ['POST /setup/emojis/category'],
      result: Done,
      run: ({ input, instance }) =>
        instance.setup('emojis/category', { shortcode: input.shortcode, category: input.name ?? null }),
      lines: (_result, input) => [`:${input.shortcode}: is under ${input.name ?? 'no heading'}.`],
    },
    ...[
      ['disable', 'Takes an emoji out of use, in texts that contain it too', 'out of use'],
      ['enable', 'Takes an emoji into use again', 'in use again'],
      ['hide', 'Hides an emoji from pickers; texts still show it', 'in no picker'],
      ['show', 'Shows an emoji in pickers again', 'in pickers again'],
    ].map(([name, summary, said]) => ({
      name,
      summary,
      args: [shortcode],
      calls: [`POST /setup/emojis/${name}`],
      result: Done,
      run: ({ input, instance }) => instance.setup(`emojis/${name}`, input),
      lines: (_result, input) => [`:${input.shortcode}: is ${said}.`],
    })),
    {
      name: 'remove',
      summary: 'Removes an emoji with its picture',
      args: [shortcode],
      calls: ['POST /setup/emojis/remove'],
      result: Done,
      destroys: (input) => `remove :${input.shortcode}: with its picture`,
      run: ({ input, instance }) => instance.setup('emojis/remove', { shortcode: input.shortcode }),
      lines: (_result, input) => [`:${input.shortcode}: is gone.`],
    },
  ],
})

function lineOf({ shortcode: name, category, url, ...emoji }) {
  return [name, category ?? '-', stateOf(emoji), url].join('  ')
}

function stateOf({ disabled, visible_in_picker: isOffered }) {
  if (disabled) return 'out of use'
  return isOffered === false ? 'in no picker' : 'in use'
}
