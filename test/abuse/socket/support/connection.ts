import { connect, type Socket } from 'node:net'
import { inject } from 'vitest'

export interface RawRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A connection that sends what a test says and nothing else, not even to the end. */
export class RawConnection {
  readonly #socket: Socket
  /** The status of the first answer; rejects where the connection ends without one. */
  readonly status: Promise<number>

  constructor(request: RawRequest) {
    const { hostname, host, port } = new URL(inject('origin'))
    this.#socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname)
    this.status = statusOf(this.#socket)
    // A connection that is closed before it was answered is no failure of the test that closed it.
    this.status.catch(() => 0)
    const { method = 'POST', path, headers = {} } = request
    const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}`)
    this.#socket.write([`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
  }

  /** Sends a part of the body; settles when it has left this process. */
  send(part: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#socket.write(part, () => resolve()))
  }

  close(): void {
    this.#socket.destroy()
  }
}

function statusOf(socket: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = ''
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1')
      const status = /^HTTP\/1\.1 (\d{3})/.exec(received)?.[1]
      if (status !== undefined) resolve(Number(status))
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The connection ended without an answer')))
  })
}
