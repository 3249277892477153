import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api'
import { recordCronRun } from '../../../src/domain/instance/task-runs'
import { scaleOf } from '../../support/scale/figures'
import { context, fetchApp, routes } from '../../support/test-app'
import type { CaseReport, StatementCosts, StatementReport } from './figures'
import { activities, farewells, periodic } from './inbound'
import { worstOf } from './meter'
import { type Asked, pathsOf, requestsOf } from './requests'
import { type LocalRole, type World, worldOf } from './world'
import { deletions, type WriteCase, writes } from './writes'

declare module 'vitest' {
  interface TaskMeta {
    /** Read by scripts/bench/scale/run.mjs out of the JSON report. */
    report?: CaseReport
    statements?: StatementReport
    tables?: readonly string[]
    planChanges?: readonly { readonly before: StatementCosts; readonly after: StatementCosts }[]
  }
}

const scale = scaleOf(env.SCALE)
const timeout = 600_000

let world: World
beforeAll(async () => {
  world = await worldOf(scale)
  if (env.STATISTICS === 'yes') await analyse()
}, timeout)

// Each request leaves a timer for its next turn, of which a runtime has ten thousand.
afterEach(() => new Promise((resolve) => setTimeout(resolve, 0)))

/** Gives the query planner statistics of every table: 0x02 analyses, 0x10000 looks at all tables. */
async function analyse(): Promise<void> {
  await env.DB.prepare('pragma optimize(0x10002)').run()
}

async function reportOf(label: string, work: () => Promise<number | string>): Promise<CaseReport> {
  const measurement = await world.meter.measure(work)
  return { ...measurement, worst: label, dearest: await world.meter.dearest() }
}

/** The dearest of several requests, asked as each caller. */
async function worstRequest(
  callers: readonly (LocalRole | null)[],
  asked: readonly Asked[],
  ask: (by: LocalRole | null, path: string) => Promise<number | string>,
): Promise<CaseReport> {
  const reports: CaseReport[] = []
  for (const by of callers)
    for (const { label, path } of asked)
      reports.push(await reportOf(`${label} as ${by ?? 'nobody'}`, () => ask(by, path)))
  return worstOf(reports)
}

const callersOf = {
  anyone: [null, 'reader'],
  user: ['reader'],
  staff: ['owner'],
  token: ['reader'],
  app: [],
} as const

describe('reads', () => {
  for (const endpoint of endpoints.filter(({ method }) => method === 'GET'))
    it(
      `GET ${endpoint.path}`,
      async ({ task }) => {
        const asked = requestsOf(endpoint, world.instance.facts)
        task.meta.report = await worstRequest(callersOf[endpoint.auth.kind], asked, async (by, path) => {
          const answered = await world.call(by, 'GET', path)
          // Many of the ids fit only some endpoints.
          return typeof answered === 'string' && !answered.startsWith('5') ? 0 : answered
        })
        expect(task.meta.report.failures).toEqual([])
      },
      timeout,
    )

  const ofApi = new Set<string>(endpoints.map(({ path }) => path))
  const pages = [...new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path))].filter(
    (path) =>
      !ofApi.has(path) && !path.includes('*') && !path.startsWith('/media') && !path.includes('streaming'),
  )
  const forms = { page: 'text/html', document: 'application/activity+json' } as const
  for (const path of pages)
    it(
      `GET ${path}`,
      async ({ task }) => {
        const { facts } = world.instance
        // As on a server whose cron runs: /health answers 503 otherwise.
        await recordCronRun(context())
        const asked = pathsOf(path, facts).flatMap(({ label, path: filled }) =>
          ['', 'page=true', `page=true&max_id=${facts.statuses.ordinary}`, 'page=true&min_id=1', 'q=a'].map(
            (query) => ({
              label: `${label}?${query}`,
              path: `${filled}?${query}`,
            }),
          ),
        )
        const reports: CaseReport[] = []
        for (const [form, accept] of Object.entries(forms))
          reports.push(
            await worstRequest(
              [null],
              asked.map(({ label, path: one }) => ({ label: `${label} ${form}`, path: one })),
              async (_by, one) => {
                const request = new Request(`https://fieldfare.test${one}`, {
                  headers: { accept },
                  redirect: 'manual',
                })
                const { response } = await fetchApp(request, world.meter.overrides)
                const text = await response.text()
                return response.status >= 500 ? `${response.status} ${one}` : text.length
              },
            ),
          )
        task.meta.report = worstOf(reports)
        expect(task.meta.report.failures).toEqual([])
      },
      timeout,
    )
})

function measured(title: string, cases: readonly WriteCase[]): void {
  describe(title, () => {
    for (const { name, run } of cases)
      it(
        name,
        async ({ task }) => {
          task.meta.report = await reportOf(name, () => run(world))
          expect(task.meta.report.failures).toEqual([])
        },
        timeout,
      )
  })
}

measured('inbound', activities)
measured('writes', writes)
measured('tasks', periodic)
measured('deletions', [...deletions, ...farewells])

describe('statements', () => {
  it(
    'have plans',
    async ({ task }) => {
      const { results } = await env.DB.prepare("select name from sqlite_master where type = 'table'").all<{
        name: string
      }>()
      task.meta.tables = results.map(({ name }) => name)
      task.meta.statements = await world.meter.statements()
      expect(task.meta.statements.length).toBeGreaterThan(100)
    },
    timeout,
  )

  it(
    'have plans that statistics change',
    async ({ task }) => {
      const before = await world.meter.statements()
      await analyse()
      const after = new Map((await world.meter.statements()).map((one) => [one.text, one]))
      task.meta.planChanges = before.flatMap((one) => {
        const now = after.get(one.text)
        const same = now === undefined || now.plan.join() === one.plan.join()
        return same ? [] : [{ before: one, after: now }]
      })
    },
    timeout,
  )
})
