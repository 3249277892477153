import { endpoints } from '../../../src/api'
import { recordCronRun } from '../../../src/domain/health/task-runs'
import { context, fetchApp, routes } from '../../support/test-app'
import { activities, farewells, periodic } from './inbound'
import { type Measurement, worstOf } from './meter'
import { type Asked, pathsOf, requestsOf } from './requests'
import type { LocalRole, World } from './world'
import { deletions, type WriteCase, writes } from './writes'

/** Measured case. All run in order, since some change what later ones meet. */
export interface ScaleCase {
  /** Name in exceptions.json. */
  readonly name: string
  measure(world: World): Promise<Measurement>
}

const callersOf = {
  anyone: [null, 'reader'],
  user: ['reader'],
  staff: ['owner'],
  token: ['reader'],
  app: [],
} as const

/** Measures every request in turn. */
async function worstRequest(
  { meter }: World,
  asked: readonly Asked[],
  ask: (path: string) => Promise<number | string>,
): Promise<Measurement> {
  const measurements: Measurement[] = []
  for (const { label, path } of asked) measurements.push(await meter.measure(label, () => ask(path)))
  return worstOf(measurements)
}

/** Every endpoint that reads, with its worst parameters. */
const reads: readonly ScaleCase[] = endpoints
  .filter(({ method }) => method === 'GET')
  .map((endpoint) => ({
    name: `reads GET ${endpoint.path}`,
    measure: async (world) => {
      const asked = requestsOf(endpoint, world.instance.facts)
      const askAs = (by: LocalRole | null) => {
        const labelled = asked.map(({ label, path }) => ({ label: `${label} as ${by ?? 'nobody'}`, path }))
        return worstRequest(world, labelled, async (path) => {
          const answered = await world.call(by, 'GET', path)
          // Many of the ids fit only some endpoints.
          return typeof answered === 'string' && !answered.startsWith('5') ? 0 : answered
        })
      }
      const measurements: Measurement[] = []
      for (const by of callersOf[endpoint.auth.kind]) measurements.push(await askAs(by))
      return worstOf(measurements)
    },
  }))

const ofApi = new Set<string>(endpoints.map(({ path }) => path))
const pagePaths = [
  ...new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path)),
].filter(
  (path) =>
    !ofApi.has(path) && !path.includes('*') && !path.startsWith('/media') && !path.includes('streaming'),
)
const forms = { page: 'text/html', document: 'application/activity+json' } as const

/** Every other address, as a page and as a document. */
const pages: readonly ScaleCase[] = pagePaths.map((pattern) => ({
  name: `reads GET ${pattern}`,
  measure: async (world) => {
    const { facts } = world.instance
    // As on a server whose cron runs: /health answers 503 otherwise.
    await recordCronRun(context())
    const queries = [
      '',
      'page=true',
      `page=true&max_id=${facts.statuses.ordinary}`,
      'page=true&min_id=1',
      'q=a',
    ]
    const asked = pathsOf(pattern, facts).flatMap(({ label, path }) =>
      queries.map((query) => ({ label: `${label}?${query}`, path: `${path}?${query}` })),
    )
    const askFor = (form: keyof typeof forms) => {
      const labelled = asked.map(({ label, path }) => ({ label: `${label} ${form}`, path }))
      return worstRequest(world, labelled, (path) => askForPage(world, path, forms[form]))
    }
    return worstOf([await askFor('page'), await askFor('document')])
  },
}))

async function askForPage({ meter }: World, path: string, accept: string): Promise<number | string> {
  const request = new Request(`https://fieldfare.test${path}`, { headers: { accept }, redirect: 'manual' })
  const { response } = await fetchApp(request, meter.overrides)
  const text = await response.text()
  return response.status >= 500 ? `${response.status} ${path}` : text.length
}

const named = (group: string, some: readonly WriteCase[]): readonly ScaleCase[] =>
  some.map(({ name, run }) => ({
    name: `${group} ${name}`,
    measure: (world) => world.meter.measure(name, () => run(world)),
  }))

export const cases: readonly ScaleCase[] = [
  ...reads,
  ...pages,
  ...named('inbound', activities),
  ...named('writes', writes),
  ...named('tasks', periodic),
  ...named('deletions', [...deletions, ...farewells]),
]
