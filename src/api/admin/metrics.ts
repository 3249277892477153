import * as z from 'zod'
import { AdminCohort, AdminDimension, AdminMeasure } from '../../contract/entities/admin/metrics'
import { Id, Instant, Int, OptionalText, TextList } from '../../contract/scalars'
import { constant, type Query } from '../../db/query'
import { loadCohorts } from '../../domain/metrics/active-days'
import { dayStart, periodOf } from '../../domain/metrics/daily-counters'
import { dimensionKeys, dimensionSubject, loadDimensions, nameSources } from '../../domain/metrics/dimensions'
import { loadMeasures, measureKeys, measureSubject } from '../../domain/metrics/measures'
import { BadRequest, NotFound } from '../../errors'
import { presentCohort, presentDimension, presentMeasure } from '../../view/present/admin-metrics'
import { readEndpoint, staff } from '../endpoint'

const auth = staff('admin:read', 'viewDashboard')

const Range = z.object({ start_at: Instant, end_at: Instant })

const Subject = z.object({ id: Id.optional(), domain: OptionalText }).optional().catch(undefined)

type Subjects = Readonly<Record<string, z.output<typeof Subject>>>

/** A key whose subject is not named. */
class Unnamed {
  constructor(readonly key: string) {}
}

/** A known key with its subject; `null` where the subject is missing. */
interface Order<K> {
  readonly key: K
  readonly tagId?: number | undefined
  readonly domain?: string | undefined
  readonly isNamed: boolean
}

/** Known keys among those that were sent, each once; others are ignored, as in Mastodon. */
function ordersOf<K extends string>(
  sent: readonly string[],
  known: readonly K[],
  subjects: Subjects,
  named: (key: K) => 'tagId' | 'domain' | null,
): Order<K>[] {
  const keys = [...new Set(sent)].flatMap((key) => known.filter((one) => one === key))
  return keys.map((key) => {
    const { id: tagId, domain } = subjects[key] ?? {}
    const subject = named(key)
    const isNamed = subject === null || (subject === 'tagId' ? tagId : domain) !== undefined
    return { key, tagId, domain, isNamed }
  })
}

/** Puts figures to their orders; an order without its subject is said to be. */
function withUnnamed<K extends string, F>(
  orders: readonly Order<K>[],
  load: (named: readonly Order<K>[]) => Query<readonly (F | null)[]>,
): Query<readonly (F | Unnamed | null)[]> {
  const unnamed = orders.find(({ isNamed }) => !isNamed)
  if (unnamed !== undefined) return constant([new Unnamed(unnamed.key)])
  return load(orders)
}

/** Loaded figures: `BadRequest` for a key without its subject, as in Mastodon, and `NotFound` for an unknown hashtag. */
function requireFound<F>(found: readonly (F | Unnamed | null)[]): F[] {
  return found.map((one) => {
    if (one === null) throw new NotFound()
    if (one instanceof Unnamed) throw missing(one.key)
    return one
  })
}

function missing(parameter: string): BadRequest {
  return new BadRequest('parameter_empty', { name: parameter })
}

/** Highest number of entries of a dimension. */
const maxEntries = 80

// The subject of each key is sent under its name: `tag_uses[id]=1`, `instance_accounts[domain]=a.test`.
const measureInput = Range.extend({
  keys: TextList,
  tag_accounts: Subject,
  tag_uses: Subject,
  tag_servers: Subject,
  instance_accounts: Subject,
  instance_media_attachments: Subject,
  instance_reports: Subject,
  instance_statuses: Subject,
  instance_follows: Subject,
  instance_followers: Subject,
})
const dimensionInput = Range.extend({
  keys: TextList,
  limit: Int,
  tag_servers: Subject,
  tag_languages: Subject,
  instance_accounts: Subject,
  instance_languages: Subject,
})

export const adminMetrics = [
  readEndpoint({
    method: 'POST',
    path: '/api/v1/admin/measures',
    summary: 'Figures about the server, hashtags and remote servers by day',
    auth,
    input: measureInput,
    output: z.array(AdminMeasure),
    read: (ctx, { input, now }) => {
      const { keys, start_at: start, end_at: end, ...subjects } = input
      const period = periodOf({ start, end }, now)
      const orders = ordersOf(keys, measureKeys, subjects, measureSubject)
      return withUnnamed(orders, (named) => loadMeasures(ctx, named, period))
    },
    show: (_ctx, { input, found }) => {
      if (input.keys.length === 0) throw missing('keys')
      return requireFound(found).map((measure) =>
        presentMeasure({
          ...measure,
          days: measure.days.map(({ day, value }) => ({ at: dayStart(day), value })),
        }),
      )
    },
  }),
  readEndpoint({
    method: 'POST',
    path: '/api/v1/admin/dimensions',
    summary: 'What there is most of: languages, applications, servers, used space',
    auth,
    input: dimensionInput,
    output: z.array(AdminDimension),
    read: (ctx, { input, now }) => {
      const { keys, start_at: start, end_at: end, limit: most = maxEntries, ...subjects } = input
      const period = periodOf({ start, end }, now)
      const limit = Math.min(maxEntries, Math.max(0, most))
      const orders = ordersOf(keys, dimensionKeys, subjects, dimensionSubject)
      return withUnnamed(orders, (named) => loadDimensions(ctx, named, { period, limit }))
    },
    show: (ctx, { found }) =>
      Promise.all(
        requireFound(found).map(async (dimension) =>
          presentDimension(
            dimension.key === 'sources'
              ? { ...dimension, entries: await nameSources(ctx, dimension) }
              : dimension,
          ),
        ),
      ),
  }),
  readEndpoint({
    method: 'POST',
    path: '/api/v1/admin/retention',
    summary: 'How many of those who joined in a period were active later',
    auth,
    // Anything but a month is a day, as in Mastodon.
    input: Range.extend({ frequency: z.enum(['day', 'month']).catch('day') }),
    output: z.array(AdminCohort),
    read: (ctx, { input, now }) => {
      const start = input.start_at ?? (input.frequency === 'month' ? new Date(0) : undefined)
      return loadCohorts(ctx, periodOf({ start, end: input.end_at }, now), input.frequency)
    },
    show: (_ctx, { found }) => found.map(presentCohort),
  }),
]
