// Brings a release into a copy of the repository, which need not have a history in common with it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Problem } from '../problem.mjs'
import { readManifest, repositoryAddress } from '../repository.mjs'
import { gitIn, linesOf } from './git.mjs'
import { keepValues } from './kept-values.mjs'
import {
  chooseRelease,
  commitOf,
  fetchReleases,
  findBase,
  forgetReleases,
  listReleases,
  releaseTrailer,
} from './releases.mjs'

const workflows = '.github/workflows'
const configuration = 'wrangler.toml'
/** Files whose first `name` Cloudflare replaces by that of the Worker. */
const namedFiles = ['package.json', 'package-lock.json']

/**
 * Updates the copy in `folder` by one commit, which is not pushed. `to` is a version or undefined for the newest, `take` names files
 * whose own changes are given up. Returns null where the copy has the release already, else what was done. Where files were changed
 * here and in the release, a `Problem` names them and nothing is changed.
 */
export function update({ folder, from, to, take = [], isDryRun = false, now = new Date() }) {
  const run = gitIn(folder)
  refuseChanges(run)
  const manifest = readManifest(folder)
  const address = from ?? repositoryAddress(manifest)
  if (address === null)
    throw new Problem(
      '`repository` in package.json is a placeholder: --from names the repository with the releases.',
    )
  const tag = chooseRelease(listReleases(run, address), { version: manifest.version, wanted: to })
  if (tag === null) return null
  try {
    fetchReleases(run, address)
    const target = commitOf(run, tag)
    const base = findBase(run, { version: manifest.version, target })
    const tree = mergedTree(folder, { base, target, take, tag })
    const commit = run.git('commit-tree', tree, '-p', 'HEAD', '-m', messageOf({ tag, manifest, now }))
    const files = linesOf(run.git('diff', '--name-only', 'HEAD', commit))
    const different = linesOf(run.git('diff', '--name-only', base, target, '--', workflows))
    if (!isDryRun) run.git('merge', '--quiet', '--ff-only', commit)
    return { from: manifest.version, tag, commit, files, workflows: different, mark: markOf(now) }
  } finally {
    forgetReleases(run)
  }
}

function refuseChanges({ git }) {
  if (git('status', '--porcelain', '--untracked-files=no') !== '')
    throw new Problem('Files differ from the last commit: commit them first, or take the changes back.')
}

/** Time to which the database can be taken back: Cloudflare keeps each minute of some days. */
export function markOf(now) {
  return `${now.toISOString().slice(0, 19)}Z`
}

function messageOf({ tag, manifest, now }) {
  const trailers = [
    `${releaseTrailer}: ${tag}`,
    `Fieldfare-Before: ${manifest.version}`,
    `Database-Mark: ${markOf(now)}`,
  ]
  return `Update Fieldfare to ${tag.slice(1)}\n\n${trailers.join('\n')}`
}

/** Tree of the copy with what changed between `base` and `target`. */
function mergedTree(folder, { base, target, take, tag }) {
  const place = mkdtempSync(join(tmpdir(), 'fieldfare-update-'))
  const tree = join(place, 'tree')
  const { git, attempt } = gitIn(folder)
  git('worktree', 'add', '--quiet', '--no-checkout', '--detach', tree, base)
  try {
    const inside = gitIn(tree)
    const own = preparedCommit(inside, { commit: git('rev-parse', 'HEAD'), base, take })
    const next = preparedCommit(inside, { commit: target, base, take: [], keepsNames: true })
    inside.git('reset', '--quiet', '--hard', own)
    if (inside.attempt('merge', '--quiet', '--no-commit', '--no-ff', next) === null)
      throw new Problem(conflictWords(linesOf(inside.git('diff', '--name-only', '--diff-filter=U')), tag))
    restoreOwn(inside, { folder, base, target, take, tag })
    return inside.git('write-tree')
  } finally {
    attempt('worktree', 'remove', '--force', tree)
    rmSync(place, { recursive: true, force: true })
    attempt('worktree', 'prune')
  }
}

/**
 * The tree of `commit` as a child of `base`, without workflows, which the token of a workflow may not change. Without `keepsNames` also
 * without the values that Cloudflare wrote, and with the files of `take` as they are in `base`.
 */
