// `npm run announcements -- add "..."`: what everybody who signs in is told.
import { parseArgs } from 'node:util'
import { order, stop, targetOptions } from './lib/target.mjs'

const usage = `npm run announcements -- COMMAND [--url https://...]

  list                 what was announced, with ids
  add TEXT             plain text; addresses, mentions, hashtags and custom emojis show as in a post
      [--from TIME --until TIME]  when what it is about begins and ends; afterwards it is shown no more
      [--all-day]                 of these times only the days count
      [--publish TIME]            shown from then on instead of at once
      [--draft]                   stored, and shown to nobody before it is published
  text ID TEXT         another text
  publish ID           now; unpublish ID makes it a draft again
  remove ID            gone with its reactions

TIME is 2026-12-24 or 2026-12-24T18:00Z. Elsewhere than on this machine, SETUP_TOKEN must hold the set-up token of the
instance.`

const options = {
  ...targetOptions,
  from: { type: 'string' },
  until: { type: 'string' },
  publish: { type: 'string' },
  draft: { type: 'boolean', default: false },
  'all-day': { type: 'boolean', default: false },
}
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const [command, subject, text, ...more] = positionals
const said = { publish: 'published', unpublish: 'a draft', remove: 'gone' }

if (more.length > 0 || (text !== undefined && command !== 'text')) stop(usage)
else if (command === 'list' && subject === undefined) await list()
else if (command === 'add' && subject !== undefined) {
  const { id } = await order(values, 'POST', 'announcements/add', {
    text: subject,
    starts_at: values.from,
    ends_at: values.until,
    publish_at: values.publish,
    all_day: values['all-day'],
    ...(values.draft ? { draft: true } : {}),
  })
  console.log(values.draft ? `Stored as ${id}.` : `Announced as ${id}.`)
} else if (command === 'text' && text !== undefined) {
  await order(values, 'POST', 'announcements/text', { id: subject, text })
  console.log(`${subject} reads so now.`)
} else if (Object.hasOwn(said, command ?? '') && subject !== undefined) {
  await order(values, 'POST', `announcements/${command}`, { id: subject })
  console.log(`${subject} is ${said[command]}.`)
} else stop(usage)

async function list() {
  const { announcements } = await order(values, 'POST', 'announcements/list', {})
  for (const { id, text: words, starts_at: from, ends_at: until, published_at: published } of announcements)
    console.log([id, published ?? 'draft', from === null ? '-' : `${from} to ${until}`, words].join('  '))
  if (announcements.length === 0) console.log('Nothing was announced yet.')
}
