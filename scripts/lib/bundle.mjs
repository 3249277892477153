// Bundles the Worker of a configuration file into a folder, with what its runtime needs to know: BUNDLE CONFIG FOLDER.
// A process of its own, since all of wrangler would stay in the memory of the one that serves.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler'
import { quiet, root, wrangler } from './server.mjs'

const [config, folder] = process.argv.slice(2)
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [wrangler, 'deploy', '--dry-run', '--config', config, '--outdir', folder],
  { cwd: root, env: { ...process.env, ...quiet }, encoding: 'utf8' },
)
if (status !== 0) {
  console.error(`${stdout}\n${stderr}`.trim())
  process.exit(1)
}
const { name, main } = unstable_readConfig({ config })
const { workerOptions } = unstable_getMiniflareWorkerOptions(config)
const entry = `${basename(main).replace(/\.\w+$/, '')}.js`
writeFileSync(join(folder, 'worker.json'), JSON.stringify({ ...workerOptions, name, entry }))
