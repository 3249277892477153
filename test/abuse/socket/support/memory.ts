import { execFileSync } from 'node:child_process'
import { inject } from 'vitest'

/** Megabytes of memory that the runtimes of the instance hold now (resident, all processes together). */
export function serverMegabytes(): number {
  const processes = listProcesses()
  const family = new Set([inject('serverProcess')])
  // A child may be listed before its parent, so the list is walked until the family stops growing.
  for (let size = 0; size !== family.size; ) {
    size = family.size
    for (const { id, parent } of processes) if (family.has(parent)) family.add(id)
  }
  const runtimes = processes.filter(({ id, command }) => family.has(id) && command.endsWith('workerd'))
  if (runtimes.length === 0) throw new Error('No runtime of the instance was found')
  return runtimes.reduce((sum, { kilobytes }) => sum + kilobytes, 0) / 1_024
}

function listProcesses() {
  const listing = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,comm='], { encoding: 'utf8' })
  return listing.split('\n').flatMap((line) => {
    const [, id, parent, kilobytes, command] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.+)$/.exec(line) ?? []
    if (command === undefined) return []
    return [{ id: Number(id), parent: Number(parent), kilobytes: Number(kilobytes), command: command.trim() }]
  })
}

/** Megabytes that the instance held more at its peak while `attack` ran and other clients went on asking. */
export async function growthDuring(attack: () => Promise<void>): Promise<number> {
  await answeredTimes(10)
  const before = serverMegabytes()
  let peak = before
  await attack()
  for (let time = 0; time < 10; time += 1) {
    await answeredTimes(1)
    peak = Math.max(peak, serverMegabytes())
  }
  return peak - before
}

async function answeredTimes(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const answer = await fetch(new URL('/api/v2/instance', inject('origin')))
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`The instance answers others with ${answer.status}`)
  }
}
