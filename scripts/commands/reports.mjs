import * as z from 'zod'
import {
  arg,
  commas,
  Done,
  declareGroup,
  flag,
  given,
  id,
  oneOf,
  option,
  optional,
} from '../lib/command-line/declare.mjs'
import { plain, plainLines } from '../lib/command-line/text.mjs'

const Account = z.object({ username: z.string(), domain: z.string().nullable() })
const Report = z.object({
  id: z.string(),
  created_at: z.string(),
  category: z.string(),
  comment: z.string(),
  action_taken: z.boolean(),
  account: Account,
  target_account: Account,
  assigned_account: Account.nullable(),
  rules: z.array(z.object({ id: z.string(), text: z.string() })),
})
/** As Mastodon's API has it. */
const Found = Report.pick({ id: true, created_at: true, category: true, comment: true }).extend({
  action_taken: z.boolean(),
  account: Account,
  target_account: Account,
  assigned_account: Account.nullable(),
})
const categories = ['spam', 'legal', 'violation', 'other']
const Note = z.object({ id: z.string(), created_at: z.string(), content: z.string() })
const Evidence = z.object({
  status_id: z.string(),
  created_at: z.string(),
  url: z.string(),
  content: z.string(),
  spoiler_text: z.string(),
  deleted: z.boolean(),
})
const Collection = z.object({
  url: z.string(),
  name: z.string(),
  description: z.string(),
  members: z.array(z.string()),
  deleted: z.boolean(),
})
const byId = [arg('ID', 'Id of the report', id)]

