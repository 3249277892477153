// An instance started by `npm start`, and how long that takes.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { readRunning } from '../lib/running.mjs'
import { root } from '../lib/server.mjs'

/**
 * Starts an instance in the folder `place`, and ends it: seconds from its start to its first answer. Fails where another
 * server answers on its port.
 */
export async function startInstance({ place, port = null, stderr = 'inherit' }) {
  const own = port ?? (await freePort())
  const began = performance.now()
  const child = spawn(
    process.execPath,
    [join(root, 'scripts/start.mjs'), '--folder', place, '--port', String(own)],
    { cwd: root, stdio: ['ignore', 'ignore', stderr] },
  )
  let isOver = false
  const ended = new Promise((resolve) => child.once('exit', resolve))
  ended.then(() => {
    isOver = true
  })
  const until = async (holds) => {
    while (!(await holds())) {
      if (isOver) throw new Error('npm start ended before its server answered')
      await setTimeout(50)
    }
  }
  try {
    await until(() => answers(`http://localhost:${own}/health/live`))
    const seconds = (performance.now() - began) / 1000
    // Noted by the process once its own server has answered: until then the answer may be another's.
    await until(() => readRunning(place)?.pid === child.pid)
    return seconds
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

function answers(url) {
  return fetch(url).then(
    ({ status }) => status === 200,
    () => false,
  )
}
