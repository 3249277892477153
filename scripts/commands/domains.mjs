import * as z from 'zod'
import { blocklistCommands } from '../lib/command-line/blocklists.mjs'
import {
  arg,
  Done,
  declareGroup,
  everyPage,
  flag,
  given,
  numericId,
  oneOf,
  option,
} from '../lib/command-line/declare.mjs'
import { Effects, effectsOf, Listed } from '../lib/command-line/domain-effects.mjs'

const Limit = Listed.extend({
  private_comment: z.string(),
  created_at: z.string(),
  suspending: z.object({ done: z.int(), of: z.int() }).nullable(),
})
const Preview = Effects.extend({
  domain: z.string(),
  existing: z.array(z.object({ domain: z.string(), severity: z.string() })),
})
const Severance = z.object({
  id: z.string(),
  domain: z.string(),
  following_count: z.int(),
  followers_count: z.int(),
  restorable_until: z.string(),
  restored_at: z.string().nullable(),
  restored_count: z.int(),
})
const domain = [arg('DOMAIN', 'Host of the other server; subdomains are meant too')]
const consequences = {
  suspend: (name) => `exchange nothing with ${name} any more and end all these follows`,
  silence: (name) => `show accounts of ${name} to their followers only`,
  noop: () => '',
}

export const group = declareGroup({
  name: 'domains',
  summary: 'Limits on other servers, lists of them, and servers that are allowed',
  commands: [
    {
      name: 'list',
      summary: 'Limits and allowed servers',
      calls: ['POST /setup/domains/list'],
      result: z.object({ limits: z.array(Limit), allowed: z.array(z.string()) }),
      run: async ({ instance }) => {
        const parts = await everyPage(async (after) => {
          const { next, ...part } = await instance.setup('domains/list', { after })
          return { entries: [part], next }
        })
        return {
          limits: parts.flatMap(({ limits }) => limits),
          allowed: parts.flatMap(({ allowed }) => allowed),
        }
      },
      lines: ({ limits, allowed }) => {
        const lines = [...limits.map(lineOf), ...allowed.map((name) => `${name}  allowed`)]
        return lines.length === 0 ? ['No server is limited, and none is on the list of allowed ones.'] : lines
      },
    },
    {
      name: 'preview',
      summary: 'Accounts and follows that a limit would affect',
      args: domain,
      calls: ['POST /setup/domains/preview'],
      result: Preview,
      run: preview,
      lines: previewLines,
    },
    {
      name: 'limit',
      summary: 'Limits a server and its subdomains; of an existing limit, options that are left out stay',
      args: [
        ...domain,
        arg(
          'SEVERITY',
          'suspend: exchange nothing, end all follows; silence: show to followers only; noop: neither',
          oneOf('suspend', 'silence', 'noop'),
        ),
      ],
      options: {
        'reject-media': flag('Shows none of its pictures; --no-reject-media ends that'),
        'reject-reports': flag('Takes none of its reports'),
        obfuscate: flag('Hides part of its name where limits are published'),
        comment: option('TEXT', 'Published reason'),
        note: option('TEXT', 'Reason for moderators only'),
      },
      calls: ['POST /setup/domains/preview', 'POST /setup/domains/limit'],
      result: Done,
      effects: preview,
      effectLines: previewLines,
      destroys: (input) => consequences[input.severity](input.domain),
      run: ({ input, instance }) =>
        instance.setup(
          'domains/limit',
          given({
            domain: input.domain,
            severity: input.severity,
            reject_media: input.rejectMedia,
            reject_reports: input.rejectReports,
            obfuscate: input.obfuscate,
            public_comment: input.comment,
            private_comment: input.note,
          }),
        ),
      lines: (_result, input) => [`${input.domain} is limited: ${input.severity}.`],
    },
    ...[
      ['lift', 'Ends a limit', 'no longer limited'],
      ['allow', 'Lets a server in while LIMITED_FEDERATION is on', 'allowed'],
      ['disallow', 'Lets a server in no longer', 'no longer allowed'],
    ].map(([name, summary, said]) => ({
      name,
      summary,
      args: domain,
      calls: [`POST /setup/domains/${name}`],
      result: Done,
      run: ({ input, instance }) => instance.setup(`domains/${name}`, input),
      lines: (_result, input) => [`${input.domain} is ${said}.`],
    })),
    {
      name: 'ended',
      summary: 'Follows that suspensions of servers ended',
      calls: ['POST /setup/domains/severances'],
      result: z.object({ severances: z.array(Severance) }),
      run: ({ instance }) => instance.setup('domains/severances'),
      lines: ({ severances }) =>
        severances.length === 0
          ? ['No suspension of a server ended follows.']
          : severances.map(severanceLine),
    },
    {
      name: 'restore',
      summary: 'Restores such follows, for 30 days: those by members are requested again',
      args: [arg('ID', 'Id, as ended shows it', numericId)],
      calls: ['POST /setup/domains/restore'],
      result: Severance,
      run: ({ input, instance }) => instance.setup('domains/restore', input),
      lines: (one) => [`The follows of ${one.domain} are being restored in the background.`],
    },
    ...blocklistCommands,
  ],
})

function preview({ input, instance }) {
  return instance.setup('domains/preview', { domain: input.domain })
}

function previewLines(effects) {
  return [
    `${effects.domain}: ${effectsOf(effects)}.`,
    ...effects.existing.map((one) => `Limited already: ${one.domain}  ${one.severity}`),
  ]
}

function lineOf(one) {
  const more = ['reject_media', 'reject_reports', 'obfuscate'].filter((name) => one[name])
  const { suspending } = one
  if (suspending !== null) more.push(`(${suspending.done} of ${suspending.of} accounts so far)`)
  const comments = [one.public_comment, one.private_comment].filter((text) => text !== '')
  return [one.domain, one.severity, ...more, ...comments.map((text) => `“${text}”`)].join('  ')
}

function severanceLine(one) {
  const state =
    one.restored_at === null
      ? `restorable until ${one.restorable_until.slice(0, 10)}`
      : `${one.restored_count} restored`
  return `${one.id}  ${one.domain}  ${one.following_count} by members, ${one.followers_count} of members  ${state}`
}
