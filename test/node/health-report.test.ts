import { expect, it } from 'vitest'
import { causesIn, healthReport } from '../../scripts/lib/health-report.mjs'

function scene() {
  const lines: string[] = []
  let at = 0
  const report = healthReport(
    (line) => lines.push(line),
    () => at,
  )
  return {
    after: (seconds: number, causes: readonly string[]) => {
      at += seconds * 1_000
      report(causes)
      return lines.splice(0)
    },
  }
}

it('logs a database that refuses writes at once, and its recovery', () => {
  const { after } = scene()
  expect(after(0, ['database'])).toEqual([expect.stringContaining('refuses writes')])
  expect(after(2, ['database'])).toEqual([])
  expect(after(2, [])).toEqual(['The server is well again (database).'])
  expect(after(2, [])).toEqual([])
})

it('logs other causes only when they last, and those of a starting server after its first minute', () => {
  const { after } = scene()
  expect(after(0, ['cron'])).toEqual([])
  expect(after(60, [])).toEqual([])
  expect(after(60, ['cron'])).toEqual([])
  expect(after(119, ['cron'])).toEqual([])
  expect(after(1, ['cron'])).toEqual([expect.stringContaining('periodic tasks')])
})

it('reads the causes that /health names, and none of other responses', async () => {
  const failing = Response.json({ status: 'failing', causes: ['database'] }, { status: 503 })
  expect(await causesIn(failing)).toEqual(['database'])
  expect(await causesIn(new Response('OK'))).toEqual([])
  expect(await causesIn(new Response('<h1>Not set up</h1>', { status: 503 }))).toEqual([])
  expect(await causesIn(Response.json({ error: 'Not set up' }, { status: 503 }))).toEqual([])
})
