import { Buffer } from 'node:buffer'
import { network } from './fediverse/shared-network'
import { type Pushed, pushReader } from './push-reader'

export interface DeviceOptions {
  readonly standard?: boolean
  /** A browser that is signed in, not an app. */
  readonly isBrowser?: boolean
}

let made = 0

/** Somebody's phone with the push service it listens to. */
export function pushDevice({ standard = true, isBrowser = false }: DeviceOptions = {}) {
  made += 1
  const origin = `https://push${made}.test`
  const endpoint = `${origin}/send/${made}`
  const { keys, read } = pushReader(standard, isBrowser)
  const pushed: Pushed[] = []
  const unreadable: unknown[] = []
  let attempts = 0
  let answers: Response[] = []
  network.respond(endpoint, async (request) => {
    attempts += 1
    const refusal = answers.shift()
    if (refusal !== undefined) return refusal
    const body = Buffer.from(await request.arrayBuffer())
    try {
      pushed.push(read(request.headers, body))
    } catch (failure) {
      unreadable.push(failure)
    }
    return new Response(null, { status: 201 })
  })
  return {
    origin,
    endpoint,
    /** As a client hands it to its server. */
    subscription: { endpoint, keys, standard },
    /** Decrypted messages, oldest first. Throws where a message could not be read. */
    get pushed(): readonly Pushed[] {
      for (const failure of unreadable) throw failure
      return pushed
    },
    attempts: () => attempts,
    /** Lets the next requests be answered so. */
    refuse: (...refusals: readonly Response[]) => {
      answers = [...answers, ...refusals]
    },
  }
}
export type PushDevice = ReturnType<typeof pushDevice>
