// Releases of the repository, and the state that a copy of it began from.
import { Problem } from '../problem.mjs'
import { linesOf } from './git.mjs'

/** Trailer of commits that brought a release in. */
export const releaseTrailer = 'Fieldfare-Release'
/** Place of the tags of the repository in the copy, beside tags of its own. */
const place = 'refs/fieldfare'

/** Parts of a version; null where the text is none. */
export function versionOf(text) {
  const found = /^v?(\d+)\.(\d+)\.(\d+)$/.exec(text)
  return found === null ? null : found.slice(1).map(Number)
}

export function compareVersions(one, other) {
  const different = one.findIndex((part, index) => part !== other[index])
  return different === -1 ? 0 : one[different] - other[different]
}

/** Tags of the releases at `address`, the newest first. */
export function listReleases({ git }, address) {
  return linesOf(git('ls-remote', '--tags', '--refs', address))
    .map((line) => line.split('refs/tags/')[1] ?? '')
    .filter((tag) => versionOf(tag) !== null)
    .toSorted((one, other) => compareVersions(versionOf(other), versionOf(one)))
}

/** The tag to update to: `wanted`, or the newest; null where the copy has it already. */
export function chooseRelease(tags, { version, wanted }) {
  const own = versionOf(version)
  if (own === null) throw new Problem(`The version ${version} in package.json is not MAJOR.MINOR.PATCH.`)
  const tag = wanted === undefined ? tags[0] : `v${wanted.replace(/^v/, '')}`
  if (tag === undefined) throw new Problem('The repository has no release yet.')
  if (!tags.includes(tag))
    throw new Problem(`There is no release ${tag}. The newest is ${tags[0] ?? 'not out yet'}.`)
  const order = compareVersions(versionOf(tag), own)
  if (order < 0 && wanted !== undefined)
    throw new Problem(
      `This copy has ${version}, which is newer than ${tag}. --back goes back to the version before.`,
    )
  return order <= 0 ? null : tag
}

/** Fetches the tags of all releases. */
export function fetchReleases({ git }, address) {
  git('fetch', '--quiet', '--no-tags', '--force', address, `+refs/tags/v*:${place}/v*`)
}

/** Removes what `fetchReleases` added. */
export function forgetReleases({ git, attempt }) {
  for (const ref of linesOf(attempt('for-each-ref', '--format=%(refname)', `${place}/`) ?? ''))
    git('update-ref', '-d', ref)
}

export function commitOf({ git }, tag) {
  return git('rev-parse', `${place}/${tag}^{commit}`)
}

/**
 * Commit of the repository that the copy was made from or updated to last: what differs from it is the operator's. The
 * release of the last update; else where the two histories part; else, as a copy has a history of its own, the commit whose
 * sources are those of its first one; else the release of its version.
 */
export function findBase(run, { version, target }) {
  return (
    ofLastUpdate(run, version) ??
    ofHistory(run, target) ??
    ofFirstCommit(run, target) ??
    ofVersion(run, version)
  )
}

function ofLastUpdate({ git, attempt }, version) {
  const tag = `v${version}`
  const updates = git('log', '--format=%H', '--fixed-strings', `--grep=${releaseTrailer}: ${tag}`, '-1')
  return updates === '' ? null : attempt('rev-parse', '--verify', '--quiet', `${place}/${tag}^{commit}`)
}

function ofHistory({ attempt }, target) {
  return attempt('merge-base', 'HEAD', target)
}

/** Of several commits with these sources, the one from which the fewest files differ. */
function ofFirstCommit({ git, gitWith, attempt }, target) {
  const [first] = linesOf(git('rev-list', '--max-parents=0', 'HEAD'))
  const sources = attempt('rev-parse', '--verify', '--quiet', `${first}:src`)
  if (sources === null) return null
  const commits = linesOf(git('rev-list', target))
  const names = commits.map((commit) => `${commit}:src\n`).join('')
  const objects = linesOf(gitWith(names, 'cat-file', '--batch-check=%(objectname)'))
  const differences = commits
    .filter((_, index) => objects[index] === sources)
    .map((commit) => ({ commit, count: linesOf(git('diff', '--name-only', commit, first)).length }))
  return differences.toSorted((one, other) => one.count - other.count)[0]?.commit ?? null
}

function ofVersion({ attempt }, version) {
  const found = attempt('rev-parse', '--verify', '--quiet', `${place}/v${version}^{commit}`)
  if (found !== null) return found
  throw new Problem(
    `The repository has no release v${version}, from which this copy was made. Begin a new copy at a release, with the ids of wrangler.toml.`,
  )
}
