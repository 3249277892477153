import {
  createServer as createPlain,
  type IncomingMessage,
  request as plainRequest,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecure } from 'node:https'
import { type AddressInfo, connect, type Server } from 'node:net'
import type { Duplex } from 'node:stream'
import { selfSigned } from './certificate'
import type { Router } from './router'

/** The way in for a foreign process: it believes to speak https with `*.test` hosts of the whole world. */
export interface Door {
  /** Proxy address for the process. */
  readonly proxy: string
  /** The authority it has to trust. */
  readonly authority: string
  close(): void
}

/** Leads every `host:443` a process asks its proxy for to the router, and sockets to the address of their host. */
export async function openDoor(
  router: Router,
  hosts: readonly string[],
  addressOf?: (host: string) => Promise<string>,
): Promise<Door> {
  const { cert, key } = selfSigned(hosts)
  const secure = createSecure({ cert, key }, (request, response) => void lead(router, request, response))
  const securePort = await listening(secure)
  const sockets = new Set<Duplex>()
  secure.on('upgrade', async (request, socket, head) => {
    if (addressOf === undefined) {
      socket.destroy()
      return
    }
    const { host, hostname, port } = new URL(await addressOf(request.headers.host ?? ''))
    const inner = connect(Number(port), hostname, () => {
      // Wrangler puts its own origin in place of the host that is asked, in all headers: the page's has to stay.
      const lines = Object.entries({ ...request.headers, host }).map(([name, value]) => `${name}: ${value}`)
      inner.write([`GET ${request.url} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
      inner.write(head)
      inner.pipe(socket).pipe(inner)
    })
    sockets.add(inner).add(socket)
    inner.on('error', () => socket.destroy())
    socket.on('error', () => inner.destroy())
  })
  const proxy = createPlain()
  proxy.on('connect', (_request, socket, head) => {
    const inner = connect(securePort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      inner.write(head)
      inner.pipe(socket).pipe(inner)
    })
    for (const [one, other] of [[inner, socket] as const, [socket, inner] as const]) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => sockets.delete(one))
    }
  })
  const proxyPort = await listening(proxy)
  const close = () => {
    for (const socket of sockets) socket.destroy()
    for (const server of [proxy, secure]) {
      server.closeAllConnections()
      server.close()
    }
  }
  return { proxy: `http://127.0.0.1:${proxyPort}`, authority: cert, close }
}

/** Asks a process on a loopback port as a reverse proxy in front of it would. */
export function askPort(port: number, host: string, request: Request): Promise<Response> {
  return new Promise((resolve, reject) => {
    const url = new URL(request.url)
    const headers = { ...Object.fromEntries(request.headers), host, 'x-forwarded-proto': 'https' }
    const order = {
      port,
      host: '127.0.0.1',
      method: request.method,
      path: url.pathname + url.search,
      headers,
    }
    const outgoing = plainRequest(order, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => resolve(responseOf(answer, Buffer.concat(chunks))))
    })
    outgoing.on('error', reject)
    request.arrayBuffer().then((body) => outgoing.end(Buffer.from(body)), reject)
  })
}

function responseOf(answer: IncomingMessage, body: Buffer): Response {
  const status = answer.statusCode ?? 500
  const bare = status === 204 || status === 304
  return new Response(bare ? null : new Uint8Array(body), { status, headers: headersOf(answer) })
}

async function lead(router: Router, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  try {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { method = 'GET', url = '/' } = incoming
    const body = method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(Buffer.concat(chunks)) }
    const address = new URL(url, `https://${incoming.headers.host}`)
    const answer = await router.route(new Request(address, { method, headers: headersOf(incoming), ...body }))
    const cookies = answer.headers.getSetCookie()
    const several = cookies.length > 0 ? { 'set-cookie': cookies } : {}
    outgoing.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...several })
    outgoing.end(Buffer.from(await answer.arrayBuffer()))
  } catch {
    outgoing.destroy()
  }
}

function headersOf({ headers }: IncomingMessage): Headers {
  const made = new Headers()
  for (const [name, value] of Object.entries(headers))
    for (const one of Array.isArray(value) ? value : [value ?? '']) made.append(name, one)
  return made
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address: AddressInfo | string | null = server.address()
      if (address === null || typeof address === 'string') reject(new Error('The server has no port'))
      else resolve(address.port)
    })
  })
}
