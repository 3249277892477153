// `npm run reports -- list`: what was reported, and what to do about it.
import { parseArgs } from 'node:util'
import { order, stop, targetOptions } from './lib/target.mjs'

const usage = `npm run reports -- COMMAND [--url https://...]

  list              unresolved reports, newest first
  list resolved     resolved ones
  show ID           one of them, with the posts as they were when they were reported
  resolve ID        closes it; reopen ID opens it again
  assign ID NAME    gives it to a moderator, or to none
  delete-posts ID [TEXT]
                    deletes what was reported, for good, and closes the report
  mark-posts ID [TEXT]
                    marks what was reported as sensitive, and closes the report

Elsewhere than on this machine, SETUP_TOKEN must hold the set-up token of the instance.`

const done = { resolve: 'resolved', reopen: 'open again' }
/** Acts on the posts of a report, which their author is told of with the text. */
const onPosts = {
  'delete-posts': ['delete', 'deleted'],
  'mark-posts': ['mark_as_sensitive', 'marked as sensitive'],
}

const { values, positionals } = parseArgs({ options: targetOptions, allowPositionals: true })
const [command = '', what, name, ...more] = positionals
const isId = /^\d+$/.test(what ?? '') && more.length === 0

if (command === 'list' && name === undefined && (what === undefined || what === 'resolved'))
  await list(what === 'resolved')
else if (command === 'show' && isId && name === undefined) await show(what)
else if (Object.hasOwn(done, command) && isId && name === undefined) {
  await order(values, 'POST', `reports/${command}`, { id: what })
  console.log(`Report ${what} is ${done[command]}.`)
} else if (Object.hasOwn(onPosts, command) && isId) {
  const [type, said] = onPosts[command]
  await order(values, 'POST', `reports/statuses/${type}`, { id: what, ...(name && { text: name }) })
  console.log(`The posts of report ${what} are ${said}, and it is resolved.`)
} else if (command === 'assign' && isId && name !== undefined) {
  await order(values, 'POST', 'reports/assign', { id: what, username: name === 'none' ? null : name })
  console.log(name === 'none' ? `Report ${what} is nobody's.` : `Report ${what} is with ${name}.`)
} else stop(usage)

async function list(resolved) {
  let count = 0
  let before = null
  do {
    const { reports, next } = await order(values, 'POST', 'reports/list', { resolved, before })
    for (const report of reports) console.log(lineOf(report))
    count += reports.length
    before = next
  } while (before !== null)
  if (count === 0) console.log(resolved ? 'No report is resolved.' : 'No report is open.')
}

async function show(id) {
  const { report, evidence } = await order(values, 'POST', 'reports/show', { id })
  console.log(lineOf(report))
  for (const { text } of report.rules) console.log(plain(`  rule: ${text}`))
  for (const { created_at: at, content, spoiler_text: warning, deleted, url } of evidence) {
    const text = `${warning} ${content.replaceAll(/<[^>]*>/g, ' ')}`
    console.log(plain(`  ${at.slice(0, 16)}  ${url}${deleted ? '  (deleted)' : ''}\n    ${text}`))
  }
}

function lineOf(report) {
  const {
    id,
    created_at: at,
    category,
    account,
    target_account: target,
    comment,
    assigned_account: assigned,
  } = report
  const names = `${nameOf(account)} about ${nameOf(target)}`
  const more = [
    ...(assigned === null ? [] : [`with ${assigned.username}`]),
    ...(comment === '' ? [] : [`“${comment}”`]),
  ]
  return plain([id, at.slice(0, 10), category, names, ...more].join('  '))
}

function nameOf({ username, domain }) {
  return domain === null ? username : `${username}@${domain}`
}

/** Strangers write what is reported: nothing of it may steer the terminal. */
function plain(text) {
  return text.replaceAll(/(?!\n)\p{C}/gu, ' ')
}
