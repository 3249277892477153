import * as z from 'zod'
import { arg, Done, declareGroup, flag, given, id, option, yesNo } from '../lib/command-line/declare.mjs'

const Announcement = z.object({
  id: z.string(),
  text: z.string(),
  starts_at: z.string().nullable(),
  ends_at: z.string().nullable(),
  all_day: z.boolean(),
  published_at: z.string().nullable(),
})
const byId = [arg('ID', 'Id of the announcement', id)]
const text = arg(
  'TEXT',
  'Plain text; addresses, mentions, hashtags and custom emojis show as in a post',
  z.string(),
)

export const group = declareGroup({
  name: 'announcements',
  summary: 'Announcements to everybody who signs in',
  notes: ['TIME is 2026-12-24 or 2026-12-24T18:00Z.'],
  commands: [
    {
      name: 'list',
      summary: 'Announcements with ids',
      calls: ['GET /api/fieldfare/v1/admin/announcements'],
      result: z.object({ announcements: z.array(Announcement) }),
      run: async ({ instance }) => {
        const newestFirst = await instance.every('/api/fieldfare/v1/admin/announcements', { limit: 100 })
        return { announcements: newestFirst.toReversed() }
      },
      lines: ({ announcements }) =>
        announcements.length === 0 ? ['Nothing was announced yet.'] : announcements.map(lineOf),
    },
    {
      name: 'add',
      summary: 'Announces a text',
      args: [text],
      options: {
        from: option('TIME', 'Beginning of what it is about'),
        until: option('TIME', 'End of what it is about; afterwards it is shown no more'),
        'all-day': flag('Only the days of these times count'),
        publish: option('TIME', 'Shown from then on instead of at once'),
        draft: flag('Stored, and shown to nobody before it is published'),
      },
      route: 'POST /api/fieldfare/v1/admin/announcements',
      result: z.object({ id: z.string() }),
      body: (input) =>
        given({
          text: input.text,
          starts_at: input.from,
          ends_at: input.until,
          publish_at: input.publish,
          all_day: input.allDay ?? false,
          published: input.draft ? false : undefined,
        }),
      lines: (result, { draft }) => [draft ? `Stored as ${result.id}.` : `Announced as ${result.id}.`],
    },
    {
      name: 'text',
      summary: 'Gives an announcement another text',
      args: [...byId, text],
      route: 'PUT /api/fieldfare/v1/admin/announcements/:id',
      result: Done,
      body: ({ text: words }) => ({ text: words }),
      lines: (_result, input) => [`${input.id} reads so now.`],
    },
    {
      name: 'times',
      summary: 'Changes when an announcement is shown, and what it is about; a blank time removes it',
      args: byId,
      options: {
        from: option('TIME', 'Beginning of what it is about'),
        until: option('TIME', 'End of what it is about; afterwards it is shown no more'),
        'all-day': option('YES', 'yes: only the days of these times count', yesNo),
        publish: option('TIME', 'Shown from then on'),
      },
      route: 'PUT /api/fieldfare/v1/admin/announcements/:id',
      result: Announcement,
      body: ({ from, until, allDay, publish }) =>
        given({ starts_at: from, ends_at: until, all_day: allDay, publish_at: publish }),
      lines: (announcement) => [lineOf(announcement)],
    },
    ...[
      ['publish', 'Publishes an announcement now', 'published'],
      ['unpublish', 'Makes an announcement a draft again', 'a draft'],
    ].map(([name, summary, said]) => ({
      name,
      summary,
      args: byId,
      route: `POST /api/fieldfare/v1/admin/announcements/:id/${name}`,
      result: Done,
      lines: (_result, input) => [`${input.id} is ${said}.`],
    })),
    {
      name: 'remove',
      summary: 'Removes an announcement with its reactions',
      args: byId,
      route: 'DELETE /api/fieldfare/v1/admin/announcements/:id',
      result: Done,
      destroys: (input) => `remove the announcement ${input.id} with its reactions`,
      lines: (_result, input) => [`${input.id} is gone.`],
    },
  ],
})

function lineOf({ id: name, text: words, starts_at: from, ends_at: until, published_at: published }) {
  return [name, published ?? 'draft', from === null ? '-' : `${from} to ${until}`, words].join('  ')
}
