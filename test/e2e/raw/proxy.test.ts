import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import * as z from 'zod'
import { quiet, root, setup } from '../../../scripts/lib/server.mjs'
import { freePort } from '../support/instance'
import { MailServer } from '../support/mail-server'
import {
  type Door,
  firstEvent,
  hasCaddy,
  hasNginx,
  openCaddy,
  openDoor,
  openNginx,
  through,
} from '../support/tls-door'

const host = 'hedge.example.org'
const folder = mkdtempSync(join(tmpdir(), 'fieldfare-proxy-'))
const children: ChildProcess[] = []
const mails = new MailServer('wagtail@birds.example')
let port = 0
const doors: { readonly name: string; readonly door: Door }[] = []

/** `npm start` on the folder; resolves with what it said once it is open or has ended. */
async function start(...options: readonly string[]): Promise<string> {
  const args = [join(root, 'scripts/start.mjs'), '--folder', folder, '--port', String(port), ...options]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...quiet },
  })
  children.push(child)
  let words = ''
  return new Promise((resolve) => {
    const note = (chunk: Buffer) => {
      words += chunk
      if (words.includes('Fieldfare is open')) resolve(words)
    }
    child.stdout.on('data', note)
    child.stderr.on('data', note)
    child.once('close', () => resolve(words))
  })
}

