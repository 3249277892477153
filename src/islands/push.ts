// Page of push notifications: asks for permission when the member turns them on, and sends the address of the browser at its
// push service with the form around the button.
import { find, findAll, wordsIn } from './lib/page'
import { toBytes, toText } from './lib/passkey'

const refusals = ['denied', 'default', 'failed'] as const
type Refusal = (typeof refusals)[number]

/** Subscribes this browser again, since keys of servers change; why not otherwise. */
async function subscribe(key: string): Promise<PushSubscription | Refusal> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission
  try {
    const { pushManager } = await register()
    const former = await pushManager.getSubscription()
    await former?.unsubscribe()
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: toBytes(key) })
  } catch (failure) {
    // A push service that is not reached, and a service worker that does not load.
    if (failure instanceof DOMException || failure instanceof TypeError) return 'failed'
    throw failure
  }
}

async function register(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register('/sw.js')
  return navigator.serviceWorker.ready
}

/** Whether the browser still has its subscription, which it gives up with its permission. */
async function isSubscribed(): Promise<boolean> {
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) != null
}

function prepare(form: HTMLFormElement): void {
  const words = wordsIn(form.dataset, refusals)
  const alert = find(form, '[role=alert]', HTMLElement)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    alert.hidden = true
    const outcome = await subscribe(form.dataset['key'] ?? '')
    if (typeof outcome === 'string') {
      alert.textContent = words(outcome)
      alert.hidden = false
      return
    }
    const field = (name: string) => find(form, `input[name=${name}]`, HTMLInputElement)
    field('endpoint').value = outcome.endpoint
    for (const name of ['p256dh', 'auth'] as const)
      field(name).value = toText(outcome.getKey(name) ?? new ArrayBuffer(0))
    form.submit()
  })
}

/** Ends the subscription in the browser too, so that its push service forgets it. */
function endHere(off: HTMLElement): void {
  const form = find(off, 'form', HTMLFormElement)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const registration = await navigator.serviceWorker.getRegistration()
    await (await registration?.pushManager.getSubscription())?.unsubscribe()
    form.submit()
  })
}

const [form] = findAll(document, 'form[data-push=on]', HTMLFormElement)
if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) {
  for (const off of findAll(document, '[data-push=off]', HTMLElement)) endHere(off)
  if (form !== undefined) {
    prepare(form)
    form.hidden = form.dataset['isOn'] === 'true' && (await isSubscribed())
  }
} else for (const missing of findAll(document, '[data-push=missing]', HTMLElement)) missing.hidden = false
