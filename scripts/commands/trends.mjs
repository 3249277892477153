import * as z from 'zod'
import { arg, Done, declareGroup, given, oneOf, option, yesNo } from '../lib/command-line/declare.mjs'

const Trend = z.object({
  key: z.string(),
  of: z.string().nullable(),
  shown: z.boolean(),
  reviewed: z.boolean(),
  words: z.string().nullable(),
})
const kinds = { tags: 'tag', statuses: 'status', links: 'link' }
const subject = [
  arg(
    'KIND',
    'tag, status, author (all posts), link or publisher (all links)',
    oneOf('tag', 'status', 'author', 'link', 'publisher'),
  ),
  arg(
    'KEY',
    'Name of the tag, id of the status, NAME@HOST of the author, address of the link, host of the publisher',
  ),
]
const changesOf = ({ listable, usable, trendable, spelling }) =>
  given({ listable, usable, trendable, display_name: spelling })

export const group = declareGroup({
  name: 'trends',
  summary: 'Trends of this server, and what may trend',
  notes: ['The setting trendableByDefault shows what nobody has looked at; trends=false ends all of it.'],
  commands: [
    {
      name: 'list',
      summary: 'Hashtags, posts and links by how many people use them of late, and which of them are shown',
      route: 'GET /api/fieldfare/v1/admin/trends',
      result: z.object({ tags: z.array(Trend), statuses: z.array(Trend), links: z.array(Trend) }),
      lines: (trends) => {
        const lines = Object.entries(kinds).flatMap(([list, kind]) =>
          trends[list].map((entry) => lineOf(kind, entry)),
        )
        return lines.length === 0 ? ['Nothing trends.'] : lines
      },
    },
    {
      name: 'refresh',
      summary: 'Counts anew at once what trends, which is done every hour otherwise',
      route: 'POST /api/fieldfare/v1/admin/trends/refresh',
      result: Done,
      lines: () => ['The trends are counted anew.'],
    },
    ...[
      ['approve', 'Shows something from now on', 'may trend'],
      ['reject', 'Keeps something out of the trends', 'trends no more'],
    ].map(([name, summary, said]) => ({
      name,
      summary,
      args: subject,
      route: 'POST /api/fieldfare/v1/admin/trends/review',
      result: Done,
      body: ({ kind, key }) => ({ what: kind, key, trendable: name === 'approve' }),
      lines: (_result, { kind, key }) => [`${kind} ${key} ${said}.`],
    })),
    {
      name: 'hashtag',
      summary: 'Changes a hashtag, which counts as its review',
      args: [arg('NAME', 'Name of the hashtag')],
      options: {
        listable: option('yes|no', 'Whether search finds it', yesNo),
        usable: option('yes|no', 'Whether posts are found by it', yesNo),
        trendable: option('yes|no', 'Whether it may trend', yesNo),
        spelling: option('NAME', 'The same name with other capitals'),
      },
      check: (input) =>
        Object.keys(changesOf(input)).length === 0 ? 'An option has to say what changes' : null,
      calls: ['GET /api/fieldfare/v1/admin/tags/lookup', 'PUT /api/v1/admin/tags/:id'],
      result: Done,
      run: async ({ input, instance }) => {
        const { id } = await instance.admin('GET', 'tags/lookup', { name: input.name })
        return instance.call('PUT', `/api/v1/admin/tags/${id}`, changesOf(input))
      },
      lines: (_result, { name }) => [`The hashtag ${name} is changed.`],
    },
  ],
})

function lineOf(kind, { key, of, words, shown, reviewed }) {
  const state = `${shown ? 'shown' : 'hidden'}${reviewed ? '' : ', not looked at'}`
  return [kind, key, state, of, words].filter((part) => part !== null).join('  ')
}
