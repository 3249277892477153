import * as z from 'zod'
import { arg, Done, declareGroup, flag, given, option, readTextFile } from '../lib/command-line/declare.mjs'

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day, as 2027-01-31')
const Version = z.object({
  date: z.string(),
  state: z.string(),
  characters: z.int(),
  notified_at: z.string().nullable(),
  mails: z.int(),
  finished_at: z.string().nullable(),
})

export const group = declareGroup({
  name: 'terms',
  summary: 'Terms of service, their versions and the notice to members',
  commands: [
    {
      name: 'list',
      summary: 'Versions with the day they come into force, and whether members were told',
      calls: ['POST /setup/terms/list'],
      result: z.object({ versions: z.array(Version) }),
      run: ({ instance }) => instance.setup('terms/list'),
      lines: ({ versions }) =>
        versions.length === 0 ? ['There are no terms of service.'] : versions.map(lineOf),
    },
    {
      name: 'show',
      summary: 'Text of a version',
      args: [arg('DAY', 'Day on which it comes into force', day)],
      calls: ['POST /setup/terms/show'],
      result: z.object({ text: z.string(), changelog: z.string() }),
      run: ({ input, instance }) => instance.setup('terms/show', { date: input.day }),
      lines: ({ text }) => [text],
    },
    {
      name: 'publish',
      summary: 'Publishes a version',
      args: [arg('FILE', 'Markdown')],
      options: {
        date: option('DAY', 'In force from then on; today otherwise', day),
        changelog: option('FILE', 'Markdown: the changes, for mail and page'),
        notify: flag('Tells members at once'),
      },
      calls: ['POST /setup/terms/publish'],
      result: z.object({ date: z.string() }),
      run: ({ input: { file, date, changelog, notify }, instance }) =>
        instance.setup('terms/publish', {
          text: readTextFile(file),
          ...(changelog === undefined ? {} : { changelog: readTextFile(changelog) }),
          ...given({ date, notify: notify || undefined }),
        }),
      lines: ({ date }, { notify }) => [
        `In force from ${date} on.${notify ? ' Members are being told.' : ''}`,
      ],
    },
    {
      name: 'preview',
      summary: 'Mails the notice about a version to one member alone',
      args: [arg('DAY', 'Day on which it comes into force', day), arg('NAME', 'Username of the member')],
      calls: ['POST /setup/terms/preview'],
      result: Done,
      run: ({ input: { day: date, name }, instance }) =>
        instance.setup('terms/preview', { date, username: name }),
      lines: (_result, { name }) => [`Mailed to ${name}.`],
    },
    {
      name: 'notify',
      summary: 'Tells members, once: by mail, and by a page at their next visit with the browser',
      args: [arg('DAY', 'Day on which it comes into force', day)],
      calls: ['POST /setup/terms/notify'],
      result: Done,
      run: ({ input, instance }) => instance.setup('terms/notify', { date: input.day }),
      lines: () => ['Members are being told.'],
    },
    {
      name: 'cancel',
      summary: 'Deletes a version that is not in force yet',
      args: [arg('DAY', 'Day on which it comes into force', day)],
      calls: ['POST /setup/terms/cancel'],
      result: Done,
      destroys: (input) => `delete the version of ${input.day}`,
      run: ({ input, instance }) => instance.setup('terms/cancel', { date: input.day }),
      lines: (_result, input) => [`The version of ${input.day} is gone.`],
    },
  ],
})

function lineOf({ date, state, characters, notified_at: told, mails, finished_at: finished }) {
  const progress = finished === null ? `${mails} mails so far` : `${mails} mails`
  const notice = told === null ? 'members not told' : `told ${told}, ${progress}`
  return [date, state, `${characters} characters`, notice].join('  ')
}
