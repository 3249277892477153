// The profiler of the isolate that the Worker runs in. Database, bucket and Images are simulated in other isolates, and the
// Durable Objects run in another, so that nothing of theirs is counted.
import WebSocket from 'ws'

const samplingMicroseconds = 100
/** Longest time between two samples that is believed: in a longer one, another process had the processor. */
const mostMicroseconds = 500
/** The isolate waits in these, or native code of the runtime runs that belongs to no request. */
const outside = new Set(['(idle)', '(program)', '(root)'])

/** Opens the profiler of a Worker by its name. `profile` runs work and answers the milliseconds that the isolate ran. */
export async function openProfiler(server, name) {
  const socket = new WebSocket(`${await server.getInspectorURL()}core:user:${name}`)
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const waiting = new Map()
  let last = 0
  socket.on('message', (data) => {
    const { id, result, error } = JSON.parse(data.toString())
    const answer = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) answer?.resolve(result)
    else answer?.reject(new Error(error.message))
  })
  const ask = (method, params = {}) =>
    new Promise((resolve, reject) => {
      last += 1
      waiting.set(last, { resolve, reject })
      socket.send(JSON.stringify({ id: last, method, params }))
    })
  await ask('Profiler.enable')
  await ask('Profiler.setSamplingInterval', { interval: samplingMicroseconds })
  return {
    async profile(work) {
      await ask('Profiler.start')
      await work()
      const { profile } = await ask('Profiler.stop')
      return millisecondsIn(profile)
    },
    close: () => socket.terminate(),
  }
}

/** Time of the samples in which the isolate ran. */
export function millisecondsIn({ nodes, samples, timeDeltas }) {
  const ran = new Set(
    nodes.filter(({ callFrame }) => !outside.has(callFrame.functionName)).map(({ id }) => id),
  )
  // A delta ends with its sample.
  const microseconds = samples.reduce(
    (sum, id, index) => sum + (ran.has(id) ? Math.min(timeDeltas[index], mostMicroseconds) : 0),
    0,
  )
  return microseconds / 1000
}
