import { spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { nameUnknown } from '../../scripts/lib/known-variables.mjs'
import { problemOfNode } from '../../scripts/lib/node-version.mjs'
import { Problem, problemOf } from '../../scripts/lib/problem.mjs'
import { runCommand } from './instance'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fieldfare-problem-'))
  return () => rmSync(folder, { recursive: true, force: true })
})

const failed = (code: string, path = '/data/secrets.json') =>
  Object.assign(new Error(`${code}: something, open`), { code, path })

describe('a failure of the machine', () => {
  it.each([
    ['EACCES', 'This user may not read or write /data/secrets.json'],
    ['EROFS', 'mounted to be read only'],
    ['ENOSPC', '/data/secrets.json cannot be written: the disk is full'],
    ['EDQUOT', 'the quota of this user is used up'],
    ['ENOTDIR', 'what has to be a folder there is a file'],
  ])('prints %s as a sentence', (code, words) => {
    expect(problemOf(failed(code))?.message).toContain(words)
  })

  it('a failure of the machine keeps its stack trace where it is a defect', () => {
    expect(problemOf(new TypeError('undefined is not a function'))).toBeNull()
    expect(problemOf(failed('ENOENT'))).toBeNull()
    const problem = new Problem('In words')
    expect(problemOf(problem)).toBe(problem)
  })

  it.each([
    ['npm start', ['scripts/start.mjs', '--port', '9999', '--folder']],
    ['npx fieldfare', ['scripts/fieldfare.mjs', 'export', 'nowhere']],
  ])('shows no stack trace of %s where a folder is a file', (_name, words) => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const { status, stderr } = spawnSync(process.execPath, [...words, join(file, 'below')], {
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stderr).not.toContain('    at ')
  })
})

describe('the output of a command', () => {
  it('ends silently where nobody reads it any more', () => {
    const command = `${process.execPath} scripts/fieldfare.mjs --help`
    const { stderr } = spawnSync('bash', ['-c', `set -o pipefail; ${command} | true`], {
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
  })

  it('reports a full disk as a sentence', () => {
    const full = openSync('/dev/full', 'w')
    const { status, stderr } = spawnSync(process.execPath, ['scripts/fieldfare.mjs', '--help'], {
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    })
    expect(status).toBe(1)
    expect(stderr).toContain('the disk is full')
    expect(stderr).not.toContain('    at ')
  })
})

describe('the version of Node', () => {
  it.each([
    ['v18.20.0', 'linux', 'x64', 'needs Node 20'],
    ['v20.0.0', 'linux', 'arm64', null],
    ['v22.1.0', 'darwin', 'arm64', 'needs Node 24'],
    ['v24.0.0', 'darwin', 'arm64', null],
    ['v20.0.0', 'linux', 's390x', 'needs Node 24'],
  ])('%s on %s %s is checked before anything else runs', (version, platform, arch, words) => {
    const problem = problemOfNode({ version, platform, arch })
    if (words === null) expect(problem).toBeNull()
    else expect(problem).toContain(words)
  })
})

it.each(['start', 'deploy', 'rollback'])(
  'npm run %s -- --help prints its options, and does nothing',
  (name) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${name}.mjs`, '--help'], {
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^npm (run )?(start|deploy|rollback) -- \[--/)
  },
)

it('names unknown variables', () => {
  const lines: string[] = []
  const log = (line: string) => void lines.push(line)
  nameUnknown(
    { PLAN: 'paid', SMTP_URL: 'x', MAX_CHARACTERS: '1' },
    { file: 'variables.json', others: ['SMTP_URL'], log },
  )
  nameUnknown({ PLAN: 'paid' }, { file: 'variables.json', log })
  expect(lines).toEqual([expect.stringContaining('variables.json: MAX_CHARACTERS is no variable')])
})

it('a command without an instance says how to name one in another folder, or elsewhere', async () => {
  const { code, problem } = await runCommand(['usage', '--folder', join(folder, 'none')])
  expect(code).toBe(1)
  expect(problem).toContain('--folder FOLDER')
  expect(problem).toContain('--url https://')
})