function preparedCommit(inside, { commit, base, take, keepsNames = false }) {
  const { git, attempt } = inside
  git('read-tree', commit)
  attempt('rm', '-r', '--cached', '--quiet', '--ignore-unmatch', workflows)
  if (!keepsNames) {
    for (const path of [configuration, ...take]) {
      const entry = git('ls-tree', base, '--', path)
      if (entry === '') attempt('rm', '-r', '--cached', '--quiet', '--ignore-unmatch', path)
      else
        git(
          'update-index',
          '--add',
          '--cacheinfo',
          entry.split('\t')[0].replace(/^(\d+) blob (\w+)$/, `$1,$2,${path}`),
        )
    }
    for (const path of namedFiles.filter((name) => !take.includes(name))) {
      const [mine, old] = [textAt(inside, commit, path), textAt(inside, base, path)]
      if (mine !== null && old !== null) addText(inside, path, withNames(mine, namesIn(old)))
    }
  }
  return git('commit-tree', git('write-tree'), '-p', base, '-m', 'State to merge')
}

/** Puts workflows and values of the copy back into the merged index. */
function restoreOwn(inside, { folder, base, target, take, tag }) {
  const head = gitIn(folder).git('rev-parse', 'HEAD')
  if (inside.attempt('rev-parse', '--verify', '--quiet', `${head}:${workflows}`) !== null)
    inside.git('read-tree', `--prefix=${workflows}/`, `${head}:${workflows}`)
  for (const path of namedFiles.filter((name) => !take.includes(name))) {
    const [mine, merged] = [textAt(inside, head, path), textAt(inside, '', path)]
    if (mine !== null && merged !== null) addText(inside, path, withNames(merged, namesIn(mine)))
  }
  if (take.includes(configuration)) return
  const [own, old, next] = [head, base, target].map((commit) => textAt(inside, commit, configuration))
  if (own === null || old === null || next === null) return
  const { text, conflicts } = keepValues({ base: old, own, target: next })
  if (conflicts.length > 0)
    throw new Problem(conflictWords([configuration], tag, `Changed in both: ${conflicts.join(', ')}.`))
  addText(inside, configuration, text)
}

/** Text of a file in a commit, or in the index for an empty name; null where it is missing. */
function textAt({ attempt, git }, commit, path) {
  if (attempt('cat-file', '-e', `${commit}:${path}`) === null) return null
  return `${git('cat-file', 'blob', `${commit}:${path}`)}\n`
}

function addText({ git, gitWith }, path, text) {
  const blob = gitWith(text, 'hash-object', '-w', '--stdin')
  git('update-index', '--add', '--cacheinfo', `100644,${blob},${path}`)
}

/** Names of the project in package.json, or at the two places of package-lock.json. */
const projectName = /("name": ")([^"]*)(",\s*"version")/g

function namesIn(text) {
  return [...text.matchAll(projectName)].slice(0, 2).map(([, , name]) => name)
}

function withNames(text, names) {
  let index = 0
  return text.replace(projectName, (whole, head, _, rest) => {
    const name = names[index]
    index += 1
    return name === undefined || index > 2 ? whole : `${head}${name}${rest}`
  })
}

function conflictWords(files, tag, detail = '') {
  const list = files.map((file) => `- ${file}`).join('\n')
  return `${tag} was not brought in, and nothing was changed: these files were changed here and in the release.
${list}
${detail === '' ? '' : `${detail}\n`}Take your own change out of them, or give it up: start the update again with these files as "take" (--take ${files.join(',')}).`
}

/** Takes the last update back by one commit. Returns the version that it leads to. */
export function goBack({ folder }) {
  const run = gitIn(folder)
  refuseChanges(run)
  const { git, attempt } = run
  const { version } = readManifest(folder)
  const trailer = `${releaseTrailer}: v${version}`
  const last = git('log', '--format=%H', '--fixed-strings', `--grep=${trailer}`, '-1')
  if (last === '')
    throw new Problem(`No update in the history of this copy led to ${version}: there is no way back.`)
  const objects = (commit) =>
    (attempt('show', `${commit}:${configuration}`) ?? '').match(/^tag = .*$/gm)?.join() ?? ''
  if (objects(last) !== objects(`${last}^`))
    throw new Problem(
      `${version} has a migration of Durable Objects, and Cloudflare does not go back across it. Wait for a version that fixes what is wrong.`,
    )
  const mark = /^Database-Mark: (.*)$/m.exec(git('show', '-s', '--format=%B', last))?.[1] ?? null
  if (attempt('revert', '--no-edit', last) === null) {
    attempt('revert', '--abort')
    throw new Problem(`Later changes of yours stand in the way: git revert ${last.slice(0, 10)}`)
  }
  return { from: version, to: readManifest(folder).version, mark }
}
