// CPU time of the Workers of two bundles, side by side: their requests take turns, so that other work of the machine slows
// both alike.
import { resolve } from 'node:path'
import { section, table } from '../table.mjs'
import { medianOf } from './judge.mjs'
import { openMeasured, rest } from './measured.mjs'

const compared = [
  'home, 20 posts',
  'notifications, 40',
  'public timeline, 20 posts',
  'posts of a profile, 20',
  'a post, with what follows it',
  'home in the web client, 20 posts',
  'notifications in the web client, 20',
  'settings, posting and reading',
  'dashboard of the administration',
  'profile in the web client, 20 posts',
]

/** Prints the medians of both bundles and their ratios. */
export async function compare({ before, now }, { warmUps, repeats }) {
  const servers = []
  try {
    for (const bundle of [before, now]) servers.push(await openMeasured(resolve(bundle)))
    section('CPU time of the Worker, ms')
    const lines = []
    for (const action of compared) {
      const figures = servers.map(() => [])
      for (let index = 0; index < warmUps + repeats; index += 1)
        // Each goes first as often as the other.
        for (const at of index % 2 === 0 ? [0, 1] : [1, 0]) {
          const { requests, profiler } = servers[at]
          const milliseconds = await profiler.profile(() => requests[action].send(index).then(rest))
          if (index >= warmUps) figures[at].push(milliseconds)
        }
      const [old, current] = figures.map(medianOf)
      lines.push([action, old.toFixed(2), current.toFixed(2), (current / old).toFixed(2)])
    }
    table(['request', 'before', 'now', 'ratio'], lines)
  } finally {
    for (const { close } of servers) await close()
  }
}
