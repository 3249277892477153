import { inject } from 'vitest'
import { administer } from './administer'

/** The server of all tests, as operators address it. */
export function ownServer() {
  return { origin: inject('origin'), secrets: { SETUP_TOKEN: inject('setupToken') } }
}

/** Calls the server of all tests as an operator's command does; anything but 200 fails. */
export function operate(method: string, path: string, body: object): Promise<unknown> {
  return administer(ownServer(), method, path, body)
}

const minuteMilliseconds = 60_000

/** Fires the crons of the last hour, over whose minutes all periodic tasks are spread. */
export async function runPeriodicTasks(origin = inject('origin')): Promise<void> {
  const now = Date.now()
  for (let ago = 59; ago >= 0; ago -= 1) {
    const address = new URL('/cdn-cgi/local/scheduled', origin)
    address.searchParams.set('cron', '* * * * *')
    address.searchParams.set('time', String(now - ago * minuteMilliseconds))
    const answer = await fetch(address)
    if (!answer.ok) throw new Error(`The periodic work failed (${answer.status}): ${await answer.text()}`)
    await answer.arrayBuffer()
  }
}
