// Processes of this machine. Read from /proc on Linux, where a small container has no ps; not supported on Windows.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Ids of the processes that `parent` started and that still run; empty where the system does not list them. */
export function childrenOf(parent) {
  return pairs().flatMap(([pid, ppid]) => (ppid === parent ? [pid] : []))
}

/** Ends a process at once, if it is still there. */
export function killNow(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (failure) {
    if (failure.code !== 'ESRCH') throw failure
  }
}

/** Whether there is a process of this id. */
export function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (failure) {
    // Another user's process may not be asked, and is there.
    return failure.code === 'EPERM'
  }
}

/** [id, id of the parent] of every process. */
function pairs() {
  if (process.platform === 'win32') return []
  if (process.platform === 'linux') return readdirSync('/proc').flatMap(linuxPair)
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map((line) => line.trim().split(/\s+/).map(Number))
}

function linuxPair(name) {
  if (!/^\d+$/.test(name)) return []
  try {
    // The name of the command, in parentheses, may hold anything.
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
    const [, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return [[Number(name), Number(ppid)]]
  } catch (failure) {
    // Ended meanwhile.
    if (failure.code === 'ENOENT' || failure.code === 'ESRCH') return []
    throw failure
  }
}
