// Commands whose words only matter when they fail.
import { spawn } from 'node:child_process'
import { quiet, root } from '../lib/server.mjs'

/** Runs a command by npx and returns its output. */
export function npx(args) {
  return new Promise((resolve, reject) => {
    const child = spawn('npx', args, { cwd: root, env: { ...process.env, ...quiet }, stdio: 'pipe' })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(output)
      else reject(new Error(`${args.join(' ')} ended with ${code}:\n${output}`))
    })
  })
}
