// CPU time of the most frequent requests, beside a route without a database and one trivial round trip, in one run.
import { cpuSeconds, load } from './load.mjs'
import { openBenchServer } from './open-server.mjs'

/** Paths that are measured, by name. Those without `anonymous` are asked with the token of the reader. */
const pathsOf = ({ author, status, note, writers, newest }) => ({
  health: { path: 'health/live', anonymous: true },
  // `select 1` beside the app: see trip.mjs.
  trip: { path: 'bench/trip', anonymous: true },
  // The batch of a home page without the app: nothing that reads the page from this database can be cheaper.
  'statements of home': { path: 'bench/statements/api/v1/timelines/home?limit=20' },
  home: { path: 'api/v1/timelines/home?limit=20' },
  notifications: { path: 'api/v1/notifications?limit=20' },
  // Resets to the starting state: newer posts would replace those that a page reads.
  public: { path: `api/v1/timelines/public?limit=20&max_id=${newest}` },
  'public, anonymous': { path: 'api/v1/timelines/public?limit=20', anonymous: true },
  'statuses of an account': { path: `api/v1/accounts/${author}/statuses?limit=20` },
  status: { path: `api/v1/statuses/${status}` },
  // Unlisted, by accounts that the reader does not follow, so that other paths read the same as before.
  post: {
    path: 'api/v1/statuses',
    body: { status: 'Two fieldfares in #bread', visibility: 'unlisted' },
    tokens: writers,
  },
  search: { path: 'api/v2/search?q=neighbour&limit=20' },
  'NodeInfo 2.0': { path: 'nodeinfo/2.0', anonymous: true },
  'NodeInfo 2.1': { path: 'nodeinfo/2.1', anonymous: true },
  'instance v1': { path: 'api/v1/instance', anonymous: true },
  'instance v2': { path: 'api/v2/instance', anonymous: true },
  WebFinger: { path: '.well-known/webfinger?resource=acct:neighbour0@localhost', anonymous: true },
  actor: { path: 'users/neighbour0', anonymous: true, accept: 'application/activity+json' },
  note: { path: note, anonymous: true, accept: 'application/activity+json' },
})
/** Turn and turn about, so that a busy machine troubles all alike; the median of the turns is the figure. */
const turns = 8
/** Turns that paths beyond a bound are measured again, with everything they are compared with, before that is believed. */
const turnsInDoubt = 16
const concurrency = 8
const compared = ['health', 'trip']

/**
 * CPU seconds for 1,000 requests of each path: of the process tree of the server alone, without the client.
 * `doubtful` names the paths among figures whose bound is broken: those are measured longer.
 */
export async function measureCpu({ requests, doubtful }) {
  const { url, token, pid, close, ...facts } = await openBenchServer()
  try {
    const paths = pathsOf({ ...facts, newest: await newestOf(url) })
    const send = ({ path, anonymous, accept = '*/*', body, tokens = [token] }, count) =>
      load(`${url}${path}`, {
        count,
        concurrency,
        requestAt: (index) => ({
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            Accept: accept,
            'Content-Type': 'application/json',
            ...(anonymous ? {} : { Authorization: `Bearer ${tokens[index % tokens.length]}` }),
          },
          body: body && JSON.stringify(body),
        }),
      })
    const names = Object.keys(paths)
    for (const name of names) await send(paths[name], 400)
    const measured = Object.fromEntries(names.map((name) => [name, []]))
    const count = Math.ceil(requests / turns)
    const measure = async (chosen, times) => {
      for (let turn = 0; turn < times; turn += 1)
        for (const name of chosen) {
          const before = cpuSeconds(pid)
          await send(paths[name], count)
          measured[name].push(((cpuSeconds(pid) - before) / count) * 1_000)
        }
    }
    const figures = () => Object.fromEntries(names.map((name) => [name, median(measured[name])]))
    await measure(names, turns)
    const again = doubtful(figures())
    if (again.length > 0) await measure([...compared, ...again], turnsInDoubt)
    return figures()
  } finally {
    close()
  }
}

/** Id of the newest public status. */
async function newestOf(url) {
  const [newest] = await (await fetch(`${url}api/v1/timelines/public?limit=1`)).json()
  return newest.id
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
