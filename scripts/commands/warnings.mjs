import * as z from 'zod'
import { arg, Done, declareGroup, given, id, option } from '../lib/command-line/declare.mjs'

export const group = declareGroup({
  name: 'warnings',
  summary: 'Texts that moderators put into warnings',
  commands: [
    {
      name: 'list',
      summary: 'Texts with their ids',
      route: 'GET /api/fieldfare/v1/admin/warning_presets',
      result: z.object({
        warnings: z.array(z.object({ id: z.string(), title: z.string(), text: z.string() })),
      }),
      key: 'warnings',
      lines: ({ warnings }) =>
        warnings.length === 0
          ? ['There are no texts.']
          : warnings.map(({ id: name, title, text }) => [name, title || '-', text].join('  ')),
    },
    {
      name: 'add',
      summary: 'Adds a text',
      args: [arg('TITLE', 'Title for moderators', z.string()), arg('TEXT', 'Text of the warning')],
      route: 'POST /api/fieldfare/v1/admin/warning_presets',
      result: z.object({ id: z.string() }),
      body: (input) => input,
      lines: (result) => [`Added as ${result.id}.`],
    },
    {
      name: 'change',
      summary: 'Changes a text or its title',
      args: [arg('ID', 'Id of the text', id)],
      options: {
        title: option('TITLE', 'Title for moderators'),
        text: option('TEXT', 'Text of the warning'),
      },
      check: ({ title, text }) =>
        (title ?? text) === undefined ? '--title or --text has to say what changes' : null,
      route: 'PUT /api/fieldfare/v1/admin/warning_presets/:id',
      result: Done,
      body: ({ id: _id, ...texts }) => given(texts),
      lines: (_result, input) => [`Done: change ${input.id}.`],
    },
    {
      name: 'remove',
      summary: 'Removes a text; warnings that were sent keep it',
      args: [arg('ID', 'Id of the text', id)],
      route: 'DELETE /api/fieldfare/v1/admin/warning_presets/:id',
      result: Done,
      destroys: (input) => `remove the text ${input.id}`,
      lines: (_result, input) => [`Done: remove ${input.id}.`],
    },
  ],
})
