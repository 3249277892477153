import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { keepValues } from '../../scripts/lib/update/kept-values.mjs'

const base = readFileSync('wrangler.toml', 'utf8')
const full = readFileSync('wrangler.full.toml', 'utf8')

/** The configuration with what Cloudflare writes into it. */
const withIds = (text: string) =>
  text
    .replace('name = "fieldfare"', 'name = "birds"')
    .replace('database_name = "fieldfare"', 'database_name = "birds"')
    .replace('migrations_dir = "migrations"', 'migrations_dir = "migrations"\ndatabase_id = "1234-abcd"')
    .replace('bucket_name = "fieldfare-media"', 'bucket_name = "birds-media"')
/** A file as tools write it anew: without comments and empty lines, with other quotes. */
const rewritten = (text: string) =>
  text
    .split('\n')
    .filter((line) => !/^(#|$)/.test(line))
    .join('\n')
    .replaceAll(/= "([^"']*)"$/gm, "= '$1'")
    .replace('compatibility_flags = ["nodejs_compat"]', 'compatibility_flags = [ "nodejs_compat", ]')
    .replace(
      /run_worker_first = \[(.*)\]/,
      (_, list: string) => `run_worker_first = [\n  ${list.replaceAll(', ', ',\n  ')}\n]`,
    )

const next = base
  .replace('compatibility_date = "2026-10-01"', 'compatibility_date = "2027-01-01"')
  .replace('"!/sw.js"', '"!/sw.js", "!/new/*"')
  .concat('\n[[migrations]]\ntag = "v99"\nnew_sqlite_classes = ["Later"]\n')

it('the configuration of the button keeps ids and names, and gets what a release changes', () => {
  expect(next).not.toBe(base)
  expect(keepValues({ base, own: withIds(base), target: next })).toEqual({
    text: withIds(next),
    conflicts: [],
  })
})

it('a file that was written anew is read as what it says', () => {
  const { text, conflicts } = keepValues({ base, own: rewritten(withIds(base)), target: next })
  expect(conflicts).toEqual([])
  // Values of the copy keep its quotes.
  expect(text.replaceAll(/'([^'\n]*)'$/gm, '"$1"')).toBe(withIds(next))
})

it('tables that the operator took from the full configuration stay, and those that were taken out stay away', () => {
  const queues = full.slice(
    full.indexOf('[[queues.producers]]'),
    full.indexOf('[[durable_objects.bindings]]'),
  )
  const own = `${withIds(base).replace(/\[observability\.logs\][^[]*/, '')}\n[vars]\nMAIL_FROM = "post@birds.social"\n\n${queues}`
  const { text, conflicts } = keepValues({ base, own, target: next })
  expect(conflicts).toEqual([])
  expect(text).toContain('[vars]\nMAIL_FROM = "post@birds.social"')
  expect([text.match(/^\[\[queues\.producers\]\]$/gm), text.match(/^\[\[queues\.consumers\]\]$/gm)]).toEqual([
    full.match(/^\[\[queues\.producers\]\]$/gm),
    full.match(/^\[\[queues\.consumers\]\]$/gm),
  ])
  expect(text).not.toContain('[observability.logs]')
  expect(keepValues({ base: next, own: text, target: next }).text).toBe(text)
})

it('a setting that both changed is a conflict, and an id of the operator never is', () => {
  const own = withIds(base).replace('compatibility_date = "2026-10-01"', 'compatibility_date = "2026-11-11"')
  const target = next.replace('bucket_name = "fieldfare-media"', 'bucket_name = "fieldfare-files"')
  const { text, conflicts } = keepValues({ base, own, target })
  expect(conflicts).toEqual(['compatibility_date in its first lines'])
  expect(text).toContain('bucket_name = "birds-media"')
})
