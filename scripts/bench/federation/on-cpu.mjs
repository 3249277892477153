// CPU time of the runtime's process, seen from outside: clocks inside a Worker stand still while it works.
import { readdirSync, readFileSync } from 'node:fs'

/** Processes called `name` that this one started, directly or not. */
export function descendantsCalled(name) {
  const found = []
  const look = (pid) => {
    for (const child of childrenOf(pid)) {
      if (readOr(`/proc/${child}/comm`).trim() === name) found.push(child)
      look(child)
    }
  }
  look(process.pid)
  return found
}

function childrenOf(pid) {
  return tasksOf(pid).flatMap((task) =>
    readOr(`/proc/${pid}/task/${task}/children`)
      .split(' ')
      .filter((child) => child !== ''),
  )
}

/** Milliseconds on the CPU, by the scheduler's own account, of all threads of these processes. */
export function onCpu(pids) {
  const nanoseconds = pids.flatMap((pid) =>
    tasksOf(pid).map((task) => Number(readOr(`/proc/${pid}/task/${task}/schedstat`).split(' ')[0] || 0)),
  )
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6
}

function tasksOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch (failure) {
    if (failure.code === 'ENOENT') return []
    throw failure
  }
}

/** Text of a file, empty where its process ended meanwhile. */
function readOr(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (failure) {
    if (failure.code === 'ENOENT' || failure.code === 'ESRCH') return ''
    throw failure
  }
}
