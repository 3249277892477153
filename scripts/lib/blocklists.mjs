// Commands of `npm run domains` about lists of limits: files, subscriptions, exceptions.
import { readFileSync } from 'node:fs'
import { confirm } from './confirm.mjs'
import { stop } from './target.mjs'

export const blocklistUsage = `  import FILE [--overwrite] [--yes]
                            limits from a CSV file in Mastodon's format; --overwrite changes existing ones
  export                    every limit as such a file
  lists                     subscriptions to published lists, fetched every day
  subscribe URL [TITLE]     proposes what the list contains
  changes ID                what a list proposes
  approve ID [CHANGE...]    makes these changes, or all; reject ID [CHANGE...]
  check ID                  fetches a list now
  unsubscribe ID [--lift]   ends a subscription; --lift lifts its limits
  exceptions                domains that no list limits
  except DOMAIN             adds one, with its subdomains; unexcept ID ends that`

/** Commands by name, with the least and the greatest number of words each takes. */
export function blocklistCommands(ask, values, effectsOf) {
  return {
    import: [1, 1, importFile],
    export: [0, 0, exportFile],
    lists: [0, 0, lists],
    subscribe: [1, 2, subscribe],
    changes: [1, 1, changes],
    approve: [1, 500, (id, ...ids) => decide('approve', id, ids)],
    reject: [1, 500, (id, ...ids) => decide('reject', id, ids)],
    check: [1, 1, check],
    unsubscribe: [1, 1, unsubscribe],
    exceptions: [0, 0, exceptions],
    except: [1, 1, except],
    unexcept: [1, 1, unexcept],
  }

  async function importFile(file) {
    const csv = textIn(file)
    const preview = await ask('import/preview', { csv })
    for (const one of preview.added) console.log(`new       ${one.domain}  ${one.severity}`)
    for (const one of preview.conflicts)
      console.log(`conflict  ${one.domain}  ${one.severity}, limited already: ${one.existing}`)
    for (const domain of preview.excepted) console.log(`excepted  ${domain}`)
    console.log(`${preview.unchanged_count} lines change nothing. Suspensions affect ${effectsOf(preview)}.`)
    const { overwrite = false } = values
    const count = preview.added.length + (overwrite ? preview.conflicts.length : 0)
    if (count === 0) return console.log('There is nothing to import.')
    if (!(await confirm(`Import ${count} limits?`, values))) process.exit(1)
    await ask('import', { csv, overwrite })
    console.log(`${count} limits are being made in the background.`)
  }

  async function exportFile() {
    process.stdout.write((await ask('export')).csv)
  }

  async function lists() {
    const found = (await ask('lists')).lists
    for (const one of found) console.log(lineOf(one))
    if (found.length === 0) console.log('There are no subscriptions.')
  }

  async function subscribe(url, title = '') {
    const one = await ask('subscribe', { url, title })
    console.log(`Subscribed: ${one.id}  ${one.title}. Its limits wait for you: changes ${one.id}.`)
  }

  async function changes(id) {
    const found = await ask('changes', { id: Number(id) })
    for (const one of found.changes) console.log(`${one.id}  ${one.change}  ${one.domain}  ${one.severity}`)
    console.log(`${found.count} changes wait. Their suspensions affect ${effectsOf(found)}.`)
    return found
  }

  async function decide(what, id, ids) {
    if (what === 'approve') {
      const { count } = await changes(id)
      const chosen = ids.length === 0 ? `all ${count} changes` : `${ids.length} of them`
      if (!(await confirm(`Approve ${chosen}?`, values))) process.exit(1)
    }
    await ask(what, { id: Number(id), changes: ids.length === 0 ? 'all' : ids.map(Number) })
    console.log(what === 'approve' ? 'Approved: they take effect in the background.' : 'Rejected.')
  }

  async function check(id) {
    await ask('check', { id: Number(id) })
    console.log('The list is being fetched.')
  }

  async function unsubscribe(id) {
    const { lift = false } = values
    if (lift && !(await confirm('All limits of the list are lifted. Go on?', values))) process.exit(1)
    await ask('unsubscribe', { id: Number(id), lift })
    console.log(
      lift ? 'The subscription has ended; its limits are being lifted.' : 'The subscription has ended.',
    )
  }

  async function exceptions() {
    const found = (await ask('exceptions')).exceptions
    for (const one of found) console.log(`${one.id}  ${one.domain}  ${one.comment}`)
    if (found.length === 0) console.log('There are no exceptions.')
  }

  async function except(domain) {
    const one = await ask('except', { domain, comment: values.note ?? '' })
    console.log(`No list limits ${one.domain}.`)
  }

  async function unexcept(id) {
    await ask('unexcept', { id: Number(id) })
    console.log('The exception has ended.')
  }
}

function lineOf(one) {
  const checked = one.checked_at === null ? 'not fetched yet' : `fetched ${one.checked_at.slice(0, 16)}`
  const more = [one.has_pending_changes ? 'has changes to review' : '', one.error ?? ''].filter(
    (text) => text !== '',
  )
  return [one.id, one.title, one.url, checked, ...more].join('  ')
}

function textIn(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (failure) {
    return stop(`${file} cannot be read: ${failure.message}`)
  }
}
