/** `npm run durations`: runs tests and writes how long their files take to test/data/durations.json, by which they are dealt out and ordered. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Shorter files are not listed: those not listed count as one second. */
const leastSeconds = 1.5
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'fieldfare-durations-'))

/** Configurations whose files are dealt out or ordered, with what runs each. */
const runs = [
  ['vitest.config.ts', ['scripts/test.mjs']],
  ['vitest.scale.config.ts', ['scripts/test.mjs']],
  ['vitest.e2e.config.ts', ['node_modules/vitest/vitest.mjs', 'run']],
]

try {
  const seconds = runs.flatMap(durationsIn)
  const sorted = seconds.toSorted(([one], [other]) => (one < other ? -1 : 1))
  writeFileSync(
    join(root, 'test/data/durations.json'),
    `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** [path, seconds] of the files of a configuration that take long. */
function durationsIn([config, command]) {
  const report = join(folder, `${config}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const args = [...command, `--config=${config}`, ...reporters]
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error('Tests failed: the list of durations stays as it was.')
  return JSON.parse(readFileSync(report, 'utf8'))
    .testResults.map(({ name, startTime, endTime }) => [
      name.slice(root.length),
      Math.round((endTime - startTime) / 1000),
    ])
    .filter(([, seconds]) => seconds >= leastSeconds)
}
