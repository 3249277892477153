/** `npm run durations`: runs all tests and writes how long their files take to test/data/durations.json, which deals them out. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Shorter files are not listed: those not listed count as one second. */
const leastSeconds = 1.5
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'fieldfare-durations-'))

try {
  const report = join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/test.mjs'), ...reporters], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The tests failed: the list of durations stays as it was.')
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const seconds = testResults
    .map(({ name, startTime, endTime }) => [
      name.slice(root.length),
      Math.round((endTime - startTime) / 1000),
    ])
    .filter(([, one]) => one >= leastSeconds)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  writeFileSync(
    join(root, 'test/data/durations.json'),
    `${JSON.stringify(Object.fromEntries(seconds), null, 2)}\n`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
