// Requests of people and of other servers to the measured instance.
import WebSocket from 'ws'

const pollMilliseconds = 10
const mostWaitMilliseconds = 120_000
let clients = 0

export async function call(instance, token, path, { method = 'GET', body, accept } = {}) {
  // Addresses take turns: the limits of one would end the bench.
  clients += 1
  const headers = {
    'cf-connecting-ip': `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}`,
  }
  if (token !== null) headers.authorization = `Bearer ${token}`
  if (accept !== undefined) headers.accept = accept
  const isForm = body instanceof FormData
  if (body !== undefined && !isForm) headers['content-type'] = 'application/json'
  const sent = body === undefined || isForm ? body : JSON.stringify(body)
  const answer = await instance.fetch(path, {
    method,
    headers,
    ...(sent === undefined ? {} : { body: sent }),
  })
  const text = await answer.text()
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
  return answer.headers.get('content-type')?.includes('json') && text !== '' ? JSON.parse(text) : text
}

export async function deliver(instance, account, activity) {
  const { headers, body } = await account.sign(`${instance.origin}/inbox`, activity)
  const answer = await instance.fetch('/inbox', { method: 'POST', headers, body })
  if (answer.status >= 300) throw new Error(`A ${activity.type} got ${answer.status}: ${await answer.text()}`)
}

export async function connect(instance, token) {
  const address = (await instance.address()).replace('http', 'ws')
  const socket = new WebSocket(`${address}api/v1/streaming?stream=user&access_token=${token}`)
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return socket
}

/** Closes a socket, and waits until the server knows. */
export async function disconnect(instance, socket) {
  const { sockets: open } = await readCounters(instance)
  socket.terminate()
  await whenever(instance, ({ sockets }) => sockets < open)
}

/** Waits until something holds for the counters of the measured Worker (test/bench/day/worker.ts). Returns them. */
export async function whenever(instance, holds) {
  const end = Date.now() + mostWaitMilliseconds
  for (;;) {
    const counters = await readCounters(instance)
    if (holds(counters)) return counters
    if (Date.now() > end) throw new Error(`The server does not come to rest: ${JSON.stringify(counters)}`)
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds))
  }
}

async function readCounters(instance) {
  return (await instance.fetch('/bench/counts')).json()
}

/** A follow of a remote account, accepted by its server. */
export async function followRemote({ instance, me }, account) {
  const [found] = await call(instance, me.token, `/api/v1/accounts/search?q=@${account.handle}&resolve=true`)
  await call(instance, me.token, `/api/v1/accounts/${found.id}/follow`, { method: 'POST' })
  await deliver(
    instance,
    account,
    account.activity('Accept', { type: 'Follow', actor: me.uri, object: account.uri }),
  )
  account.id = found.id
}
