import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { goBack, update } from '../../scripts/lib/update/update.mjs'

let place = ''
/** Repository with the releases, and a copy as a press of the button makes it: the same files with a history of its own. */
let upstream = ''
let copy = ''
const now = new Date('2026-12-24T18:00:00.123Z')

const configuration = `name = "fieldfare"
main = "src/index.ts"

# Comment of the release.
[vars]
ORIGIN = "http://localhost:8787"

[[d1_databases]]
binding = "DB"
database_name = "fieldfare"

[[migrations]]
tag = "v1"
new_sqlite_classes = ["Vault"]
`
const cloudflares = configuration
  .replace('name = "fieldfare"', 'name = "birds"')
  .replace('database_name = "fieldfare"', 'database_name = "birds"\ndatabase_id = "1234-abcd"')

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'fieldfare-update-test-'))
  upstream = join(place, 'upstream')
  copy = join(place, 'copy')
  mkdirSync(upstream)
  git(upstream, 'init', '-q', '-b', 'main')
  commitFiles(upstream, { ...project('0.2.0'), 'src/gone.ts': 'Gone\n' }, 'v0.2.0')
  cpSync(upstream, copy, {
    recursive: true,
    filter: (path) => !path.includes('.git/') && !path.endsWith('.git'),
  })
  git(copy, 'init', '-q', '-b', 'main')
  commitFiles(copy, { 'wrangler.toml': cloudflares, ...named('birds', '0.2.0') })
  return () => rmSync(place, { recursive: true, force: true })
})

function git(cwd: string, ...words: readonly string[]): string {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b.test', '-c', 'commit.gpgsign=false']
  const { stdout, stderr, status } = spawnSync('git', [...who, ...words], { cwd, encoding: 'utf8' })
  expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
  return stdout.trim()
}

function commitFiles(folder: string, files: Readonly<Record<string, string | null>>, tag?: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    if (text === null) rmSync(join(folder, path), { force: true })
    else writeFileSync(join(folder, path), text)
  }
  git(folder, 'add', '-A')
  git(folder, 'commit', '-qm', tag ?? 'Change')
  if (tag !== undefined) git(folder, 'tag', tag)
}

const lines = (word: string, changed = '') =>
  Array.from({ length: 12 }, (_, index) => (index === 5 ? changed || word : `${word} ${index}`)).join('\n')

function named(name: string, version: string): Record<string, string> {
  const root = JSON.stringify(
    { name, version, lockfileVersion: 3, packages: { '': { name, version } } },
    null,
    2,
  )
  const repository = { type: 'git', url: 'git+https://git.example.org/fieldfare.git' }
  return {
    'package.json': `${JSON.stringify({ name, version, repository }, null, 2)}\n`,
    'package-lock.json': `${root}\n`,
  }
}

function project(version: string): Record<string, string> {
  return {
    ...named('fieldfare', version),
    'wrangler.toml': configuration,
    'src/index.ts': `${lines('code')}\n`,
    'README.md': `${lines('text')}\n`,
    '.github/workflows/update.yml': 'name: First\n',
  }
}

/** Release with a changed, an added and a removed file, a further class of objects and another workflow. */
function release(version: string, files: Readonly<Record<string, string | null>> = {}): void {
  commitFiles(
    upstream,
    {
      ...project(version),
      'src/index.ts': `${lines('code', `code of ${version}`)}\n`,
      'src/added.ts': `${version}\n`,
      'src/gone.ts': null,
      ...files,
    },
    `v${version}`,
  )
}

const withClass = `${configuration}
[[migrations]]
tag = "v2"
new_sqlite_classes = ["Courier"]
`
const read = (path: string) => readFileSync(join(copy, path), 'utf8')
const run = (options: Readonly<{ to?: string; take?: readonly string[]; isDryRun?: boolean }> = {}) =>
  update({ folder: copy, from: upstream, now, ...options })

