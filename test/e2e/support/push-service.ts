import type { BrowserContext } from 'playwright-core'
import { pushReader } from '../../support/push-reader'

/** Lets the browser subscribe without a push service, which this machine cannot reach, to an address that is taken by none. */
export async function withoutPushService(context: BrowserContext): Promise<void> {
  const { keys } = pushReader(true)
  const endpoint = `https://push.example/${keys.auth}`
  await context.addInitScript(
    ([address, p256dh, auth]) => {
      const bytesOf = (text: string) =>
        Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
          .buffer
      const subscription = {
        endpoint: address,
        getKey: (name: string) => bytesOf(name === 'auth' ? (auth ?? '') : (p256dh ?? '')),
        unsubscribe: async () => {
          localStorage.removeItem('subscribed')
          return true
        },
      }
      const manager = Reflect.get(globalThis, 'PushManager').prototype
      manager.subscribe = async () => {
        localStorage.setItem('subscribed', 'yes')
        return subscription
      }
      manager.getSubscription = async () =>
        localStorage.getItem('subscribed') === null ? null : subscription
    },
    [endpoint, keys.p256dh, keys.auth] as const,
  )
}
