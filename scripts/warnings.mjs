// `npm run warnings -- add TITLE TEXT`: texts that moderators put into warnings.
import { parseArgs } from 'node:util'
import { order, stop, targetOptions } from './lib/target.mjs'

const usage = `npm run warnings -- COMMAND [--url https://...]

  list                 texts with their ids
  add TITLE TEXT
  change ID [--title TITLE] [--text TEXT]
  remove ID            warnings that were sent keep the text

Elsewhere than on this machine, SETUP_TOKEN must hold the set-up token of the instance.`

const options = { ...targetOptions, title: { type: 'string' }, text: { type: 'string' } }
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const [command, subject, text, ...more] = positionals
const given = Object.fromEntries(
  ['title', 'text'].filter((name) => name in values).map((name) => [name, values[name]]),
)
const hasOptions = Object.keys(given).length > 0
const send = (verb, body) => order(values, 'POST', `warnings/${verb}`, body)

if (more.length > 0 || hasOptions !== (command === 'change')) stop(usage)
else if (command === 'add' && text !== undefined) {
  const { id } = await send('add', { title: subject, text })
  console.log(`Added as ${id}.`)
} else if (text !== undefined) stop(usage)
else if (command === 'list' && subject === undefined) await list()
else if ((command === 'change' || command === 'remove') && subject !== undefined) {
  await send(command, { id: subject, ...given })
  console.log(`Done: ${command} ${subject}.`)
} else stop(usage)

async function list() {
  const { warnings } = await send('list', {})
  for (const { id, title, text: words } of warnings) console.log([id, title || '-', words].join('  '))
  if (warnings.length === 0) console.log('There are no texts.')
}
