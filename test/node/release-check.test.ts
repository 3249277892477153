import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkRelease } from '../../scripts/lib/release-check.mjs'
import { repositoryAddress } from '../../scripts/lib/repository.mjs'
import { addressOf } from '../../src/contract/version'

const address = 'git+https://codeberg.org/birds/fieldfare.git'
let folder = ''
let parent = ''

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'fieldfare-release-check-'))
  folder = join(parent, 'clone')
  run(parent, 'git', 'init', '-q', folder)
  commit({ version: '0.9.0', url: address, changelog: '## [0.9.0] - 2026-12-01' })
  return () => rmSync(parent, { recursive: true, force: true })
})

function run(cwd: string, command: string, ...words: readonly string[]): string {
  const who = command === 'git' ? ['-c', 'user.name=a', '-c', 'user.email=a@b.test'] : []
  const quiet = command === 'git' ? ['-c', 'commit.gpgsign=false', '-c', 'tag.gpgsign=false'] : []
  const { stdout, stderr, status } = spawnSync(command, [...who, ...quiet, ...words], {
    cwd,
    encoding: 'utf8',
  })
  expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
  return stdout.trim()
}

const git = (...words: readonly string[]) => run(folder, 'git', ...words)

function commit(release: { version: string; url: string; changelog: string; locked?: string }): void {
  const { version, url, changelog, locked = version } = release
  write('package.json', JSON.stringify({ version, repository: { type: 'git', url } }))
  write('package-lock.json', JSON.stringify({ version: locked }))
  write('CHANGELOG.md', `# Changelog\n\n${changelog}\n\n- Birds\n`)
  git('add', '.')
  git('commit', '-qm', version)
}

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

describe('the check before a release', () => {
  it('the check before a release lets a clean commit be tagged and published', () => {
    expect(checkRelease(folder)).toEqual({ tag: 'v0.9.0', isTagged: false, reasons: [] })
    git('tag', '-a', 'v0.9.0', '-m', 'Annotated')
    expect(checkRelease(folder)).toEqual({ tag: 'v0.9.0', isTagged: true, reasons: [] })
  })

  it.each([
    ['a placeholder as repository', { url: 'git+https://git.example.org/fieldfare.git' }, 'is a placeholder'],
    ['a version that is no release', { version: '0.9.0-rc.1' }, 'is not MAJOR.MINOR.PATCH'],
    ['another version in the lock file', { locked: '0.8.0' }, 'package-lock.json has another version'],
    [
      'a changelog without the version',
      { changelog: '## [0.8.0] - 2026-11-01' },
      'has no heading "## [0.9.0]',
    ],
    ['a changelog without the day', { changelog: '## [0.9.0] - unreleased' }, 'has no day for 0.9.0'],
  ])('refuses %s', (_, change, reason) => {
    commit({ version: '0.9.0', url: address, changelog: '## [0.9.0] - 2026-12-02', ...change })
    const { reasons } = checkRelease(folder)
    expect(reasons.join('\n')).toContain(reason)
    if (!('version' in change)) expect(reasons).toHaveLength(1)
  })

  it('the check before a release refuses a folder with changed or added files', () => {
    write('left-over.txt', 'Draft')
    expect(checkRelease(folder).reasons).toEqual([
      expect.stringContaining('Files differ from the last commit'),
    ])
  })

  it('the check before a release refuses a version whose tag is on another commit, and a commit with the tag of another version', () => {
    git('tag', 'v0.9.0')
    commit({ version: '0.9.0', url: address, changelog: '## [0.9.0] - 2026-12-02' })
    expect(checkRelease(folder).reasons).toEqual([expect.stringContaining('The tag v0.9.0 is on commit')])
    commit({ version: '0.9.1', url: address, changelog: '## [0.9.1] - 2026-12-03' })
    git('tag', 'v0.9.2')
    expect(checkRelease(folder).reasons).toEqual([
      'This commit has the tag v0.9.2, but package.json says 0.9.1.',
    ])
  })

  it('npm run check:release refuses this repository as long as its address is a placeholder', () => {
    const { scripts, repository } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(scripts['check:release']).toBe('node scripts/check-release.mjs')
    const { status, stderr } = spawnSync(process.execPath, ['scripts/check-release.mjs'], {
      encoding: 'utf8',
    })
    expect(stderr.includes('is a placeholder')).toBe(addressOf(repository.url) === null)
    expect(status === 0).toBe(stderr === '')
  })
})

describe('the address of the repository', () => {
  // The Worker and the scripts cannot share a file: Node 20 reads no TypeScript.
  it.each([
    ['git+https://git.example.org/fieldfare.git', null],
    ['https://github.invalid/a/b', null],
    ['https://localhost:3000/a/b', null],
    ['https://example.com/a/b', null],
    ['git@github.com:a/b.git', null],
    ['git+ssh://git@github.com/a/b.git', null],
    ['http://codeberg.org/a/b', null],
    ['javascript:alert(1)', null],
    ['', null],
    ['git+https://codeberg.org/a/b.git', 'https://codeberg.org/a/b'],
    ['https://user:secret@git.birds.social:8443/a/b.git/', 'https://git.birds.social:8443/a/b'],
    ['https://example.community/a', 'https://example.community/a'],
  ])('the Worker and the scripts read %s as %s', (url, read) => {
    expect([
      addressOf(url),
      repositoryAddress({ repository: { url } }),
      repositoryAddress({ repository: url }),
    ]).toEqual([read, read, read])
  })

  it('a manifest without a repository has no address', () => {
    expect(repositoryAddress({})).toBeNull()
  })
})
