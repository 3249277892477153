// Instance that a command addresses: the one of `npm start`, or one elsewhere by --url and a token.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readDeployment } from '../deploy/record.mjs'
import { deployedToken } from '../deploy/secrets.mjs'
import { Problem } from '../problem.mjs'
import { readRunning } from '../running.mjs'
import { instanceSecrets, root } from '../server.mjs'
import { Refused, WrongUsage } from './problems.mjs'

/**
 * { origin, token, setup, admin, call }: the instance is looked for with the first call, so that what needs none works without.
 *
 * `setup(path, body)` calls a route below /setup, `admin(method, path, values)` one of /api/fieldfare/v1/admin,
 * `call(method, path, values)` any other; they answer the parsed body and throw `Refused` or another `Problem`. `bytes(path,
 * body)` answers the response of a route below /setup that sends a file.
 */
export function connect(common, terminal) {
  let found = null
  const target = () => {
    found ??= findTarget(common, terminal)
    return found
  }
  const timeout = (common.timeout ?? 30) * 1_000
  return {
    origin: async () => (await target()).origin,
    token: async () => (await target()).token,
    setup: async (path, body = {}, method = 'POST') =>
      request(await target(), { method, path: `/setup/${path}`, body, timeout }),
    bytes: async (path, body) =>
      requestBytes(await target(), { path: `/setup/${path}`, body, timeout: timeout * 20 }),
    call: async (method, path, values) =>
      request(await target(), { method, timeout, ...requestWith(method, path, values) }),
    admin: async (method, path, values = {}) =>
      request(await target(), {
        method,
        timeout,
        ...requestWith(method, `/api/fieldfare/v1/admin/${path}`, values),
      }),
  }
}

/** Values of a GET are in its address, those of other methods in the body. */
function requestWith(method, path, values) {
  if (method !== 'GET') return { path, body: values }
  const entries = Object.entries(values ?? {}).map(([name, value]) => [name, String(value)])
  return { path: entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`, body: null }
}

async function request(target, { timeout, ...order }) {
  const { origin } = target
  const response = await send(target, { timeout, ...order })
  const text = await response.text().catch((failure) => {
    throw new Problem(unreachable(origin, failure, timeout))
  })
  return readAnswer(origin, response, text)
}

/** A file of any size: its time counts from the first byte to the last. */
async function requestBytes(target, { path, body, timeout }) {
  const response = await send(target, { method: 'POST', path, body, timeout })
  if (response.status !== 200) readAnswer(target.origin, response, await response.text())
  return response
}

async function send({ origin, token }, { method, path, body, timeout }) {
  return fetch(`${origin}${path}`, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeout),
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: 'application/json',
      ...(body === null ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  }).catch((failure) => {
    throw new Problem(unreachable(origin, failure, timeout))
  })
}

function unreachable(origin, failure, timeout) {
  if (failure.name === 'TimeoutError')
    return `${origin} did not answer within ${timeout / 1_000} seconds. --timeout SECONDS waits longer.`
  return `${origin} does not answer: ${failure.cause?.message ?? failure.message}. Is it running?`
}

function readAnswer(origin, { status, headers }, text) {
  if (status >= 300 && status < 400)
    throw new Problem(`${origin} redirects to ${headers.get('location')}: name that address by --url.`)
  const body = parsed(text)
  if (status === 200 && body !== undefined) return body
  if (body === undefined)
    throw new Problem(`${origin} is no Fieldfare server, or none that this command knows (${status}).`)
  throw new Refused(origin, { status, reason: body?.error ?? 'no reason given' })
}

function parsed(text) {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch (failure) {
    if (failure instanceof SyntaxError) return undefined
    throw failure
  }
}

/** Folder of the local instance. */
export function folderOf({ folder }) {
  return folder === undefined ? join(root, '.wrangler/instance') : resolve(folder)
}

function findTarget({ url, folder, token }, terminal) {
  const home = folderOf({ folder })
  return url === undefined ? localTarget(home, token) : targetAt(url, { home, token, terminal })
}

/** The instance that `npm start` runs, whatever its port is. Tokens in the environment are for others. */
function localTarget(home, token) {
  if (!existsSync(home))
    throw new Problem(`There is no instance in ${home}: npm start makes one.\n${elsewhere()}`)
  const running = readRunning(home)
  if (running === null) throw new Problem(`The instance in ${home} does not run: npm start.\n${elsewhere()}`)
  return { origin: running.origin, token: token ?? instanceSecrets(home).SETUP_TOKEN }
}

/** Sentence about naming another instance. */
function elsewhere() {
  const deployed = readDeployment(root)
  const address = deployed === null ? 'https://HOST' : `https://${deployed.domain}`
  return `One in another folder of this machine is named by --folder FOLDER, a server elsewhere by --url ${address}.`
}

async function targetAt(url, { home, token, terminal }) {
  const { origin, hostname, protocol } = addressOf(url)
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol === 'http:' && !isLoopback)
    throw new WrongUsage(`${url} would send your token unencrypted: use https.`)
  const { FIELDFARE_TOKEN, SETUP_TOKEN } = terminal.env
  const known = token ?? (FIELDFARE_TOKEN || SETUP_TOKEN)
  if (known) return { origin, token: known }
  // The folder's own token goes to the folder's own instance only.
  if (existsSync(home) && readRunning(home)?.origin === origin)
    return { origin, token: instanceSecrets(home).SETUP_TOKEN }
  const deployed = deployedToken(root, origin)
  if (deployed !== null) return { origin, token: deployed }
  const asked = terminal.isInteractive
    ? await terminal.askSecret(`Access token of an owner of ${origin}: `)
    : ''
  if (asked !== '') return { origin, token: asked }
  throw new Problem(
    `Put the access token of an owner of ${url} into FIELDFARE_TOKEN, or its set-up token into SETUP_TOKEN.`,
  )
}

function addressOf(url) {
  const address = URL.canParse(url) ? new URL(url) : null
  if (address !== null && ['http:', 'https:'].includes(address.protocol)) return address
  throw new WrongUsage(`${url} is no address. It has to look like https://social.example.org`)
}
