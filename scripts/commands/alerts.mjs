import * as z from 'zod'
import { declareGroup } from '../lib/command-line/declare.mjs'

const Alert = z.object({
  cause: z.string(),
  figure: z.int(),
  text: z.string(),
  since: z.string(),
  notified_at: z.string(),
  resolved_at: z.string().nullable(),
})

export const group = declareGroup({
  name: 'alerts',
  summary: 'Alerts about what fails: dead letters, servers, quotas, tasks, backups',
  notes: [
    'The settings alertsWebhook (an https address) and alertsEmail (true: mails to the owners) say where they go.',
  ],
  commands: [
    {
      name: 'list',
      summary: 'What fails, and what failed and is over',
      route: 'GET /api/fieldfare/v1/admin/alerts',
      result: z.object({ alerts: z.array(Alert) }),
      lines: ({ alerts }) => (alerts.length === 0 ? ['Nothing fails.'] : alerts.map(lineOf)),
    },
    {
      name: 'test',
      summary: 'Sends a test to where alerts go',
      route: 'POST /api/fieldfare/v1/admin/alerts/test',
      result: z.object({ count: z.int(), lacks_mail: z.boolean() }),
      lines: ({ count, lacks_mail: lacksMail }) => [
        ...(count > 0 ? [`${count} were queued.`] : []),
        ...(lacksMail
          ? ['alertsEmail is set, but this server sends no mail: docs/operate/configure.md, MAIL_FROM.']
          : []),
        ...(count === 0 && !lacksMail ? ['No alerts are sent: set alertsWebhook or alertsEmail.'] : []),
      ],
    },
    {
      name: 'secret',
      summary: 'Secret that requests to the webhook are signed with (X-Hub-Signature)',
      route: 'GET /api/fieldfare/v1/admin/alerts/secret',
      result: z.object({ secret: z.string() }),
      lines: ({ secret }) => [secret],
    },
  ],
})

function lineOf({ cause, text, since, resolved_at: over }) {
  const until = over === null ? text : `over since ${over.slice(0, 16)}`
  return `${cause}  since ${since.slice(0, 16)}  ${until}`
}
