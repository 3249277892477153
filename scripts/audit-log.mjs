// `npm run audit-log`: who did what, with which effect.
import { parseArgs } from 'node:util'
import { order, stop, targetOptions } from './lib/target.mjs'

const usage = `npm run audit-log [-- OPTIONS] [--url https://...]

  --by NAME            acts of one moderator
  --type TYPE          acts on accounts (account), reports (report), settings, rule, role, terms_of_service …
  --id ID              with --type: acts on one of them
  --all                all acts, and not only the last 100
  --json               one entry a line, complete

Elsewhere than on this machine, SETUP_TOKEN must hold the set-up token of the instance.`

const options = {
  ...targetOptions,
  by: { type: 'string' },
  type: { type: 'string' },
  id: { type: 'string' },
  all: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
}
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const { by, type, id } = values
if (
  positionals.length > 0 ||
  (id !== undefined && type === undefined) ||
  (by !== undefined && type !== undefined)
)
  stop(usage)

const filter = Object.fromEntries(Object.entries({ by, type, id }).filter(([, value]) => value !== undefined))
let [before, count] = [null, 0]
do {
  const { entries, next } = await order(values, 'POST', 'audit-log/list', { ...filter, before })
  for (const entry of entries) console.log(values.json ? JSON.stringify(entry) : lineOf(entry))
  count += entries.length
  before = values.all ? next : null
} while (before !== null)
if (count === 0 && !values.json) console.log('Nothing was done yet.')

function lineOf({ created_at: at, username, action, target_type: kind, target_label: label, after }) {
  const change = Object.keys(after).length === 0 ? [] : [JSON.stringify(after)]
  return [at, username || 'the operator', action, kind, label || '-', ...change].join('  ')
}
