// `npm run emojis -- list`: the custom emojis of this server, and what to do with them.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { order, stop, targetOptions } from './lib/target.mjs'

const usage = `npm run emojis -- COMMAND [--url https://...]

  list                        the custom emojis of this server
  add SHORTCODE FILE          a PNG, GIF or WebP of at most 256 KB
  copy SHORTCODE DOMAIN       one of another server
  category SHORTCODE [NAME]   where pickers show it; without a name nowhere in particular
  disable SHORTCODE           out of use, in what was written with it too; enable SHORTCODE ends that
  hide SHORTCODE              pickers offer it no more, texts still show it; show SHORTCODE ends that
  remove SHORTCODE            gone with its picture

add and copy take [--category NAME].
Elsewhere than on this machine, SETUP_TOKEN must hold the set-up token of the instance.`

const options = { ...targetOptions, category: { type: 'string' } }
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const [command, shortcode, detail, ...more] = positionals
const category = values.category ?? null
const said = {
  disable: 'out of use',
  enable: 'in use again',
  hide: 'in no picker',
  show: 'in pickers again',
  remove: 'gone',
}

if (more.length > 0) stop(usage)
else if (command === 'list' && shortcode === undefined) await list()
else if (shortcode === undefined) stop(usage)
else if (command === 'add' && detail !== undefined) {
  await order(values, 'POST', 'emojis/add', { shortcode, category, picture: pictureIn(detail) })
  console.log(`:${shortcode}: is in use.`)
} else if (command === 'copy' && detail !== undefined) {
  await order(values, 'POST', 'emojis/copy', { shortcode, category, domain: detail })
  console.log(`:${shortcode}: of ${detail} is in use here.`)
} else if (command === 'category') {
  await order(values, 'POST', 'emojis/category', { shortcode, category: detail ?? null })
  console.log(`:${shortcode}: is under ${detail ?? 'no heading'}.`)
} else if (Object.hasOwn(said, command ?? '') && detail === undefined) {
  await order(values, 'POST', `emojis/${command}`, { shortcode })
  console.log(`:${shortcode}: is ${said[command]}.`)
} else stop(usage)

function pictureIn(file) {
  try {
    return readFileSync(file).toString('base64')
  } catch (failure) {
    return stop(`${file} cannot be read: ${failure.message}`)
  }
}

async function list() {
  const { emojis } = await order(values, 'POST', 'emojis/list', {})
  for (const { shortcode: name, category: heading, url, ...emoji } of emojis)
    console.log([name, heading ?? '-', stateOf(emoji), url].join('  '))
  if (emojis.length === 0) console.log('This server has no custom emojis yet.')
}

function stateOf({ disabled, visible_in_picker: isOffered }) {
  if (disabled) return 'out of use'
  return isOffered === false ? 'in no picker' : 'in use'
}
