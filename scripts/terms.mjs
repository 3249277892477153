// `npm run terms -- publish FILE`: terms of service, their versions and the notice to members.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { order, stop, targetOptions } from './lib/target.mjs'

const usage = `npm run terms -- COMMAND [--url https://...]

  list                    versions with the day they come into force, and whether members were told
  show DAY                text of one
  publish FILE            Markdown
      [--date DAY]        in force from then on; today otherwise
      [--changelog FILE]  Markdown: what changed, for mail and page
      [--notify]          tells members at once
  preview DAY NAME        mails the notice to this member alone
  notify DAY              tells members, once: by mail, and by a page at their next visit with the browser
  cancel DAY              deletes a version that is not in force yet

DAY is 2027-01-31. Elsewhere than on this machine, SETUP_TOKEN must hold the set-up token of the instance.`

const options = {
  ...targetOptions,
  date: { type: 'string' },
  changelog: { type: 'string' },
  notify: { type: 'boolean', default: false },
}
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const [command, subject, name, ...more] = positionals
const send = (verb, body) => order(values, 'POST', `terms/${verb}`, body)
const isPlain = values.date === undefined && values.changelog === undefined && !values.notify

if (more.length > 0 || (name !== undefined && command !== 'preview')) stop(usage)
else if (command === 'publish' && subject !== undefined) await publish()
else if (!isPlain) stop(usage)
else if (command === 'list' && subject === undefined) await list()
else if (subject === undefined) stop(usage)
else if (command === 'show') console.log((await send('show', { date: subject })).text)
else if (command === 'preview' && name !== undefined) {
  await send('preview', { date: subject, username: name })
  console.log(`Mailed to ${name}.`)
} else if (command === 'notify') {
  await send('notify', { date: subject })
  console.log('Members are being told.')
} else if (command === 'cancel') {
  await send('cancel', { date: subject })
  console.log(`The version of ${subject} is gone.`)
} else stop(usage)

async function publish() {
  const { date } = await send('publish', {
    text: read(subject),
    ...(values.changelog === undefined ? {} : { changelog: read(values.changelog) }),
    ...(values.date === undefined ? {} : { date: values.date }),
    ...(values.notify ? { notify: true } : {}),
  })
  console.log(`In force from ${date} on.${values.notify ? ' Members are being told.' : ''}`)
}

async function list() {
  const { versions } = await send('list', {})
  for (const { date, state, characters, notified_at: told, mails, finished_at: finished } of versions) {
    const progress = finished === null ? `${mails} mails so far` : `${mails} mails`
    const notice = told === null ? 'members not told' : `told ${told}, ${progress}`
    console.log([date, state, `${characters} characters`, notice].join('  '))
  }
  if (versions.length === 0) console.log('There are no terms of service.')
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (failure) {
    return stop(`${file} cannot be read: ${failure.code}`)
  }
}
