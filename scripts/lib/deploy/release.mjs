// The release that a folder holds, in words of the record and of the terminal.
import { spawnSync } from 'node:child_process'
import { readManifest } from '../repository.mjs'

/** Version of the clone in `folder`: `0.2.0` at its tag, else with the commit, and whether files differ from it. */
export function releaseOf(folder) {
  const { version } = readManifest(folder)
  const commit = git(folder, 'rev-parse', '--short=10', 'HEAD')
  if (commit === null) return version
  const tags = git(folder, 'tag', '--points-at', 'HEAD')?.split('\n') ?? []
  const place = tags.includes(`v${version}`) ? '' : `, commit ${commit}, which is no release`
  const changes = git(folder, 'status', '--porcelain', '--untracked-files=no')
  return `${version}${place}${changes === null ? '' : ', with changes of your own'}`
}

/** Null without git, and for an empty answer. */
function git(folder, ...words) {
  const { status, stdout } = spawnSync('git', words, { cwd: folder, encoding: 'utf8' })
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : null
}