export const group = declareGroup({
  name: 'reports',
  summary: 'Reports, and decisions about what was reported',
  commands: [
    {
      name: 'list',
      summary: 'Unresolved reports, newest first',
      options: { resolved: flag('Resolved ones instead') },
      calls: ['GET /api/v1/admin/reports'],
      result: z.object({ reports: z.array(Report) }),
      run: async ({ input: { resolved = false }, instance }) => ({
        reports: await instance.every('/api/v1/admin/reports', { limit: 100, resolved }),
      }),
      lines: ({ reports }, { resolved }) => {
        if (reports.length > 0) return reports.map(lineOf)
        return [resolved ? 'No report is resolved.' : 'No report is open.']
      },
    },
    {
      name: 'find',
      summary: 'Reports that meet all conditions, the newest 200',
      options: {
        resolved: flag('Resolved ones instead of open ones'),
        by: option('ID', 'Account that reported', id),
        about: option('ID', 'Account that was reported', id),
        domain: option('HOST', 'Server of the account that was reported'),
      },
      calls: ['GET /api/v1/admin/reports'],
      result: z.object({ reports: z.array(Found) }),
      run: async ({ input: { resolved, by, about, domain }, instance }) => ({
        reports: await instance.call('GET', '/api/v1/admin/reports', {
          limit: 200,
          ...given({ resolved, account_id: by, target_account_id: about, by_target_domain: domain }),
        }),
      }),
      lines: ({ reports }) => (reports.length === 0 ? ['No report is so.'] : reports.map(lineOf)),
    },
    {
      name: 'change',
      summary: 'Gives a report another category, or names the rules that were broken',
      args: byId,
      options: {
        category: option('NAME', categories.join(', '), oneOf(...categories)),
        rules: option('IDS', 'Ids of rules with commas; the category is then violation', commas),
      },
      check: ({ category, rules }) =>
        category === undefined && rules === undefined ? 'Name --category or --rules' : null,
      route: 'PUT /api/v1/admin/reports/:id',
      result: Found,
      body: ({ category, rules }) => given({ category, rule_ids: rules }),
      lines: (report) => [lineOf(report)],
    },
    {
      name: 'show',
      summary: 'A report, with the posts and collections as they were when they were reported',
      args: byId,
      calls: [
        'GET /api/v1/admin/reports/:id',
        'GET /api/fieldfare/v1/admin/reports/:id/evidence',
        'GET /api/fieldfare/v1/admin/reports/:id/collections',
      ],
      result: z.object({ report: Report, evidence: z.array(Evidence), collections: z.array(Collection) }),
      run: async ({ input: { id: report }, instance }) => ({
        report: await instance.call('GET', `/api/v1/admin/reports/${report}`),
        evidence: await instance.admin('GET', `reports/${report}/evidence`),
        collections: await instance.admin('GET', `reports/${report}/collections`),
      }),
      lines: ({ report, evidence, collections }) => [
        lineOf(report),
        ...report.rules.map(({ text }) => plainLines(`  rule: ${text}`)),
        ...evidence.map(evidenceLine),
        ...collections.map(collectionLine),
      ],
    },
    ...[
      ['resolve', 'Closes a report', 'resolved'],
      ['reopen', 'Opens a report again', 'open again'],
    ].map(([name, summary, said]) => ({
      name,
      summary,
      args: byId,
      route: `POST /api/v1/admin/reports/:id/${name}`,
      result: Done,
      lines: (_result, input) => [`Report ${input.id} is ${said}.`],
    })),
    {
      name: 'note',
      summary: 'Notes something about a report, for moderators only',
      args: [...byId, arg('TEXT', 'What others should know')],
      route: 'POST /api/fieldfare/v1/admin/reports/:id/notes',
      result: Done,
      body: ({ text }) => ({ content: text }),
      lines: (_result, input) => [`It is noted about report ${input.id}.`],
    },
    {
      name: 'notes',
      summary: 'Notes of moderators about a report, the newest 100',
      args: byId,
      route: 'GET /api/fieldfare/v1/admin/reports/:id/notes',
      result: z.object({ notes: z.array(Note) }),
      key: 'notes',
      body: () => ({ limit: 100 }),
      lines: ({ notes }) => (notes.length === 0 ? ['Nothing is noted about it.'] : notes.map(noteLine)),
    },
    {
      name: 'assign',
      summary: 'Gives a report to a moderator',
      args: [...byId, arg('NAME', 'Username of the moderator, or none')],
      calls: ['POST /api/fieldfare/v1/admin/reports/:id/assign', 'POST /api/v1/admin/reports/:id/unassign'],
      result: Done,
      run: ({ input: { id: report, name }, instance }) =>
        name === 'none'
          ? instance.call('POST', `/api/v1/admin/reports/${report}/unassign`)
          : instance.admin('POST', `reports/${report}/assign`, { username: name }),
      lines: (_result, { id: report, name }) => [
        name === 'none' ? `Report ${report} is nobody's.` : `Report ${report} is with ${name}.`,
      ],
    },
    ...[
      ['delete-posts', 'Deletes what was reported, for good, and closes the report', 'delete', 'deleted'],
      [
        'mark-posts',
        'Marks what was reported as sensitive, and closes the report',
        'mark_as_sensitive',
        'marked as sensitive',
      ],
    ].map(([name, summary, type, said]) => ({
      name,
      summary,
      args: [...byId, optional('TEXT', 'Text for the author', z.string())],
      route: 'POST /api/fieldfare/v1/admin/reports/:id/statuses/action',
      result: Done,
      ...(type === 'delete'
        ? { destroys: (input) => `delete for good the posts of report ${input.id}` }
        : {}),
      body: ({ text }) => given({ type, text }),
      lines: (_result, input) => [`The posts of report ${input.id} are ${said}, and it is resolved.`],
    })),
  ],
})

function lineOf(report) {
  const { id: name, created_at: at, category, account, target_account: target, comment } = report
  const assigned = report.assigned_account
  const names = `${nameOf(account)} about ${nameOf(target)}`
  const more = [
    ...(assigned === null ? [] : [`with ${assigned.username}`]),
    ...(comment === '' ? [] : [`“${comment}”`]),
  ]
  return plain([name, at.slice(0, 10), category, names, ...more].join('  '))
}

function nameOf({ username, domain }) {
  return domain === null ? username : `${username}@${domain}`
}

function evidenceLine({ created_at: at, content, spoiler_text: warning, deleted, url }) {
  const text = `${warning} ${content.replaceAll(/<[^>]*>/g, ' ')}`
  return plainLines(`  ${at.slice(0, 16)}  ${url}${deleted ? '  (deleted)' : ''}\n    ${text}`)
}

function collectionLine({ name, description, members, deleted, url }) {
  const text = `${name}: ${description.replaceAll(/<[^>]*>/g, ' ')}`
  return plainLines(
    `  collection  ${url}${deleted ? '  (deleted)' : ''}\n    ${text}\n    ${members.join(', ')}`,
  )
}

function noteLine({ id: name, created_at: at, content }) {
  return plain([name, at.slice(0, 16), content].join('  '))
}