/** State of the copy, which a refused update leaves as it is. */
const state = () => [
  git(copy, 'rev-parse', 'HEAD'),
  git(copy, 'status', '--porcelain'),
  git(copy, 'worktree', 'list'),
  git(copy, 'for-each-ref'),
]

describe('an update of a copy', () => {
  it('an update of a copy brings the newest release into a copy without common history, as one commit', () => {
    release('0.9.0')
    release('0.10.0', { 'wrangler.toml': withClass })
    git(upstream, 'tag', 'v0.11.0-rc.1')
    git(upstream, 'tag', 'nightly')
    const before = git(copy, 'rev-parse', 'HEAD')
    expect(run()).toMatchObject({
      from: '0.2.0',
      tag: 'v0.10.0',
      mark: '2026-12-24T18:00:00Z',
      workflows: [],
    })
    expect(git(copy, 'rev-list', '--parents', '-1', 'HEAD').split(' ')[1]).toBe(before)
    expect(git(copy, 'log', '-1', '--format=%B')).toBe(
      'Update Fieldfare to 0.10.0\n\nFieldfare-Release: v0.10.0\nFieldfare-Before: 0.2.0\nDatabase-Mark: 2026-12-24T18:00:00Z',
    )
    expect([read('src/index.ts').includes('code of 0.10.0'), read('src/added.ts')]).toEqual([
      true,
      '0.10.0\n',
    ])
    expect(existsSync(join(copy, 'src/gone.ts'))).toBe(false)
    expect(git(copy, 'status', '--porcelain')).toBe('')
    expect(git(copy, 'for-each-ref', 'refs/fieldfare')).toBe('')
    expect(git(copy, 'worktree', 'list').split('\n')).toHaveLength(1)
  })

  it('an update of a copy keeps ids and names that Cloudflare wrote, and takes what the release changes beside them', () => {
    release('0.3.0', {
      'wrangler.toml': withClass.replace('"http://localhost:8787"', '"http://localhost:8787"\nPLAN = "free"'),
    })
    run()
    expect(read('wrangler.toml')).toBe(
      withClass
        .replace('name = "fieldfare"', 'name = "birds"')
        .replace('database_name = "fieldfare"', 'database_name = "birds"\ndatabase_id = "1234-abcd"')
        .replace('"http://localhost:8787"', '"http://localhost:8787"\nPLAN = "free"'),
    )
    expect(JSON.parse(read('package.json'))).toMatchObject({ name: 'birds', version: '0.3.0' })
    expect(JSON.parse(read('package-lock.json'))).toMatchObject({
      name: 'birds',
      version: '0.3.0',
      packages: { '': { name: 'birds', version: '0.3.0' } },
    })
  })

  it('an update of a copy keeps changes that the operator made elsewhere than the release', () => {
    commitFiles(copy, { 'README.md': `${lines('text', 'words of my own')}\n`, 'notes.md': 'Mine\n' })
    release('0.3.0')
    run()
    expect([read('README.md').includes('words of my own'), read('notes.md'), read('src/added.ts')]).toEqual([
      true,
      'Mine\n',
      '0.3.0\n',
    ])
  })

  it('an update of a copy stops at a file that was changed in both, changes nothing, and takes the release where the operator says so', () => {
    commitFiles(copy, {
      'src/index.ts': `${lines('code', 'code of my own')}\n`,
      'README.md': `${lines('text', 'mine')}\n`,
    })
    release('0.3.0')
    const before = state()
    expect(() => run()).toThrow(
      /v0\.3\.0 was not brought in, and nothing was changed.*\n- src\/index\.ts\n.*--take src\/index\.ts/,
    )
    expect(state()).toEqual(before)
    run({ take: ['src/index.ts'] })
    expect([read('src/index.ts').includes('code of 0.3.0'), read('README.md').includes('mine')]).toEqual([
      true,
      true,
    ])
  })

  it('an update of a copy stops at a setting of wrangler.toml that both changed, and names it', () => {
    commitFiles(copy, { 'wrangler.toml': cloudflares.replace('src/index.ts', 'src/mine.ts') })
    release('0.3.0', { 'wrangler.toml': configuration.replace('src/index.ts', 'src/worker.ts') })
    const before = state()
    expect(() => run()).toThrow('Changed in both: main in its first lines.')
    expect(state()).toEqual(before)
    run({ take: ['wrangler.toml'] })
    expect(read('wrangler.toml')).toContain('src/worker.ts')
  })

  it('an update of a copy leaves workflow files alone, which the token of a workflow may not change, and names those of the release', () => {
    commitFiles(copy, { '.github/workflows/mine.yml': 'name: Mine\n' })
    release('0.3.0', {
      '.github/workflows/update.yml': 'name: Second\n',
      '.github/workflows/new.yml': 'name: New\n',
    })
    const done = run()
    expect(done?.workflows).toEqual(['.github/workflows/new.yml', '.github/workflows/update.yml'])
    expect(done?.files.filter((path) => path.startsWith('.github'))).toEqual([])
    expect(readdirSync(join(copy, '.github/workflows'))).toEqual(['mine.yml', 'update.yml'])
    expect(read('.github/workflows/update.yml')).toBe('name: First\n')
  })

  it('an update of a copy does nothing where the copy has the newest release, also at a second run', () => {
    expect(run()).toBeNull()
    release('0.3.0')
    expect(run()?.tag).toBe('v0.3.0')
    const before = state()
    expect(run()).toBeNull()
    expect(state()).toEqual(before)
  })

  it('an update of a copy goes on from the release of the last update, one after the other', () => {
    release('0.3.0')
    release('0.4.0', { 'src/index.ts': `${lines('code', 'code of 0.4.0')}\nmore\n` })
    expect(run({ to: '0.3.0' })?.tag).toBe('v0.3.0')
    commitFiles(copy, { 'README.md': `${lines('text', 'mine')}\n` })
    expect(run()).toMatchObject({ from: '0.3.0', tag: 'v0.4.0' })
    expect([read('src/index.ts').endsWith('more\n'), read('README.md').includes('mine')]).toEqual([
      true,
      true,
    ])
    expect(read('wrangler.toml')).toContain('1234-abcd')
  })

  it('an update of a copy finds the commit that a copy was made from between two releases', () => {
    // The change of the release is in the copy already: seen from v0.2.0 it would be a change of the operator.
    commitFiles(upstream, { 'src/index.ts': `${lines('code', 'between two releases')}\n` })
    commitFiles(copy, { 'README.md': `${lines('text')}\n\n` })
    rmSync(join(copy, '.git'), { recursive: true })
    git(copy, 'init', '-q', '-b', 'main')
    commitFiles(copy, { 'src/index.ts': `${lines('code', 'between two releases')}\n` })
    release('0.3.0')
    expect(run()?.tag).toBe('v0.3.0')
    expect(read('src/index.ts')).toContain('code of 0.3.0')
  })

  it('an update of a copy works in a fork, which has the history of the repository', () => {
    const fork = join(place, 'fork')
    git(place, 'clone', '-q', upstream, fork)
    commitFiles(fork, { 'wrangler.toml': cloudflares })
    release('0.3.0')
    expect(update({ folder: fork, from: upstream, now })?.tag).toBe('v0.3.0')
    expect(readFileSync(join(fork, 'wrangler.toml'), 'utf8')).toContain('1234-abcd')
  })

  it('an update of a copy changes nothing in a dry run', () => {
    release('0.3.0')
    const before = state()
    expect(run({ isDryRun: true })?.files).toContain('src/index.ts')
    expect(state()).toEqual(before)
  })

  it('an update of a copy refuses changed files, unknown and older versions, and a repository without an address', () => {
    release('0.3.0')
    expect(() => run({ to: '0.9.9' })).toThrow('There is no release v0.9.9. The newest is v0.3.0.')
    expect(() => update({ folder: copy })).toThrow('`repository` in package.json is a placeholder')
    run()
    expect(() => run({ to: 'v0.2.0' })).toThrow('--back goes back')
    writeFileSync(join(copy, 'README.md'), 'Changed')
    expect(() => run()).toThrow('Files differ from the last commit')
  })
})

