import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { freePort } from './instance'

export interface Received {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A server that publishes a blocklist and an emoji, and notes what is sent to it. */
export class OtherServer {
  readonly received: Received[] = []
  readonly host: string
  /** Text of the list at `/list.csv`. */
  list = '#domain,#severity\n'
  readonly #server

  private constructor(port: number) {
    this.host = `127.0.0.1:${port}`
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { url: path = '/', headers, method } = request
      if (method === 'POST') this.received.push({ path, headers, body: Buffer.concat(chunks).toString() })
      const [type, body] = this.#answer(path)
      response.writeHead(type === null ? 404 : 200, { 'Content-Type': type ?? 'text/plain' }).end(body)
    })
  }

  static async open(): Promise<OtherServer> {
    const port = await freePort()
    const server = new OtherServer(port)
    await new Promise<void>((resolve) => server.#server.listen(port, '127.0.0.1', resolve))
    return server
  }

  url(path: string): string {
    return `http://${this.host}${path}`
  }

  at(path: string): readonly Received[] {
    return this.received.filter((one) => one.path === path)
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #answer(path: string): readonly [type: string | null, body: string | Buffer] {
    if (path === '/list.csv') return ['text/csv', this.list]
    if (path === '/wren.png') return ['image/png', readFileSync('test/data/media/rgb.png')]
    if (path === '/api/v1/custom_emojis') {
      const url = this.url('/wren.png')
      return [
        'application/json',
        JSON.stringify([{ shortcode: 'wren', url, static_url: url, visible_in_picker: true }]),
      ]
    }
    return [path === '/hook' || path === '/inbox' ? 'text/plain' : null, '']
  }
}
