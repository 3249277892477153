// `npm run trends -- list`: what trends here, and what may.
import { parseArgs } from 'node:util'
import { order, stop, targetOptions } from './lib/target.mjs'

const usage = `npm run trends -- COMMAND [--url https://...]

  list                    hashtags, posts and links by how many people use them of late, and which of them are shown
  approve KIND KEY        shows it from now on; reject KIND KEY keeps it out
  hashtag NAME            changes a hashtag, which counts as its review
      [--listable yes|no]     search finds it
      [--usable yes|no]       posts are found by it
      [--trendable yes|no]    it may trend
      [--spelling NAME]       the same name with other capitals

KIND and KEY are: tag NAME, status ID, author NAME@HOST (all posts), link ADDRESS, publisher HOST (all links).
The setting trendableByDefault shows what nobody has looked at; trends=false ends all of it.
Elsewhere than on this machine, SETUP_TOKEN must hold the set-up token of the instance.`

const text = { type: 'string' }
const options = { ...targetOptions, listable: text, usable: text, trendable: text, spelling: text }
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const [command, what, key, ...more] = positionals
const changes = changesOf(values)
const hasChanges = Object.keys(changes).length > 0
const kinds = ['tag', 'status', 'author', 'link', 'publisher']
const said = { approve: 'may trend', reject: 'trends no more' }

if (command === 'hashtag' && what !== undefined && key === undefined && hasChanges) {
  await order(values, 'POST', 'trends/hashtag', { name: what, ...changes })
  console.log(`The hashtag ${what} is changed.`)
} else if (hasChanges) stop(usage)
else if (command === 'list' && what === undefined) await list()
else if (
  Object.hasOwn(said, command ?? '') &&
  kinds.includes(what) &&
  key !== undefined &&
  more.length === 0
) {
  await order(values, 'POST', 'trends/review', { what, key, trendable: command === 'approve' })
  console.log(`${what} ${key} ${said[command]}.`)
} else stop(usage)

function changesOf({ listable, usable, trendable, spelling }) {
  const named = Object.entries({ listable, usable, trendable }).filter(([, word]) => word !== undefined)
  const flags = named.map(([name, word]) => [name, word === 'yes' || (word === 'no' ? false : stop(usage))])
  return { ...Object.fromEntries(flags), ...(spelling === undefined ? {} : { display_name: spelling }) }
}

async function list() {
  const trends = await order(values, 'POST', 'trends/list', {})
  for (const kind of ['tag', 'status', 'link'])
    for (const entry of trends[`${kind}${kind === 'status' ? 'es' : 's'}`]) console.log(lineOf(kind, entry))
  if (Object.values(trends).every((entries) => entries.length === 0)) console.log('Nothing trends.')
}

function lineOf(kind, { key: name, of, words, shown, reviewed }) {
  const state = `${shown ? 'shown' : 'hidden'}${reviewed ? '' : ', not looked at'}`
  return [kind, name, state, of, words].filter((part) => part !== null).join('  ')
}