describe('the way back from an update of a copy', () => {
  it('the way back from an update of a copy takes the last update back by one commit, keeps later changes, and allows the update again', () => {
    release('0.3.0')
    run()
    commitFiles(copy, { 'README.md': `${lines('text', 'mine')}\n` })
    expect(goBack({ folder: copy })).toEqual({ from: '0.3.0', to: '0.2.0', mark: '2026-12-24T18:00:00Z' })
    expect([read('src/index.ts').includes('0.3.0'), read('README.md').includes('mine')]).toEqual([
      false,
      true,
    ])
    expect(read('wrangler.toml')).toBe(cloudflares)
    expect(run()?.tag).toBe('v0.3.0')
  })

  it('the way back from an update of a copy is refused without an update, and across a migration of Durable Objects', () => {
    expect(() => goBack({ folder: copy })).toThrow('No update in the history of this copy led to 0.2.0')
    release('0.3.0', { 'wrangler.toml': withClass })
    run()
    const before = state()
    expect(() => goBack({ folder: copy })).toThrow('Cloudflare does not go back across it')
    expect(state()).toEqual(before)
  })

  it('the way back from an update of a copy is refused where later changes stand in the way', () => {
    release('0.3.0')
    run()
    commitFiles(copy, { 'src/index.ts': `${lines('code', 'mine')}\n` })
    const before = state()
    expect(() => goBack({ folder: copy })).toThrow('Later changes of yours stand in the way: git revert')
    expect(state()).toEqual(before)
  })
})

