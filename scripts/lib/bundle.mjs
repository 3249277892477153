// Bundles the Worker of a configuration file into a folder, with what its runtime needs to know: BUNDLE CONFIG FOLDER.
// A process of its own, since all of wrangler would stay in the memory of the one that serves.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { quiet, root, wrangler } from './server.mjs'

const [config, folder] = process.argv.slice(2)
const child = spawn(
  process.execPath,
  [wrangler, 'deploy', '--dry-run', '--config', config, '--outdir', folder],
  { cwd: root, env: { ...process.env, ...quiet }, stdio: ['ignore', 'pipe', 'pipe'] },
)
let output = ''
for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
const closed = once(child, 'close')
// Loaded while the other process bundles: that takes as long as a third of the bundle.
const { unstable_getMiniflareWorkerOptions, unstable_readConfig } = await import('wrangler')
const [status] = await closed
if (status !== 0) {
  console.error(output.trim())
  process.exit(1)
}
const { name, main } = unstable_readConfig({ config })
const { workerOptions } = unstable_getMiniflareWorkerOptions(config)
const entry = `${basename(main).replace(/\.\w+$/, '')}.js`
writeFileSync(join(folder, 'worker.json'), JSON.stringify({ ...workerOptions, name, entry }))
