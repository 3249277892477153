/**
 * Runs all tests of a configuration in two processes side by side, one for each core, and prints one report of both.
 *
 * Named files and projects run in one process, with all options handed to vitest as they are.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const vitest = resolve('node_modules/vitest/vitest.mjs')
const shards = [1, 2]
const options = process.argv.slice(2)
const isReporting = (option) => /^--(reporter|outputFile)\b/.test(option)
const isConfig = (option) => option.startsWith('--config=')
const isSelection = (option) =>
  !option.startsWith('-') || /^--(project|shard|testNamePattern|changed)\b|^-t$/.test(option)

process.exitCode = options.some(isSelection) ? await run(options, 'inherit') : await runShards()

async function runShards() {
  const reports = mkdtempSync(join(tmpdir(), 'fieldfare-tests-'))
  try {
    const seed =
      options.find((option) => option.startsWith('--sequence.seed=')) ?? `--sequence.seed=${Date.now()}`
    const passedOn = options.filter(
      (option) => !isReporting(option) && !option.startsWith('--sequence.seed='),
    )
    console.log(
      `Running in ${shards.length} processes with ${seed}. The report follows when both are done ...`,
    )
    const codes = await Promise.all(
      shards.map((shard) => {
        const report = join(reports, `blob-${shard}.json`)
        const args = [`--shard=${shard}/${shards.length}`, seed, '--reporter=blob', `--outputFile=${report}`]
        return run([...args, ...passedOn], ['ignore', 'ignore', 'pipe']).then((code) =>
          existsSync(report) ? code : 2,
        )
      }),
    )
    const merged = await run(
      [`--merge-reports=${reports}`, ...options.filter((option) => isReporting(option) || isConfig(option))],
      'inherit',
    )
    return Math.max(merged, ...codes)
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
}

/** The exit code of vitest. What a silent run writes to stderr is shown when it fails. */
function run(args, stdio) {
  return new Promise((settle, fail) => {
    const child = spawn(process.execPath, [vitest, 'run', ...args], { stdio })
    const errors = []
    child.stderr?.on('data', (chunk) => errors.push(chunk))
    child.once('error', fail)
    child.once('exit', (code) => {
      if (code !== 0 && errors.length > 0) process.stderr.write(Buffer.concat(errors).subarray(-20_000))
      settle(code ?? 1)
    })
  })
}
