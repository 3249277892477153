// Adds up vitest's JSON reports of the named steps in a folder, prints the seconds of every step, some of which run side
// by side, and of the slowest files, and names the tests that failed. The last line is the count alone; anything but
// success ends with 1.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const slowestFiles = 20
const [folder, ...names] = process.argv.slice(2)
const root = `${process.cwd()}/`
const sum = { passed: 0, failed: 0, skipped: 0 }
const reports = new Map(names.map((name) => [name, readReport(name)]))

printSteps()
printSlowest()
for (const [name, report] of reports) add(name, report)
if (sum.skipped > 0) console.log(`${sum.skipped} skipped`)
console.log(`${sum.passed} passed, ${sum.failed} failed`)
process.exitCode = sum.failed === 0 && sum.passed > 0 ? 0 : 1

function readReport(name) {
  const file = join(folder, `${name}.json`)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}

function printSteps() {
  const steps = readFileSync(join(folder, 'steps'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
  console.log('step         seconds    tests')
  for (const [name, seconds] of steps) {
    const tests = reports.get(name)?.numTotalTests ?? ''
    console.log(`${name.padEnd(12)} ${String(seconds).padStart(7)} ${String(tests).padStart(8)}`)
  }
}

/** Seconds of a file from its first test to its last, without loading it. */
function printSlowest() {
  const files = [...reports.values()].flatMap((report) => report?.testResults ?? [])
  const slowest = files
    .map(({ name, startTime, endTime }) => ({ name: name.replace(root, ''), seconds: (endTime - startTime) / 1000 }))
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, slowestFiles)
  console.log(`\nslowest files of ${files.length}, seconds`)
  for (const { name, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(8)}  ${name}`)
  console.log()
}

function add(name, report) {
  if (report === null) {
    console.log(`No report of ${name}`)
    sum.failed += 1
    return
  }
  sum.passed += report.numPassedTests
  sum.failed += report.numFailedTests
  sum.skipped += report.numPendingTests + report.numTodoTests
  // A file that could not even be loaded has no tests to count.
  for (const { name: file, status, message, assertionResults } of report.testResults) {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (status === 'failed' && failed.length === 0) {
      sum.failed += 1
      console.log(`Failed: ${file.replace(root, '')}\n  ${firstLine(message)}`)
    }
    for (const { fullName, failureMessages } of failed)
      console.log(`Failed: ${file.replace(root, '')} › ${fullName}\n  ${firstLine(failureMessages[0])}`)
  }
}

function firstLine(text = '') {
  return text.split('\n')[0]
}
