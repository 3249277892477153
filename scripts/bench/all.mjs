// `npm run bench:all`: every bench, one after the other, with a verdict at the end: which hold, which broke, and the seconds
// of each. `-- --short` measures less where a bench can. Ends with 1 where a bench broke.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../lib/server.mjs'
import { section, table } from './table.mjs'

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } })

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const benches = Object.keys(scripts).filter((name) => /^bench(:(?!all$)|$)/.test(name))
/** Benches without a shorter form. */
const whole = ['bench:scale']

const verdicts = []
for (const name of benches) {
  section(`== ${name}`)
  const began = performance.now()
  const options = values.short && !whole.includes(name) ? ['--', '--short'] : []
  const code = await run(['run', '--silent', name, ...options])
  verdicts.push({ name, holds: code === 0, seconds: Math.round((performance.now() - began) / 1_000) })
}

section('Verdict')
table(
  ['bench', 'verdict', 'seconds'],
  verdicts.map(({ name, holds, seconds }) => [name, holds ? 'holds' : 'broke', seconds]),
)
const broken = verdicts.filter(({ holds }) => !holds)
if (broken.length > 0) {
  console.error(`\nBroken: ${broken.map(({ name }) => name).join(', ')}`)
  process.exitCode = 1
} else console.log('\nAll benches hold.')

/** Runs npm with these arguments, shows its output, and returns its exit code. */
function run(words) {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', words, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', reject)
    child.once('close', resolve)
  })
}
