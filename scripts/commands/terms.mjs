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
      calls: ['GET /api/fieldfare/v1/admin/terms'],
      result: z.object({ versions: z.array(Version) }),
      run: async ({ instance }) => ({ versions: versionsOf(await instance.admin('GET', 'terms')) }),
      lines: ({ versions }) =>
        versions.length === 0 ? ['There are no terms of service.'] : versions.map(lineOf),
    },
    {
      name: 'show',
      summary: 'Text of a version',
      args: [arg('DAY', 'Day on which it comes into force', day)],
      route: 'GET /api/fieldfare/v1/admin/terms/:date',
      result: z.object({ text: z.string(), changelog: z.string() }),
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
      calls: ['POST /api/fieldfare/v1/admin/terms'],
      result: z.object({ date: z.string() }),
      run: async ({ input: { file, date, changelog, notify }, instance }) => {
        const published = await instance.admin('POST', 'terms', {
          text: readTextFile(file),
          ...(changelog === undefined ? {} : { changelog: readTextFile(changelog) }),
          ...given({ effective_date: date, notify: notify || undefined }),
        })
        return { date: published.effective_date }
      },
      lines: ({ date }, { notify }) => [
        `In force from ${date} on.${notify ? ' Members are being notified.' : ''}`,
      ],
    },
    {
      name: 'preview',
      summary: 'Mails the notice about a version to one member alone',
      args: [arg('DAY', 'Day on which it comes into force', day), arg('NAME', 'Username of the member')],
      calls: ['POST /api/fieldfare/v1/admin/terms/:date/preview'],
      result: Done,
      run: async ({ input: { day: date, name }, instance }) => {
        // An older instance would mail to the owner whose token this is.
        await instance.requireApi()
        return instance.admin('POST', `terms/${date}/preview`, { acct: name })
      },
      lines: (_result, { name }) => [`Mailed to ${name}.`],
    },
    {
      name: 'notify',
      summary: 'Tells members, once: by mail, and by a page at their next visit with the browser',
      args: [arg('DAY', 'Day on which it comes into force', day)],
      route: 'POST /api/fieldfare/v1/admin/terms/:date/notify',
      result: Done,
      lines: () => ['Members are being notified.'],
    },
    {
      name: 'cancel',
      summary: 'Deletes a version that is not in force yet',
      args: [arg('DAY', 'Day on which it comes into force', day)],
      route: 'DELETE /api/fieldfare/v1/admin/terms/:date',
      result: Done,
      destroys: (input) => `delete the version of ${input.day}`,
      lines: (_result, input) => [`The version of ${input.day} is gone.`],
    },
  ],
})

/** Versions, the latest first as they are answered: of those that have come into force, the first is. */
function versionsOf(found) {
  const current = found.find(({ effective }) => effective)
  return found.map((version) => ({
    date: version.effective_date,
    state: version.effective ? (version === current ? 'in force' : 'past') : 'ahead',
    characters: version.characters,
    notified_at: version.notification_sent_at,
    mails: version.notification_mails,
    finished_at: version.notification_finished_at,
  }))
}

function lineOf({ date, state, characters, notified_at: told, mails, finished_at: finished }) {
  const progress = finished === null ? `${mails} mails so far` : `${mails} mails`
  const notice = told === null ? 'members not told' : `told ${told}, ${progress}`
  return [date, state, `${characters} characters`, notice].join('  ')
}
