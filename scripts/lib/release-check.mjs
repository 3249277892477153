// Reasons not to publish what a folder holds as a release.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from './problem.mjs'
import { readManifest, repositoryAddress } from './repository.mjs'

/**
 * Checks that HEAD of `folder` can be released: `tag`, whether it exists already, and one sentence for each reason not to. A
 * release is the commit of its tag, so nothing else may be in the folder.
 */
export function checkRelease(folder) {
  const manifest = readManifest(folder)
  const tag = `v${manifest.version}`
  const head = git(folder, 'rev-parse', 'HEAD')
  const [tagged, isTagged] = [commitOf(folder, tag), tagsAt(folder, head).includes(tag)]
  const others = tagsAt(folder, head).filter((name) => /^v\d/.test(name) && name !== tag)
  const reasons = [
    repositoryAddress(manifest) === null &&
      '`repository` in package.json is a placeholder: servers would not find new releases, nor people the source.',
    !/^\d+\.\d+\.\d+$/.test(manifest.version) &&
      `The version ${manifest.version} in package.json is not MAJOR.MINOR.PATCH.`,
    lockedVersion(folder) !== manifest.version &&
      `package-lock.json has another version than package.json: npm install --package-lock-only`,
    changelogReason(folder, manifest.version),
    git(folder, 'status', '--porcelain') !== '' &&
      'Files differ from the last commit: commit them, or take them away.',
    tagged !== null &&
      !isTagged &&
      `The tag ${tag} is on commit ${tagged.slice(0, 10)}, and this is ${head.slice(0, 10)}: a new version needs a new number.`,
    others.length > 0 &&
      `This commit has the tag ${others.join(', ')}, but package.json says ${manifest.version}.`,
  ]
  return { tag, isTagged, reasons: reasons.filter((reason) => typeof reason === 'string') }
}

/** The changelog needs a chapter of the version with the day of the release. */
function changelogReason(folder, version) {
  const heading = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`## [${version}]`))
  if (heading === undefined) return `CHANGELOG.md has no heading "## [${version}] - YEAR-MONTH-DAY".`
  return !/ - \d{4}-\d{2}-\d{2}$/.test(heading) && `CHANGELOG.md has no day for ${version}: "${heading}".`
}

function lockedVersion(folder) {
  return JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).version
}

/** Commit that a tag names; null where there is none. */
function commitOf(folder, tag) {
  const { status, stdout } = run(folder, 'rev-parse', '--verify', '--quiet', `refs/tags/${tag}^{commit}`)
  return status === 0 ? stdout.trim() : null
}

function tagsAt(folder, commit) {
  return git(folder, 'tag', '--points-at', commit).split('\n')
}

function git(folder, ...words) {
  const { status, stdout, stderr, error } = run(folder, ...words)
  if (status === 0) return stdout.trim()
  throw new Problem(`git ${words.join(' ')} failed: ${error?.message ?? stderr.trim()}`)
}

function run(folder, ...words) {
  return spawnSync('git', words, { cwd: folder, encoding: 'utf8' })
}
