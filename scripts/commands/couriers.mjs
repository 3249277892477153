import * as z from 'zod'
import { arg, declareGroup, everyPage, flag, given } from '../lib/command-line/declare.mjs'

const Courier = z.object({
  host: z.string(),
  pending: z.int(),
  oldest_at: z.string().nullable(),
  next_at: z.string().nullable(),
  failures: z.int(),
  failing_since: z.string().nullable(),
  last_success_at: z.string().nullable(),
  last_error: z.string().nullable(),
  unreachable: z.boolean(),
})
const Host = z.object({
  host: z.string(),
  state: z.enum(['well', 'failing', 'unreachable']),
  last_success_at: z.string().nullable(),
  failing_since: z.string().nullable(),
  failures: z.int(),
  waiting: z.int(),
  oldest_at: z.string().nullable(),
  last_error: z.string().nullable(),
  next_attempt_at: z.string().nullable(),
})
const host = [arg('HOST', 'Host of the other server')]
const Count = z.object({ count: z.int() })

export const group = declareGroup({
  name: 'couriers',
  summary: 'Deliveries to other servers',
  commands: [
    {
      name: 'list',
      summary: 'Servers that deliveries wait for or fail at',
      options: { all: flag('Every server that had deliveries of late') },
      calls: ['GET /api/fieldfare/v1/admin/couriers'],
      result: z.object({ couriers: z.array(Courier) }),
      run: async ({ input, instance, progress }) => {
        let pages = 0
        const couriers = await everyPage(async (after) => {
          const page = await instance.admin('GET', 'couriers', given({ after: after ?? undefined }))
          pages += 1
          progress(pages, page.next === null ? pages : null, 'Pages of inboxes')
          return { entries: page.couriers, next: page.next }
        })
        // Inboxes of one host can be on several pages.
        const byHost = [...new Map(couriers.map((one) => [one.host, one])).values()]
        const isFailing = (one) => one.pending > 0 || one.failures > 0 || one.unreachable
        return { couriers: input.all ? byHost : byHost.filter(isFailing) }
      },
      lines: ({ couriers }) => (couriers.length === 0 ? ['No delivery waits.'] : couriers.map(lineOf)),
    },
    {
      name: 'health',
      summary: 'Servers with their last success, failures and what waits for them',
      options: { failing: flag('Only those that take no deliveries') },
      calls: ['GET /api/fieldfare/v1/admin/delivery_health'],
      result: z.object({ hosts: z.array(Host) }),
      run: async ({ input: { failing = false }, instance }) => {
        const hosts = await everyPage(async (after) => {
          const page = await instance.admin(
            'GET',
            'delivery_health',
            given({ failing, after: after ?? undefined }),
          )
          return { entries: page.hosts, next: page.next }
        })
        return { hosts: [...new Map(hosts.map((one) => [one.host, one])).values()] }
      },
      lines: ({ hosts }) => (hosts.length === 0 ? ['There are none.'] : hosts.flatMap(healthLines)),
    },
    {
      name: 'retry',
      summary: 'Retries the deliveries to a server at once, also after a week of failures',
      args: host,
      route: 'POST /api/fieldfare/v1/admin/couriers/retry',
      result: Count,
      body: (input) => input,
      lines: ({ count }, input) => [`${count} deliveries to ${input.host} are due now.`],
    },
    {
      name: 'drop',
      summary: 'Gives up all deliveries that wait for a server',
      args: host,
      route: 'POST /api/fieldfare/v1/admin/couriers/drop',
      result: Count,
      destroys: (input) => `give up all deliveries that wait for ${input.host}`,
      body: (input) => ({ host: input.host }),
      lines: ({ count }, input) => [`${count} deliveries to ${input.host} were dropped.`],
    },
  ],
})

function lineOf({ host: name, pending, failures, failing_since: since, next_at: next, unreachable }) {
  const state = unreachable
    ? 'given up'
    : failures === 0
      ? 'works'
      : `${failures} failures since ${since ?? 'a moment ago'}`
  return [name, `${pending} wait`, state, ...(next === null ? [] : [`next ${next}`])].join('  ')
}

function healthLines({ host: name, state, ...one }) {
  const since =
    one.last_success_at === null ? 'no success on record' : `last success ${one.last_success_at.slice(0, 16)}`
  if (state === 'well') return [`${name}  well, ${since}`]
  return [
    `${name}  ${state} since ${one.failing_since?.slice(0, 16) ?? 'a moment ago'} (${one.last_error ?? 'unknown'}), ${one.waiting} wait, ${since}`,
    `  retry now: npx fieldfare couriers retry ${name}`,
  ]
}
