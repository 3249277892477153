import { inject } from 'vitest'
import { newAddress } from './address'
import { ReceivedEvents } from './received-events'

/** An event source as a program without EventSource reads it. */
export class Source extends ReceivedEvents {
  readonly headers: Headers
  /** Lines that are no part of an event, such as `:thump`. */
  readonly comments: string[] = []
  /** Settles when the server ends it. */
  readonly ended: Promise<void>
  readonly #control: AbortController
  #event: { event: string; data: string[] } = { event: 'message', data: [] }

  constructor(response: Response, control: AbortController) {
    super()
    this.headers = response.headers
    this.#control = control
    this.ended = this.#read(response)
  }

  /** Leaves, as a person does who closes the page. */
  async close(): Promise<void> {
    this.#control.abort()
    await this.ended
  }

  /** The comment, once it came. */
  async commented(text: string): Promise<void> {
    await this.until(text, () => this.comments.includes(text))
  }

  async #read(response: Response): Promise<void> {
    if (response.body === null) throw new Error('The event source has no body')
    const decoder = new TextDecoder()
    let rest = ''
    try {
      for await (const chunk of response.body) {
        rest += decoder.decode(chunk, { stream: true })
        const lines = rest.split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) this.#take(line)
      }
    } catch (failure) {
      if (!this.#control.signal.aborted) throw failure
    }
  }

  #take(line: string): void {
    const { event, data } = this.#event
    if (line === '') {
      if (data.length > 0) this.note({ stream: [], event, payload: data.join('\n') })
      this.#event = { event: 'message', data: [] }
    } else if (line.startsWith('event: ')) this.#event = { event: line.slice(7), data }
    else if (line.startsWith('data: ')) this.#event = { event, data: [...data, line.slice(6)] }
    else {
      this.comments.push(line)
      // A comment is no event, but waits for it have to be checked.
      this.look()
    }
  }
}

/** Asks for the stream at `/api/v1/streaming/<path>`. */
export function askForStream(
  path: string,
  { token, base }: { readonly token?: string; readonly base?: string } = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(new URL(`/api/v1/streaming/${path}`, base ?? inject('origin')), {
    headers: {
      'CF-Connecting-IP': newAddress(),
      Accept: 'text/event-stream',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    ...(signal === undefined ? {} : { signal }),
  })
}

/** Opens the event source at `/api/v1/streaming/<path>`; fails where it is refused. */
export async function openSource(
  path: string,
  options: { readonly token?: string; readonly base?: string } = {},
): Promise<Source> {
  const control = new AbortController()
  const response = await askForStream(path, options, control.signal)
  if (!response.ok) throw new Error(`${path} was refused (${response.status}): ${await response.text()}`)
  return new Source(response, control)
}
