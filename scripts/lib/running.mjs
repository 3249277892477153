// Address of the instance of a folder, so that commands find it whatever its port is. Written by `npm start`.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const fileOf = (folder) => join(folder, 'running.json')

export function noteRunning(folder, origin) {
  writeFileSync(fileOf(folder), `${JSON.stringify({ origin, pid: process.pid })}\n`)
}

/** Forgets this process, and no other that has taken over the folder. */
export function clearRunning(folder) {
  if (readRunning(folder)?.pid === process.pid) rmSync(fileOf(folder), { force: true })
}

/** { origin, pid } of the instance last started in `folder` and not stopped in order; null if missing. */
export function readRunning(folder) {
  const file = fileOf(folder)
  if (!existsSync(file)) return null
  try {
    const { origin, pid } = JSON.parse(readFileSync(file, 'utf8'))
    return typeof origin === 'string' && Number.isInteger(pid) ? { origin, pid } : null
  } catch (failure) {
    // Cut off by a crash in mid-write: as good as absent.
    if (failure instanceof SyntaxError) return null
    throw failure
  }
}

/** Finds the instance of a folder, if its process is still alive. */
export function findRunning(folder) {
  const noted = readRunning(folder)
  return noted !== null && noted.pid !== process.pid && isAlive(noted.pid) ? noted : null
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (failure) {
    // EPERM: the process exists and belongs to another user.
    return failure.code === 'EPERM'
  }
}
