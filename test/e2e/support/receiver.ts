import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'
import { hangLimit } from '../../support/hang-limit'

/** A request as it came off the socket. */
export interface ReceivedRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly bytes: Buffer
  /** Status of the response; 0 for none. */
  readonly status: number
}

/** Status for the nth request to a path, counted from 1; 0 keeps the connection open and silent. */
export type Answers = (nth: number) => number

/** An HTTP server on this machine that notes what it receives. */
export class Receiver {
  readonly requests: ReceivedRequest[] = []
  readonly #answers = new Map<string, Answers>()
  readonly #server = createServer((request, response) => {
    // A request that breaks off is none.
    this.#take(request, response).catch(() => response.destroy())
  })

  static async open(): Promise<Receiver> {
    const receiver = new Receiver()
    await new Promise<void>((resolve, reject) => {
      receiver.#server.once('error', reject)
      receiver.#server.listen(0, '127.0.0.1', resolve)
    })
    return receiver
  }

  get host(): string {
    const address: AddressInfo | string | null = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The receiver has no port')
    return `127.0.0.1:${address.port}`
  }

  /** Address of a path; 200 is answered there unless `answers` says otherwise. */
  url(path: string, answers?: Answers): string {
    if (answers === undefined) this.#answers.delete(path)
    else this.#answers.set(path, answers)
    return `http://${this.host}${path}`
  }

  at(path: string): readonly ReceivedRequest[] {
    return this.requests.filter((request) => request.path === path)
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { url: path = '/', headers } = request
    const nth = this.at(path).length + 1
    const status = this.#answers.get(path)?.(nth) ?? 200
    this.requests.push({ path, headers, bytes: Buffer.concat(chunks), status })
    if (status !== 0) response.writeHead(status).end()
  }
}

/** Whether the signature of a request is that of exactly its bytes under the secret, as receivers check it. */
export function isSigned({ headers, bytes }: ReceivedRequest, secret: string): boolean {
  const given = headers['x-hub-signature']
  if (typeof given !== 'string') return false
  const expected = `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
}

/** Polls until `look` no longer throws. */
export function eventually<T>(look: () => T | Promise<T>, timeout: number = hangLimit.timeout): Promise<T> {
  // Most looks are requests, which take the time of what they wait for.
  return vi.waitFor(look, { timeout, interval: 50 })
}
