// Instance that a command addresses: the one of `npm start`, or one elsewhere by --url and a token.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readDeployment } from '../deploy/record.mjs'
import { deployedToken } from '../deploy/secrets.mjs'
import { Problem } from '../problem.mjs'
import { readRunning } from '../running.mjs'
import { instanceSecrets, root } from '../server.mjs'
import { acceptedTypes, Refused, refusalIn, WrongUsage } from './problems.mjs'

/**
 * { origin, token, setup, admin, call, every, bytes, requireApi }: the instance is looked for with the first call, so
 * that what needs none works without.
 *
 * `setup(path, body)` calls a route below /setup, `admin(method, path, values)` one of /api/fieldfare/v1/admin,
 * `call(method, path, values)` any other; they answer the parsed body and throw `Refused` or another `Problem`.
 * `every(path, values, most)` answers the entries of a list from all its pages, or the first `most`. `bytes(path, body)`
 * answers the response of a route below /setup that sends a file. `requireApi()` throws for an instance that is too old,
 * where that would not refuse by itself: its `api_versions.fieldfare` has to be `api`, or more.
 */
export function connect(common, terminal, api) {
  let found = null
  const target = () => {
    found ??= findTarget(common, terminal)
    return found
  }
  const timeout = (common.timeout ?? 30) * 1_000
  const requireApi = async () => assertApi(await target(), { api, timeout })
  const call = async (method, path, values = {}) => {
    const order = { method, timeout, ...requestWith(method, path, values) }
    try {
      return await request(await target(), order)
    } catch (refusal) {
      // An older instance may not know the endpoint yet, or not open it to the set-up token.
      if (refusal instanceof Refused && [401, 404].includes(refusal.status)) await requireApi()
      throw refusal
    }
  }
  return {
    requireApi,
    origin: async () => (await target()).origin,
    token: async () => (await target()).token,
    setup: async (path, body = {}, method = 'POST') =>
      (await request(await target(), { method, path: `/setup/${path}`, body, timeout })).body,
    bytes: async (path, body) =>
      requestBytes(await target(), { path: `/setup/${path}`, body, timeout: timeout * 20 }),
    call: async (...order) => (await call(...order)).body,
    admin: async (method, path, values = {}) =>
      (await call(method, `/api/fieldfare/v1/admin/${path}`, values)).body,
    every: async (path, values = {}, most = Number.POSITIVE_INFINITY) => {
      const all = []
      for (let next = requestWith('GET', path, values).path; next !== null && all.length < most; ) {
        const page = await call('GET', next)
        all.push(...page.body)
        next = page.next
      }
      return all.slice(0, most)
    },
  }
}

/** Refuses an instance whose administration API is older than commands need, with a sentence. */
async function assertApi({ origin }, { api, timeout }) {
  const { api_versions: apis, version = 'unknown' } = await openDocument(`${origin}/api/v2/instance`, timeout)
  if (apis === undefined || (apis.fieldfare ?? 0) >= api) return
  throw new Problem(
    `${origin} runs a version of Fieldfare (${version}) that is older than this command: it has to offer version ${api} of ` +
      'the administration API. Deploy this version there first, or run the command from the version that it runs.',
  )
}

/** A document that needs no token; empty where the instance does not show it. */
async function openDocument(url, timeout) {
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeout) }).catch(
    () => null,
  )
  return response?.status === 200 ? (parsed(await response.text()) ?? {}) : {}
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
  return { body: readAnswer(origin, response, text), next: nextPage(response.headers.get('link')) }
}

/** Path of the next page by a Link header. Its origin is left out: the token is for the instance as it was named. */
function nextPage(links) {
  const [, address] = /<([^>]+)>; rel="next"/.exec(links ?? '') ?? []
  if (address === undefined) return null
  const { pathname, search } = new URL(address)
  return `${pathname}${search}`
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
      Accept: acceptedTypes,
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
  throw refusalIn(origin, status, body)
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
