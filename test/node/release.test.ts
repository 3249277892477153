import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { releaseOf } from '../../scripts/lib/deploy/release.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fieldfare-release-'))
  write('0.9.0')
  return () => rmSync(folder, { recursive: true, force: true })
})

const write = (version: string) => writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }))
function git(...words: readonly string[]): string {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b.test', '-c', 'commit.gpgsign=false']
  const { stdout, stderr, status } = spawnSync('git', [...who, ...words], { cwd: folder, encoding: 'utf8' })
  expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
  return stdout.trim()
}

it('names the release of a clone at its tag, a commit that is none, and changed files', () => {
  expect(releaseOf(folder)).toBe('0.9.0')
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'First')
  const commit = git('rev-parse', '--short=10', 'HEAD')
  expect(releaseOf(folder)).toBe(`0.9.0, commit ${commit}, which is no release`)
  git('tag', 'v0.8.0')
  expect(releaseOf(folder)).toBe(`0.9.0, commit ${commit}, which is no release`)
  git('tag', 'v0.9.0')
  expect(releaseOf(folder)).toBe('0.9.0')
  writeFileSync(join(folder, 'package.json'), '{ "version": "0.9.0" }')
  expect(releaseOf(folder)).toBe('0.9.0, with changes of your own')
})
