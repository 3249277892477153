// Collects the garbage of the isolates of a local runtime, through its inspector. That of the database alone takes 40 KiB for each
// statement, and would be counted as memory of other requests.
import { WebSocket } from 'ws'
import { until } from './crowd.mjs'

/** Collections in a row: the first finalizes objects that hold others. */
const rounds = 2
/** Isolates that serve requests, by the names of their services. */
const serving = /\/(core:user:|d1:)/

/** An isolate collects when it runs next: `touch` makes those that serve requests do something. */
export async function collectGarbage(server, touch) {
  const { host } = await server.getInspectorURL()
  const targets = await (await fetch(`http://${host}/json`)).json()
  const addresses = targets.map(({ webSocketDebuggerUrl }) => webSocketDebuggerUrl)
  const isolates = await Promise.all(addresses.filter((one) => serving.test(one)).map(connect))
  for (let round = 0; round < rounds; round += 1) {
    for (const { socket } of isolates)
      socket.send(JSON.stringify({ id: round, method: 'HeapProfiler.collectGarbage' }))
    for (let nth = 0; nth < 3; nth += 1) await touch()
    if (!(await until(() => isolates.every(({ answered }) => answered.has(round)))))
      throw new Error('An isolate did not collect its garbage')
  }
  for (const { socket } of isolates) socket.terminate()
}

function connect(address) {
  const socket = new WebSocket(address, { perMessageDeflate: false })
  const answered = new Set()
  socket.on('message', (data) => answered.add(JSON.parse(String(data)).id))
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve({ socket, answered }))
    socket.once('error', reject)
  })
}
