import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { createServer, request as secureRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { vi } from 'vitest'
import { root } from '../../../scripts/lib/server.mjs'
import { hangLimit } from '../../support/hang-limit'
import { selfSigned } from '../federation/support/certificate'
import { freePort } from './instance'

export interface Door {
  readonly port: number
  close(): void
}

export const hasCaddy = spawnSync('caddy', ['version']).status === 0

/** Caddy with the file that the documents show, for another port and with a certificate of its own making. */
export async function openCaddy(host: string, to: number): Promise<Door> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldfare-caddy-'))
  const port = await freePort()
  const example = readFileSync(join(root, 'docs/operate/examples/Caddyfile'), 'utf8')
  const options = '{\n\tadmin off\n\tauto_https disable_redirects\n\tlocal_certs\n\tskip_install_trust\n}\n'
  const text = example
    .replace('social.example.org {', `https://${host}:${port} {`)
    .replace('127.0.0.1:8787', `127.0.0.1:${to}`)
  writeFileSync(join(folder, 'Caddyfile'), options + text)
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const args = ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')]
  const child = spawn('caddy', args, { env, stdio: 'ignore' })
  const close = () => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await vi.waitFor(() => through({ port }, host, '/health'), hangLimit)
  } catch (failure) {
    close()
    throw failure
  }
  return { port, close }
}

export const hasNginx = spawnSync('nginx', ['-v']).status === 0

/** Nginx with the file that the documents show, for other ports and with a certificate of its own. */
export async function openNginx(host: string, to: number): Promise<Door> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldfare-nginx-'))
  const [port, plain] = [await freePort(), await freePort()]
  const { cert, key } = selfSigned([host])
  writeFileSync(join(folder, 'fullchain.pem'), cert)
  writeFileSync(join(folder, 'privkey.pem'), key)
  const site = readFileSync(join(root, 'docs/operate/examples/nginx.conf'), 'utf8')
    .replaceAll(/^\s*listen \[::\].*$/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replaceAll('/etc/letsencrypt/live/social.example.org', folder)
    .replaceAll('social.example.org', host)
    .replace('127.0.0.1:8787', `127.0.0.1:${to}`)
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const text = `daemon off; pid ${folder}/pid; error_log ${folder}/errors;
events {}
http { ${places.join(' ')} ${site} }`
  writeFileSync(join(folder, 'nginx.conf'), text)
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  const close = () => {
    child.kill('SIGTERM')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await vi.waitFor(() => through({ port }, host, '/health'), hangLimit)
  } catch (failure) {
    close()
    throw failure
  }
  return { port, close }
}

/** A proxy that does what the Caddyfile says: ends TLS, keeps the host, names the client. */
export async function openDoor(host: string, to: number, { cert, key } = selfSigned([host])): Promise<Door> {
  const port = await freePort()
  const inner = ({ headers, method, url, socket }: IncomingMessage) =>
    plainRequest({
      host: '127.0.0.1',
      port: to,
      method,
      path: url,
      headers: { ...headers, 'x-forwarded-for': socket.remoteAddress },
    })
  const server = createServer({ cert, key }, (request, response) => {
    const outgoing = inner(request)
    outgoing.on('error', () => response.destroy())
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    request.pipe(outgoing)
  })
  const sockets = new Set<Duplex>()
  server.on('upgrade', (request, socket: Duplex) => {
    const outgoing = inner(request)
    outgoing.on('upgrade', (answer, other) => {
      const lines = answer.rawHeaders.flatMap((name, at, all) => (at % 2 ? [] : [`${name}: ${all[at + 1]}`]))
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`)
      sockets.add(socket).add(other)
      for (const one of [socket, other]) one.on('error', () => one.destroy())
      socket.pipe(other).pipe(socket)
    })
    outgoing.on('error', () => socket.destroy())
    outgoing.end()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    server.close()
  }
  return { port, close }
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

/** The answer to a visitor of `https://host` whose name leads to the door. */
export function through(
  { port }: Pick<Door, 'port'>,
  host: string,
  path: string,
  { method = 'GET', headers = {}, body = '' } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const order = { host: '127.0.0.1', port, servername: host, path, method, rejectUnauthorized: false }
    const request = secureRequest({ ...order, headers: { ...headers, host } }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** The first bytes of an event source. */
export function firstEvent({ port }: Pick<Door, 'port'>, host: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const order = { host: '127.0.0.1', port, servername: host, path, rejectUnauthorized: false }
    const request = secureRequest({ ...order, headers: { host, accept: 'text/event-stream' } }, (answer) => {
      answer.once('data', (chunk: Buffer) => {
        resolve(chunk.toString())
        request.destroy()
      })
      answer.on('error', reject)
    })
    request.on('error', reject)
    request.end()
  })
}
