// `npm run relays -- add https://relay.example/inbox`: servers that pass public posts on.
import { parseArgs } from 'node:util'
import { order, stop, targetOptions } from './lib/target.mjs'

const usage = `npm run relays -- COMMAND [--url https://...]

  list          relays with their ids and states: idle, pending, accepted, rejected
  add ADDRESS   subscribes to the relay with this inbox, as https://relay.example/inbox
  enable ID     subscribes again, where it is idle, rejected or has not answered
  disable ID    ends the subscription
  remove ID     ends the subscription and removes it

Elsewhere than on this machine, SETUP_TOKEN must hold the set-up token of the instance.`

const { values, positionals } = parseArgs({ options: targetOptions, allowPositionals: true })
const [command, subject, ...more] = positionals
const send = (verb, body) => order(values, 'POST', `relays/${verb}`, body)
const line = ({ id, state, inbox_url: address }) => [id, state, address].join('  ')

if (command === 'list' && subject === undefined) {
  const { relays } = await send('list', {})
  for (const relay of relays) console.log(line(relay))
  if (relays.length === 0) console.log('There are no relays.')
} else if (subject === undefined || more.length > 0) stop(usage)
else if (command === 'add') console.log(line(await send('add', { inbox_url: subject })))
else if (command === 'enable' || command === 'disable')
  console.log(line(await send(command, { id: subject })))
else if (command === 'remove') {
  await send('remove', { id: subject })
  console.log(`Removed relay ${subject}.`)
} else stop(usage)
