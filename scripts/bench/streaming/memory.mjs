// Memory of the runtime for each socket, seen from outside: its resident set.
import { readFileSync } from 'node:fs'
import { setTimeout as later } from 'node:timers/promises'
import { gather } from './crowd.mjs'
import { collectGarbage } from './garbage.mjs'

/** Objects hibernate after ten seconds without a call; the last of a part is called when its socket is open. */
const untilAsleepMilliseconds = 13_000

/**
 * Opens sockets in several places, in `parts`, each when the objects of the part before are asleep. What a sleeping object freed
 * is not given back to the system, but is there for those that wake next: so `asleep` is what each socket of the later parts
 * adds, KiB. A place has { server, url, people, each, pids, touch }.
 */
export async function gatherInParts(places, parts) {
  const gatherings = places.map((place) => new Gathering(place))
  for (const one of gatherings) await one.measure()
  for (let nth = 0; nth < parts; nth += 1) {
    for (const one of gatherings) await one.admit(nth, parts)
    await later(untilAsleepMilliseconds)
    for (const one of gatherings) await one.measure()
  }
  return gatherings
}

class Gathering {
  crowd = []
  seconds = 0
  #sizes = []

  constructor(place) {
    this.place = place
  }

  async admit(nth, parts) {
    const { url, people, each } = this.place
    const part = people.filter((_, index) => Math.floor((index * parts) / people.length) === nth)
    const began = performance.now()
    this.crowd.push(...(await gather(url, part, each)))
    this.seconds += (performance.now() - began) / 1_000
  }

  /** Records resident memory after garbage collection. */
  async measure() {
    const { server, touch, pids } = this.place
    await collectGarbage(server, touch)
    this.#sizes.push({ sockets: this.crowd.length, resident: memoryOf(pids) })
  }

  /** Memory for each socket of the later parts while its object sleeps, KiB. */
  get asleep() {
    return this.#growth(1)
  }

  /** Memory for each socket as last measured, KiB. */
  get sum() {
    return this.#growth(0)
  }

  #growth(from) {
    const [first, last] = [this.#sizes.at(from), this.#sizes.at(-1)]
    return (last.resident - first.resident) / (last.sockets - first.sockets)
  }
}

/** Resident memory of processes, KiB. */
export function memoryOf(pids) {
  const resident = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  return pids.reduce((sum, pid) => sum + resident(pid), 0)
}