describe('the workflow of a copy', () => {
  it('the workflow of a copy runs the script of the copy without packages, and shows what it says on the page of the run', () => {
    const workflow = readFileSync('.github/workflows/update.yml', 'utf8')
    expect(workflow).toContain('node scripts/update.mjs --to "$VERSION" --take "$TAKE"')
    expect(workflow).not.toMatch(/npm|\$\{\{ inputs\.[a-z]+ \}\}"/)
    cpSync('scripts', join(copy, 'scripts'), { recursive: true })
    git(copy, 'add', '-A')
    git(copy, 'commit', '-qm', 'Scripts')
    release('0.3.0', { '.github/workflows/update.yml': 'name: Second\n' })
    const summary = join(place, 'summary.md')
    const { stdout, status } = spawnSync(
      process.execPath,
      ['scripts/update.mjs', '--from', upstream, '--to', '', '--take', ''],
      { cwd: copy, encoding: 'utf8', env: { ...process.env, GITHUB_STEP_SUMMARY: summary } },
    )
    expect([status, stdout]).toEqual([0, expect.stringContaining('Updated from 0.2.0 to 0.3.0')])
    expect(readFileSync(summary, 'utf8')).toBe(stdout)
    expect(stdout).toMatch(
      /Take these from v0\.3\.0 by hand, if you want them:\n- \.github\/workflows\/update\.yml/,
    )
  })

  it('the workflow of a copy shows the reason of a refused update on the page of the run', () => {
    cpSync('scripts', join(copy, 'scripts'), { recursive: true })
    git(copy, 'add', '-A')
    git(copy, 'commit', '-qm', 'Scripts')
    const summary = join(place, 'summary.md')
    const { stderr, status } = spawnSync(
      process.execPath,
      ['scripts/update.mjs', '--from', upstream, '--to', '7.0.0'],
      {
        cwd: copy,
        encoding: 'utf8',
        env: { ...process.env, GITHUB_STEP_SUMMARY: summary },
      },
    )
    expect([status, stderr.trim()]).toEqual([1, 'There is no release v7.0.0. The newest is v0.2.0.'])
    expect(readFileSync(summary, 'utf8')).toContain('There is no release v7.0.0')
  })
})
