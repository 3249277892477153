// The server of a bench with a filled database, as a process of its own: its CPU time is the server's alone.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../lib/server.mjs'

/** Resolves once it answers: to its process, its address and what serve.mjs says about the database. */
export async function openBenchServer() {
  const child = spawn(process.execPath, [join(root, 'scripts/bench/serve.mjs')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { ...(await factsOf(child)), pid: child.pid, close: () => child.kill('SIGTERM') }
}

/** The line the server prints once it answers. */
function factsOf(child) {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line)))
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it answered`)))
  })
}
