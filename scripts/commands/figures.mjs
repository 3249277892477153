import * as z from 'zod'
import { count, declareGroup, given, id, oneOf, option, several } from '../lib/command-line/declare.mjs'

const ofServer = ['active_users', 'new_users', 'interactions', 'opened_reports', 'resolved_reports']
const ofTag = ['tag_accounts', 'tag_uses', 'tag_servers', 'tag_languages']
const measures = [
  ...ofServer,
  ...ofTag.slice(0, 3),
  ...['accounts', 'media_attachments', 'reports', 'statuses', 'follows', 'followers'].map(
    (name) => `instance_${name}`,
  ),
]
const dimensions = [
  'languages',
  'sources',
  'servers',
  'space_usage',
  'software_versions',
  'tag_servers',
  'tag_languages',
  'instance_accounts',
  'instance_languages',
]
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day, as 2026-12-24')
const period = {
  from: option('DAY', 'First day; thirty days before the last one otherwise', day),
  until: option('DAY', 'Last day; today otherwise', day),
}
const subject = {
  tag: option('ID', 'Id of a hashtag, for tag_ figures', id),
  domain: option('HOST', 'Server, for instance_ figures'),
}

const Measure = z.object({
  key: z.string(),
  unit: z.string().nullable(),
  total: z.string(),
  previous_total: z.string().optional(),
  data: z.array(z.object({ date: z.string(), value: z.string() })),
})
const Dimension = z.object({
  key: z.string(),
  data: z.array(z.object({ key: z.string(), human_key: z.string().nullable(), value: z.string() })),
})
const Cohort = z.object({
  period: z.string(),
  frequency: z.string(),
  data: z.array(z.object({ date: z.string(), rate: z.number(), value: z.string() })),
})

export const group = declareGroup({
  name: 'figures',
  summary: 'Figures about the server, hashtags and other servers, as the dashboard shows them',
  commands: [
    {
      name: 'measures',
      summary: 'Numbers by day, those of the server where none is named',
      args: [several('KEY', measures.join(', '), oneOf(...measures), 0)],
      options: { ...period, ...subject },
      calls: ['POST /api/v1/admin/measures'],
      result: z.object({ measures: z.array(Measure) }),
      run: async ({ input, instance }) => {
        const keys = input.key.length === 0 ? ofServer : input.key
        return { measures: await instance.call('POST', '/api/v1/admin/measures', order(keys, input)) }
      },
      lines: ({ measures: found }) =>
        found.flatMap(({ key, total, previous_total: before, data }) => [
          `${key}  ${total}${before === undefined ? '' : ` (${before} before)`}`,
          ...data.map(({ date, value }) => `  ${date.slice(0, 10)}  ${value}`),
        ]),
    },
    {
      name: 'dimensions',
      summary: 'What there is most of',
      args: [several('KEY', dimensions.join(', '), oneOf(...dimensions))],
      options: { ...period, ...subject, limit: option('NUMBER', 'Entries of each', count) },
      calls: ['POST /api/v1/admin/dimensions'],
      result: z.object({ dimensions: z.array(Dimension) }),
      run: async ({ input, instance }) => {
        const body = { ...order(input.key, input), ...given({ limit: input.limit }) }
        return { dimensions: await instance.call('POST', '/api/v1/admin/dimensions', body) }
      },
      lines: ({ dimensions: found }) =>
        found.flatMap(({ key, data }) => [
          key,
          ...data.map((entry) => `  ${entry.human_key ?? entry.key}  ${entry.value}`),
        ]),
    },
    {
      name: 'retention',
      summary: 'How many of those who joined were active later',
      options: {
        ...period,
        by: option('PERIOD', 'day, as otherwise, or month', oneOf('day', 'month')),
      },
      calls: ['POST /api/v1/admin/retention'],
      result: z.object({ cohorts: z.array(Cohort) }),
      run: async ({ input, instance }) => {
        const body = { ...order([], input), frequency: input.by ?? 'day' }
        return { cohorts: await instance.call('POST', '/api/v1/admin/retention', body) }
      },
      lines: ({ cohorts }) =>
        cohorts.map(
          ({ period: joined, data }) =>
            `${joined.slice(0, 10)}  ${data.map(({ rate }) => `${Math.round(rate * 100)}%`).join(' ')}`,
        ),
    },
  ],
})

/** The body of a request for figures: each key with its subject. */
function order(keys, { from, until, tag, domain }) {
  const subjects = keys.flatMap((key) => {
    if (ofTag.includes(key)) return tag === undefined ? [] : [[key, { id: tag }]]
    return key.startsWith('instance_') && domain !== undefined ? [[key, { domain }]] : []
  })
  return { keys, ...Object.fromEntries(subjects), ...given({ start_at: from, end_at: until }) }
}
