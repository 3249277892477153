import {
  createOAuthAPIClient,
  createRestAPIClient,
  createStreamingAPIClient,
  MastoHttpError,
  type mastodon,
} from 'masto'
import { newAddress } from './address'
import { origin, type Person } from './people'
import { ReceivedEvents } from './received-events'

/** The published client of Elk and Phanpy, signed in as `person`. */
export function mastoOf(person: { readonly token: string }): mastodon.rest.Client {
  return createRestAPIClient({ url: origin, accessToken: person.token, requestInit: fromElsewhere() })
}

export function mastoAnonymous(): mastodon.rest.Client {
  return createRestAPIClient({ url: origin, requestInit: fromElsewhere() })
}

export function mastoOAuth(): mastodon.oauth.Client {
  return createOAuthAPIClient({ url: origin, requestInit: fromElsewhere() })
}

function fromElsewhere() {
  return { headers: { 'CF-Connecting-IP': newAddress() } }
}

/** The failure of a call as masto gives it to an app. */
export async function mastoFailure(call: PromiseLike<unknown>): Promise<MastoHttpError> {
  const failure = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (failure instanceof MastoHttpError) return failure
  throw new Error('The call was expected to fail with an answer', { cause: failure })
}

/** `count` public statuses of a person, oldest first. */
export async function postMany(person: Person, count: number, text: (nth: number) => string) {
  const client = mastoOf(person)
  const ids: string[] = []
  for (let nth = 1; nth <= count; nth += 1)
    ids.push((await client.v1.statuses.create({ status: text(nth) })).id)
  return ids
}

/** The streaming half of the client, on the socket that its instance document names. */
export async function mastoStreamingOf(person: {
  readonly token: string
}): Promise<mastodon.streaming.Client> {
  const { configuration } = await mastoOf(person).v2.instance.fetch()
  return createStreamingAPIClient({
    streamingApiUrl: configuration.urls.streaming,
    accessToken: person.token,
    retry: false,
  })
}

/** Events of a subscription of the client. */
export class MastoLine extends ReceivedEvents {
  /** Settles when the client is closed; rejects with what the client makes of a refusal. */
  readonly ended: Promise<void>

  constructor(subscription: AsyncIterable<mastodon.streaming.Event>) {
    super()
    this.ended = this.#read(subscription)
  }

  async #read(subscription: AsyncIterable<mastodon.streaming.Event>): Promise<void> {
    for await (const { stream, event, payload = null } of subscription) {
      const text = payload === null || typeof payload === 'string' ? payload : JSON.stringify(payload)
      this.note({ stream, event, payload: text })
    }
  }
}
