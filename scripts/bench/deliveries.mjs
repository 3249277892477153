// Costs of delivery: a status for followers on many servers, each with a courier of its own.
import { openInstance } from '../../test/e2e/federation/support/instance.ts'
import { Router } from '../../test/e2e/federation/support/router.ts'
import { descendantsCalled, onCpu } from './federation/on-cpu.mjs'

const hosts = Array.from({ length: 40 }, (_, index) => `h${index}.test`)
const timeoutMilliseconds = 60_000

/** CPU milliseconds of the runtime for one delivery: what posting to 40 servers costs above posting to nobody. */
export async function measureDeliveries({ posts }) {
  const router = new Router()
  router.install()
  const others = new Set(descendantsCalled('workerd'))
  const instance = await openInstance('sender', router)
  try {
    for (const host of hosts) router.add(host, async () => new Response(null, { status: 202 }))
    const author = await instance.member('wren')
    await followFromEverywhere(instance, author.id)
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
    const deliveries = posts * hosts.length
    return { deliveries, requests: arrived() - hosts.length, milliseconds: (told - alone) / deliveries }
  } finally {
    await instance.close()
    router.uninstall()
  }
}

async function followFromEverywhere(instance, target) {
  const now = Date.now()
  for (const [index, host] of hosts.entries()) {
    const id = index + 1
    const uri = `https://${host}/users/reader`
    await instance.query(
      `insert into accounts (id, username, domain, uri, created_at, updated_at) values (?, 'reader', ?, ?, ?, ?)`,
      id,
      host,
      uri,
      now,
      now,
    )
    await instance.query(
      'insert into remote_actors (account_id, inbox, shared_inbox, fetched_at) values (?, ?, ?, ?)',
      id,
      `${uri}/inbox`,
      `https://${host}/inbox`,
      now,
    )
    await instance.query(
      'insert into follows (id, account_id, target_account_id, created_at) values (?, ?, ?, ?)',
      id,
      id,
      Number(target),
      now,
    )
  }
}

async function post({ instance, token }, visibility) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ status: 'A plain status about #birds', visibility })
  const answer = await instance.fetch('/api/v1/statuses', { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`Posting answered ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
}

/** The work that follows an answer counts too: the runtime is given time to come to rest. */
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
