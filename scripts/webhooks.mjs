// `npm run webhooks -- add https://... EVENT`: addresses that receive what happens here.
import { parseArgs } from 'node:util'
import { order, stop, targetOptions } from './lib/target.mjs'

const usage = `npm run webhooks -- COMMAND [--url https://...]

  list                    webhooks with their ids, states and events
  add ADDRESS EVENT...    EVENT: account.approved, account.created, account.updated, report.created, report.updated,
      [--template TEXT]   status.created, status.updated; prints the secret once
  test ID                 sends a signed event webhook.test and prints the answer
  log ID                  the last 100 deliveries
  enable ID               delivers again, and forgets earlier failures
  disable ID              delivers nothing any more
  rotate ID               gives it a new secret and prints it once
  remove ID               deletes it with its log

Elsewhere than on this machine, SETUP_TOKEN must hold the set-up token of the instance.`

const options = { ...targetOptions, template: { type: 'string' } }
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const [command, subject, ...more] = positionals
const send = (verb, body) => order(values, 'POST', `webhooks/${verb}`, body)

if (command === 'list' && subject === undefined) await list()
else if (command === 'add' && more.length > 0) await add()
else if (subject === undefined || more.length > 0) stop(usage)
else if (command === 'test') await test()
else if (command === 'log') await log()
else if (command === 'rotate')
  console.log(`The new secret: ${(await send('rotate', { id: subject })).secret}`)
else if (['enable', 'disable', 'remove'].includes(command)) {
  await send(command, { id: subject })
  console.log(`Done: ${command} ${subject}.`)
} else stop(usage)

async function list() {
  const { webhooks } = await send('list', {})
  for (const { id, url, events, enabled, failing_since: failing } of webhooks) {
    const state = enabled ? (failing === null ? 'enabled' : `failing since ${failing}`) : 'disabled'
    console.log([id, state, url, events.join(' ')].join('  '))
  }
  if (webhooks.length === 0) console.log('There are no webhooks.')
}

async function add() {
  const { template = '' } = values
  const { id, secret } = await send('add', { url: subject, events: more, template })
  console.log(`Webhook ${id}. Its secret, shown this once: ${secret}`)
}

async function test() {
  const { http_status: status, error } = await send('test', { id: subject })
  console.log(error === null ? `Accepted with ${status}.` : `Not accepted: ${error}.`)
}

async function log() {
  const { deliveries } = await send('log', { id: subject })
  for (const { occurred_at: at, event, state, attempts, http_status: status, error } of deliveries)
    console.log([at, event, state, `attempts ${attempts}`, status ?? '-', error ?? ''].join('  '))
  if (deliveries.length === 0) console.log('Nothing was delivered yet.')
}
