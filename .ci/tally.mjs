// Adds up vitest's JSON reports, and names the tests that failed. The last line is the count alone; anything but success ends with 1.
import { existsSync, readFileSync } from 'node:fs'

const sum = { passed: 0, failed: 0, skipped: 0 }
const root = `${process.cwd()}/`
for (const file of process.argv.slice(2)) {
  if (!existsSync(file)) {
    console.log(`No report: ${file}`)
    sum.failed += 1
    continue
  }
  const report = JSON.parse(readFileSync(file, 'utf8'))
  sum.passed += report.numPassedTests
  sum.failed += report.numFailedTests
  sum.skipped += report.numPendingTests + report.numTodoTests
  // A file that could not even be loaded has no tests to count.
  for (const { name, status, message, assertionResults } of report.testResults) {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (status === 'failed' && failed.length === 0) {
      sum.failed += 1
      console.log(`Failed: ${name.replace(root, '')}\n  ${firstLine(message)}`)
    }
    for (const { fullName, failureMessages } of failed)
      console.log(`Failed: ${name.replace(root, '')} › ${fullName}\n  ${firstLine(failureMessages[0])}`)
  }
}

if (sum.skipped > 0) console.log(`${sum.skipped} skipped`)
console.log(`${sum.passed} passed, ${sum.failed} failed`)
process.exitCode = sum.failed === 0 && sum.passed > 0 ? 0 : 1

function firstLine(text = '') {
  return text.split('\n')[0]
}
