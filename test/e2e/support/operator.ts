import { inject } from 'vitest'
import { setup } from '../../../scripts/lib/server.mjs'

/** Calls the setup API as an operator's command does; anything but 200 fails. */
export async function operate(method: string, path: string, body: object): Promise<unknown> {
  const server = { origin: inject('origin'), secrets: { SETUP_TOKEN: inject('setupToken') } }
  const answer = await setup(server, method, path, body)
  if (answer.status !== 200)
    throw new Error(`${method} /setup/${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Runs the cron of a full hour, which includes every periodic task. */
export async function atTheHour(): Promise<void> {
  const hour = 3_600_000
  const time = Math.floor(Date.now() / hour) * hour
  const address = new URL('/cdn-cgi/local/scheduled', inject('origin'))
  address.searchParams.set('cron', '* * * * *')
  address.searchParams.set('time', String(time))
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`The periodic work failed (${answer.status}): ${await answer.text()}`)
  await answer.arrayBuffer()
}