beforeAll(async () => {
  port = await freePort()
  const variables = { MAIL_FROM: `mail@${host}`, SMTP_URL: `smtp://127.0.0.1:${await mails.listen()}` }
  writeFileSync(join(folder, 'variables.json'), JSON.stringify(variables))
  const words = await start('--origin', `https://${host}`)
  expect(words).toContain(`Fieldfare is open at http://localhost:${port}, for https://${host}`)
  doors.push({ name: 'a proxy of Node', door: await openDoor(host, port) })
  if (hasNginx) doors.push({ name: 'nginx', door: await openNginx(host, port) })
  if (hasCaddy) doors.push({ name: 'Caddy', door: await openCaddy(host, port) })
})
afterAll(async () => {
  for (const { door } of doors) door.close()
  mails.close()
  for (const child of children) {
    if (child.exitCode !== null) continue
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const here = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)

function operate(method: string, path: string, body: object) {
  const secrets = z
    .object({ SETUP_TOKEN: z.string() })
    .parse(JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')))
  return setup({ origin: `http://localhost:${port}`, secrets }, method, path, body)
}

async function newToken(username: string): Promise<string> {
  const { body } = await operate('POST', 'account', { username })
  return z.object({ token: z.string() }).parse(body).token
}

/** Signs somebody up by the API, from an address of their own. */
async function signUp(username: string, email: string): Promise<number> {
  const headers = { ...json, 'X-Forwarded-For': `203.0.113.${username.length}` }
  const post = (path: string, body: object, more = {}) =>
    here(path, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) })
  const made = await (await post('/api/v1/apps', { ...JSON.parse(app), scopes: 'read write' })).json()
  const { client_id, client_secret } = z
    .object({ client_id: z.string(), client_secret: z.string() })
    .parse(made)
  const grant = { grant_type: 'client_credentials', scope: 'read write', client_id, client_secret }
  const granted = await (await post('/oauth/token', grant)).json()
  const { access_token } = z.object({ access_token: z.string() }).parse(granted)
  const answers = { username, email, password: 'a long enough password', agreement: true, locale: 'en' }
  const answer = await post('/api/v1/accounts', answers, { authorization: `Bearer ${access_token}` })
  return answer.status
}

/** Apps that a visitor registers while they write other addresses into their headers; the limit is five an address. */
async function registrations(register: (forged: string) => Promise<number>): Promise<readonly number[]> {
  const statuses = []
  for (let index = 1; index <= 6; index += 1) statuses.push(await register(`198.51.100.${index}`))
  return statuses
}

const app = JSON.stringify({ client_name: 'An app', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' })
const json = { 'content-type': 'application/json' }

describe('a server behind a proxy that terminates TLS', () => {
  it('a server behind a proxy that terminates TLS uses its public address in links, cookies and transport security', async () => {
    for (const { name, door } of doors) {
      const instance = await through(door, host, '/api/v2/instance')
      expect(instance.status, name).toBe(200)
      expect(JSON.parse(instance.text)).toMatchObject({ domain: host })
      expect(instance.headers['strict-transport-security']).toBe('max-age=63072000')
      const finger = await through(door, host, `/.well-known/webfinger?resource=acct:owner@${host}`)
      expect(finger.text).toContain(`https://${host}/users/`)
      expect(finger.text).not.toContain('localhost')
      const page = await through(door, host, '/auth/sign_in')
      expect(page.status).toBe(200)
      expect(String(page.headers['set-cookie'])).toMatch(/; Secure/)
    }
  })

  it('counts visitors by the address that the proxy saw', async () => {
    for (const { name, door } of doors.slice(-1)) {
      const statuses = await registrations(async (forged) => {
        const headers = {
          ...json,
          'CF-Connecting-IP': forged,
          'X-Forwarded-For': forged,
          'X-Real-IP': forged,
        }
        const answer = await through(door, host, '/api/v1/apps', { method: 'POST', headers, body: app })
        return answer.status
      })
      expect(statuses, name).toEqual([200, 200, 200, 200, 200, 429])
    }
    const several = await registrations(async (address) => {
      const headers = { ...json, 'X-Forwarded-For': `203.0.113.1, ${address}` }
      return (await here('/api/v1/apps', { method: 'POST', headers, body: app })).status
    })
    expect(several).toEqual([200, 200, 200, 200, 200, 200])
  })

  it('streams over sockets and event sources', async () => {
    const token = await newToken('wren')
    for (const { name, door } of doors) {
      const agent = new Agent({ servername: host, rejectUnauthorized: false })
      const address = `wss://127.0.0.1:${door.port}/api/v1/streaming?stream=user&access_token=${token}`
      const socket = new WebSocket(address, { headers: { host }, agent })
      const received = new Promise<string>((resolve, reject) => {
        socket.once('message', (data) => resolve(String(data)))
        socket.once('error', reject)
      })
      await new Promise((resolve) => socket.once('open', resolve))
      const body = JSON.stringify({ status: `Through ${name}` })
      const headers = { ...json, authorization: `Bearer ${token}` }
      const posted = await through(door, host, '/api/v1/statuses', { method: 'POST', headers, body })
      expect(posted.status).toBe(200)
      expect(z.object({ uri: z.string() }).parse(JSON.parse(posted.text)).uri).toMatch(`https://${host}/`)
      expect(await received).toContain(`Through ${name}`)
      socket.close()
      expect(await firstEvent(door, host, `/api/v1/streaming/user?access_token=${token}`)).toMatch(/^:/)
    }
  })

  it('sends mail by its mail server, and handles refusals', async () => {
    await operate('PUT', '/api/fieldfare/v1/admin/settings', { registrations: 'open' })
    expect(await signUp('redwing', 'redwing@birds.example')).toBe(200)
    const mail = await mails.next()
    expect(mail).toMatch(/^From: mail@hedge\.example\.org$/m)
    expect(mail).toMatch(/^To: redwing@birds\.example$/m)
    expect(mail.replaceAll('=\n', '').replaceAll('=3D', '=')).toContain(`https://${host}/auth/confirmation`)
    // Refused for good: the job ends, and is not tried again.
    expect(await signUp('wagtail', 'wagtail@birds.example')).toBe(200)
    await mails.refused
  })

  it('exposes only the Worker: no Miniflare endpoint, bucket or trigger', async () => {
    const paths = ['r2/public/fieldfare-media/x', 'explorer', 'scheduled', 'platform-proxy', 'email']
    for (const path of paths.map((one) => `/cdn-cgi/local/${one}`)) {
      const answer = await here(path)
      expect([answer.status, await answer.text()], path).toEqual([
        404,
        expect.stringContaining('Page not found'),
      ])
      for (const { door } of doors) expect((await through(door, host, path)).status, path).toBe(404)
    }
  })

  it('reports a misconfigured proxy', async () => {
    const { status, text } = await plain({ Host: host })
    expect(status).toBe(503)
    expect(text).toContain('has to add the address of the client to X-Forwarded-For')
    const other = await plain({ Host: 'other.example.org', 'X-Forwarded-For': '203.0.113.7' })
    expect(other.status).toBe(503)
    expect(other.text).toContain(`ORIGIN is https://${host}, but this request came to other.example.org.`)
  })

  it('a server behind a proxy that terminates TLS keeps its address', async () => {
    for (const child of children) child.kill('SIGTERM')
    await new Promise((resolve) => children.at(-1)?.once('exit', resolve))
    expect(await start('--origin', 'https://other.example.org')).toContain(
      `This instance is https://${host}. All ids and links hold that address, so it cannot change.`,
    )
    expect(await start()).toContain(`, for https://${host}`)
    expect((await here('/api/v2/instance')).status).toBe(200)
  })
})

/** A request straight to the port, with a host that fetch would not send. */
function plain(headers: Readonly<Record<string, string>>): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path: '/api/v2/instance', headers }, (answer) => {
      let text = ''
      answer.on('data', (chunk) => (text += chunk))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    request.on('error', reject)
  })
}
