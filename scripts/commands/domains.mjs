import { domainToASCII } from 'node:url'
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
import { Problem } from '../lib/problem.mjs'

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
const limits = '/api/v1/admin/domain_blocks'
const allows = '/api/v1/admin/domain_allows'
const previewing = 'GET /api/fieldfare/v1/admin/domain_blocks/preview'
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
      calls: [`GET ${limits}`, `GET ${allows}`, 'GET /api/fieldfare/v1/admin/domain_blocks/suspensions'],
      result: z.object({ limits: z.array(Limit), allowed: z.array(z.string()) }),
      run: async ({ instance }) => {
        const [found, allowed, suspensions] = await Promise.all([
          instance.every(limits, { limit: 390 }),
          instance.every(allows, { limit: 390 }),
          everyPage(async (after) => {
            const { suspensions, next } = await instance.admin(
              'GET',
              'domain_blocks/suspensions',
              after === null ? {} : { after },
            )
            return { entries: suspensions, next }
          }),
        ])
        const progressOf = new Map(
          suspensions.map((one) => [one.domain, { done: one.accounts_done, of: one.accounts_count }]),
        )
        return {
          limits: found.toSorted(byDomain).map((limit) => ({
            ...limit,
            private_comment: limit.private_comment ?? '',
            public_comment: limit.public_comment ?? '',
            suspending: progressOf.get(limit.domain) ?? null,
          })),
          allowed: allowed.toSorted(byDomain).map(({ domain: name }) => name),
        }
      },
      lines: ({ limits: found, allowed }) => {
        const lines = [...found.map(lineOf), ...allowed.map((name) => `${name}  allowed`)]
        return lines.length === 0 ? ['No server is limited, and none is on the list of allowed ones.'] : lines
      },
    },
    {
      name: 'preview',
      summary: 'Accounts and follows that a limit would affect',
      args: domain,
      calls: [previewing],
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
      calls: [previewing, `POST ${limits}`, `PUT ${limits}/:id`],
      result: Done,
      effects: preview,
      effectLines: previewLines,
      destroys: (input) => consequences[input.severity](input.domain),
      run: ({ input, instance, effects }) => {
        const existing = existingLimit(effects)
        const values = given({
          severity: input.severity,
          reject_media: input.rejectMedia,
          reject_reports: input.rejectReports,
          obfuscate: input.obfuscate,
          public_comment: input.comment,
          private_comment: input.note,
        })
        return existing === undefined
          ? instance.call('POST', limits, { domain: input.domain, ...values })
          : instance.call('PUT', `${limits}/${existing.id}`, values)
      },
      lines: (_result, input) => [`${input.domain} is limited: ${input.severity}.`],
    },
    {
      name: 'lift',
      summary: 'Ends a limit',
      args: domain,
      calls: [previewing, `DELETE ${limits}/:id`],
      result: Done,
      run: async (act) => {
        const limit = existingLimit(await preview(act))
        if (limit === undefined) throw new Problem(`${act.input.domain} is not limited.`)
        return act.instance.call('DELETE', `${limits}/${limit.id}`)
      },
      lines: (_result, input) => [`${input.domain} is no longer limited.`],
    },
    {
      name: 'allow',
      summary: 'Lets a server in while LIMITED_FEDERATION is on',
      args: domain,
      calls: [`POST ${allows}`],
      result: Done,
      run: ({ input, instance }) => instance.call('POST', allows, input),
      lines: (_result, input) => [`${input.domain} is allowed.`],
    },
    {
      name: 'disallow',
      summary: 'Lets a server in no longer',
      args: domain,
      calls: [`GET ${allows}`, `DELETE ${allows}/:id`],
      result: Done,
      run: async ({ input, instance }) => {
        const name = domainToASCII(input.domain.trim().toLowerCase())
        const found = (await instance.every(allows, { limit: 390 })).find((one) => one.domain === name)
        if (found === undefined) throw new Problem(`${input.domain} is not on the list of allowed servers.`)
        return instance.call('DELETE', `${allows}/${found.id}`)
      },
      lines: (_result, input) => [`${input.domain} is no longer allowed.`],
    },
    {
      name: 'ended',
      summary: 'Follows that suspensions of servers ended',
      route: 'GET /api/fieldfare/v1/admin/severances',
      result: z.object({ severances: z.array(Severance) }),
      key: 'severances',
      body: () => ({ limit: 100 }),
      lines: ({ severances }) =>
        severances.length === 0
          ? ['No suspension of a server ended follows.']
          : severances.map(severanceLine),
    },
    {
      name: 'restore',
      summary: 'Restores such follows, for 30 days: those by members are requested again',
      args: [arg('ID', 'Id, as ended shows it', numericId)],
      route: 'POST /api/fieldfare/v1/admin/severances/:id/restore',
      result: Severance,
      lines: (one) => [`The follows of ${one.domain} are being restored in the background.`],
    },
    ...blocklistCommands,
  ],
})

async function preview({ input, instance }) {
  const { existing_domain_blocks: existing, ...effects } = await instance.admin(
    'GET',
    'domain_blocks/preview',
    { domain: input.domain },
  )
  return { ...effects, existing }
}

/** The limit on the domain itself that a preview found. */
function existingLimit({ domain: name, existing }) {
  return existing.find((one) => one.domain === name)
}

function byDomain(a, b) {
  return a.domain < b.domain ? -1 : 1
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
