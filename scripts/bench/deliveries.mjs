// CPU of delivery: a status for followers on many servers, each with a courier of its own.
import { openInstance } from '../../test/e2e/federation/support/instance.ts'
import { Router } from '../../test/e2e/federation/support/router.ts'
import { descendantsCalled, onCpu } from './federation/on-cpu.mjs'
import { followFromEach } from './followers.mjs'

const hosts = Array.from({ length: 40 }, (_, index) => `h${index}.test`)
const timeoutMilliseconds = 60_000

/** CPU milliseconds of the runtime for one delivery: the cost of posting to 40 servers above that of posting without followers. */
export async function measureDeliveries({ posts }) {
  const router = new Router()
  router.install()
  const others = new Set(descendantsCalled('workerd'))
  const instance = await openInstance('sender', router)
  try {
    for (const host of hosts) router.add(host, async () => new Response(null, { status: 202 }))
    const author = await instance.member('wren')
    await followFromEach(hosts, { instance, target: author.id })
    const pids = descendantsCalled('workerd').filter((pid) => !others.has(pid))
    const arrived = () => hosts.reduce((sum, host) => sum + router.passages(host, 'POST').length, 0)
    await post(author, 'public')
    await until(() => arrived() === hosts.length)
    const alone = await spent(pids, async () => {
      for (let index = 0; index < posts; index += 1) await post(author, 'direct')
    })
    const told = await spent(pids, async () => {
      for (let index = 0; index < posts; index += 1) await post(author, 'public')
      await until(() => arrived() === hosts.length * (posts + 1))
    })
    return (told - alone) / (posts * hosts.length)
  } finally {
    await instance.close()
    router.uninstall()
  }
}

async function post({ instance, token }, visibility) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ status: 'A plain status about #birds', visibility })
  const answer = await instance.fetch('/api/v1/statuses', { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`Posting answered ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
}

/** Work after the response counts too: wait until the runtime is idle. */
async function spent(pids, work) {
  const before = onCpu(pids)
  await work()
  await new Promise((resolve) => setTimeout(resolve, 500))
  return onCpu(pids) - before
}

async function until(isDone) {
  const end = Date.now() + timeoutMilliseconds
  while (!isDone()) {
    if (Date.now() > end) throw new Error('Deliveries did not arrive')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
