// Address of the source that runs here: the licence asks to name it.
import { spawnSync } from 'node:child_process'

/** Paths of a commit at hosts of repositories, by what their names contain. */
const commitPaths = [
  ['github', 'tree'],
  ['gitlab', '-/tree'],
  ['codeberg', 'src/commit'],
  ['gitea', 'src/commit'],
  ['forgejo', 'src/commit'],
]

/** Web address of the commit of `folder`; null where its repository has no address on the web. */
export function sourceUrl(folder) {
  const remote = git(folder, 'config', '--get', 'remote.origin.url')
  return remote === null ? null : addressOf(remote, git(folder, 'rev-parse', 'HEAD'))
}

/** Web address of a commit in a repository that git names so. Never with the password that the address may contain. */
export function addressOf(remote, commit) {
  const [, host, path] =
    /^(?:https?:\/\/|ssh:\/\/|git:\/\/)?(?:[^@/]*@)?([a-z0-9.-]+\.[a-z]+)(?::\d+)?[:/](.+?)(?:\.git)?\/?$/i.exec(
      remote,
    ) ?? []
  if (host === undefined) return null
  const repository = `https://${host.toLowerCase()}/${path}`
  const found = commitPaths.find(([name]) => host.toLowerCase().includes(name))
  return commit === null || found === undefined ? repository : `${repository}/${found[1]}/${commit}`
}

function git(folder, ...words) {
  const { status, stdout } = spawnSync('git', words, { cwd: folder, encoding: 'utf8' })
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : null
}
