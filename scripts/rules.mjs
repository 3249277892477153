// `npm run rules -- add "Be kind"`: rules one by one; `npm run settings -- rule=...` replaces them all.
import { parseArgs } from 'node:util'
import { order, stop, targetOptions } from './lib/target.mjs'

const usage = `npm run rules -- COMMAND [--url https://...]

  list                      rules in their order, with ids
  add TEXT [HINT]           behind the others
  change ID [--text TEXT] [--hint HINT]
  translate ID LANGUAGE TEXT [HINT]
  untranslate ID LANGUAGE
  order ID...               all of them, in the order they get
  remove ID                 reports keep what they said about it

Elsewhere than on this machine, SETUP_TOKEN must hold the set-up token of the instance.`

const options = { ...targetOptions, text: { type: 'string' }, hint: { type: 'string' } }
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const [command, ...words] = positionals
const [first, second, third, fourth] = words
const given = Object.fromEntries(
  ['text', 'hint'].filter((name) => name in values).map((name) => [name, values[name]]),
)
const hasOptions = Object.keys(given).length > 0
const send = (verb, body) => order(values, 'POST', `rules/${verb}`, body)
const takes = (least, most) => words.length >= least && words.length <= most

if (command === 'change' && takes(1, 1) && hasOptions) await done('change', { id: first, ...given })
else if (hasOptions) stop(usage)
else if (command === 'list' && takes(0, 0)) await list()
else if (command === 'add' && takes(1, 2)) {
  const { id } = await send('add', wordsOf(first, second))
  console.log(`Added as ${id}.`)
} else if (command === 'translate' && takes(3, 4))
  await done('translate', { id: first, language: second, words: wordsOf(third, fourth) })
else if (command === 'untranslate' && takes(2, 2))
  await done('translate', { id: first, language: second, words: null })
else if (command === 'order' && takes(1, 100)) {
  await send('order', { ids: words })
  console.log('Ordered.')
} else if (command === 'remove' && takes(1, 1)) await done('remove', { id: first })
else stop(usage)

function wordsOf(text, hint) {
  return hint === undefined ? { text } : { text, hint }
}

async function done(verb, body) {
  await send(verb, body)
  console.log(`Done: ${command} ${first}.`)
}

async function list() {
  const { rules } = await send('list', {})
  for (const { id, text, hint, translations } of rules)
    console.log(
      [id, text, hint === '' ? '-' : hint, Object.keys(translations).join(' ')].join('  ').trimEnd(),
    )
  if (rules.length === 0) console.log('There are no rules.')
}
