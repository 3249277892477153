import type { PushPolicy } from '../../src/contract/entities/notification'
import type { PushAlert } from '../../src/contract/notification-kinds'
import { as } from './as'
import type { Browser } from './browser'
import type { TestAccount } from './given'
import { type DeviceOptions, pushDevice } from './push-device'

interface Options extends DeviceOptions {
  /** Kinds of alert; every kind when absent. */
  readonly alerts?: readonly PushAlert[]
  readonly policy?: PushPolicy
}

const usual: readonly PushAlert[] = [
  ...(['mention', 'status', 'reblog', 'follow', 'follow_request', 'favourite', 'poll', 'update'] as const),
  ...(['quote', 'quoted_update', 'admin.sign_up', 'admin.report'] as const),
]

/** A phone to which is pushed what the holder of a token is notified of. */
export async function subscribedDevice(holder: TestAccount | string, options: Options = {}) {
  const { alerts = usual, policy = 'all' } = options
  const device = pushDevice(options)
  const data = { alerts: Object.fromEntries(alerts.map((alert) => [alert, true])), policy }
  const answer = await as(holder).post('/api/v1/push/subscription', {
    subscription: device.subscription,
    data,
  })
  if (answer.status !== 200) throw new Error(`The subscription was refused with ${answer.status}`)
  return device
}

/** Push notifications that a signed-in browser has turned on. */
export async function subscribedBrowser(browser: Browser) {
  const device = pushDevice({ isBrowser: true })
  const { endpoint, keys } = device.subscription
  const action = '/settings/push/on'
  const { status, location } = await browser.fill('/settings/push', { endpoint, ...keys }, { action })
  if (status !== 303) throw new Error(`The browser was refused with ${status}`)
  return { ...device, location, pushedTo: () => device.pushed.map(({ message }) => message) }
}
